//go:build !amd64 && !arm64

package encoder

func able() []kernels { return nil }
