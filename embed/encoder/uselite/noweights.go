//go:build noencoder

package uselite

func weights() []byte { return nil }
