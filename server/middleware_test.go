package server

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"
)

// What a client waits for counts, also before its call could begin.
func TestWaitingCounts(t *testing.T) {
	s := New(Options{Name: "test", Version: "1"})
	ctx := context.WithValue(t.Context(), toolCallKey{}, &toolCall{tool: "recall", waited: 3 * time.Second})
	s.observe(ctx, "recall", "", time.Second)
	var b bytes.Buffer
	s.WriteMetrics(&b, nil)
	for _, want := range []string{`{tool="recall",le="2.5"} 0`, `{tool="recall",le="5"} 1`} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("without %s:\n%s", want, b.String())
		}
	}
}
