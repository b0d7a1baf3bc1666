package server_test

import (
	"context"
	"strings"
	"testing"
	"unicode/utf8"

	"mcp-memory/server"
	"mcp-memory/server/servertest"
)

func TestTruncate(t *testing.T) {
	lines := strings.Repeat("ä line\n", 400)
	for name, test := range map[string]struct{ in, want string }{
		"short":        {"abc", "abc"},
		"exact":        {strings.Repeat("é", 20), strings.Repeat("é", 20)},
		"one too many": {strings.Repeat("é", 21), strings.Repeat("é", 19) + "…"},
		"at a line":    {"0123456789012\nabcdefghij", "0123456789012"},
		"line too far": {"012\nabcdefghijklmnopqrst", "012\nabcdefghijklmno…"},
		"line at cut":  {"0123456789012345678\nabc", "0123456789012345678"},
	} {
		if got := server.Truncate(test.in, 20); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
	s, _ := servertest.New(t, func(o *server.Options) { o.Instructions = func(context.Context) string { return lines } })
	if got := s.Instructions(t.Context()); utf8.RuneCountInString(got) >= server.MaxInstructions || !strings.HasSuffix(got, "ä line") {
		t.Errorf("%d characters that end in %q", utf8.RuneCountInString(got), got[len(got)-10:])
	}
}

func TestInstructionsNeverFail(t *testing.T) {
	for name, f := range map[string]func(context.Context) string{
		"none": nil, "panic": func(context.Context) string { panic("x") },
	} {
		s, _ := servertest.New(t, func(o *server.Options) { o.Instructions = f })
		if got := servertest.Exchange(t, s, servertest.Initialize("2025-06-18")); len(got) != 1 ||
			strings.Contains(got[0], "instructions") {
			t.Errorf("%s: %v", name, got)
		}
	}
}
