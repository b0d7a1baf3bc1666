package main

import (
	"errors"
	"io"
	"strings"
	"testing"
)

// A host may leave stdin open behind its payload, and what is too long is taken from it
// and passed over.
func TestAPayloadIsBounded(t *testing.T) {
	in, host := io.Pipe()
	defer host.Close()
	go func() { _, _ = host.Write([]byte(`{"prompt":"x"}` + "\n")) }()
	if payload, err := readPayload(in); err != nil || string(payload) != `{"prompt":"x"}` {
		t.Errorf("%s, %v", payload, err)
	}
	long := strings.NewReader(`{"prompt":"` + strings.Repeat("x", 2*hookPayload) + `"}`)
	if payload, err := readPayload(long); !errors.Is(err, errLongPayload) || payload != nil {
		t.Errorf("%d bytes, %v", len(payload), err)
	}
	if long.Len() > 0 {
		t.Errorf("%d bytes were left to the host", long.Len())
	}
	if _, err := readPayload(strings.NewReader(`{"prompt":`)); err == nil || errors.Is(err, errLongPayload) {
		t.Errorf("error %v", err)
	}
}
