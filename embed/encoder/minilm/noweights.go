//go:build noencoder

package minilm

func weights() []byte { return nil }
