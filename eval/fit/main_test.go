package main

import (
	"io"
	"path/filepath"
	"strings"
	"testing"
)

// TestSamplesOfOneModel: what was measured with the weights of before fits no further model.
func TestSamplesOfOneModel(t *testing.T) {
	file := filepath.Join(t.TempDir(), "samples")
	if err := run(t.Context(), []string{"--samples", file}, io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), "--only") {
		t.Errorf("of all models: %v", err)
	}
}
