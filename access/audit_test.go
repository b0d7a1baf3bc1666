package access

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"mcp-memory/memory"
)

// noting is an auditor that keeps what it is told, and cannot store it.
type noting struct{ told []string }

func (n *noting) Begin(ctx context.Context, tool, request string) context.Context {
	n.told = append(n.told, "begin "+tool+" "+request)
	return context.WithValue(ctx, n, "begun")
}

func (n *noting) End(ctx context.Context, code string) error {
	n.told = append(n.told, strings.TrimSpace("end "+code)+", "+ctx.Value(n).(string))
	return errors.New("no room")
}

// TestAudited: a call is noted with its code, also one that panics, and made whatever
// becomes of the note.
func TestAudited(t *testing.T) {
	for name, tt := range map[string]struct {
		call func(context.Context) memory.Code
		want string
	}{
		"done":    {func(context.Context) memory.Code { return "" }, "end, begun"},
		"refused": {func(context.Context) memory.Code { return memory.CodeConflict }, "end conflict, begun"},
		"panics":  {func(context.Context) memory.Code { panic("x") }, "end internal, begun"},
	} {
		t.Run(name, func(t *testing.T) {
			var n noting
			var log strings.Builder
			func() {
				defer func() { _ = recover() }()
				Audited(t.Context(), &n, slog.New(slog.NewTextHandler(&log, nil)), "memory_save", "7", tt.call)
			}()
			if want := []string{"begin memory_save 7", tt.want}; !slices.Equal(n.told, want) {
				t.Errorf("told %q, want %q", n.told, want)
			}
			if !strings.Contains(log.String(), "no room") {
				t.Errorf("the log says %q", log.String())
			}
		})
	}
	made := false
	Audited(t.Context(), nil, slog.New(slog.DiscardHandler), "memory_save", "7",
		func(context.Context) memory.Code { made = true; return "" })
	if !made {
		t.Error("without an auditor no call was made")
	}
}
