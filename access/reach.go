package access

import (
	"context"
	"slices"

	"mcp-memory/memory"
)

// Reach says how much of a bank a tool, a prompt or a page is about. The zero
// value is [WholeBank], so what does not say otherwise is closed to tokens that
// are restricted to projects.
type Reach int

// The reaches.
const (
	WholeBank Reach = iota
	// Projects is for what keeps to the projects of the caller: by its scope
	// (see [Identity.Scope]), or because it names records, which a [Guard] checks.
	Projects
)

// Refusal returns why the identity in a context may not use something of that
// reach, which writes if it may change the bank: [memory.CodeForbidden], or nil
// where it may. Without an identity the process's own agent asks, which may use
// everything. name is for the message.
func Refusal(ctx context.Context, name string, writes bool, reach Reach) *memory.Error {
	const hint = "ask whoever runs the server for another one"
	i, ok := From(ctx)
	switch {
	case !ok:
		return nil
	case i.ReadOnly && writes:
		return memory.Errorf(memory.CodeForbidden, "this token may only read").WithHint(hint)
	case i.Restricted() && reach != Projects:
		return memory.Errorf(memory.CodeForbidden, "this token is restricted to projects, and %s is about the whole bank", name).WithHint(hint)
	}
	return nil
}

// ReadableProjects returns the projects that the identity in a context is
// restricted to, whose memories it may read beside the global ones; nil for all
// of the bank. Without an identity the process's own agent asks, which may read
// everything.
func ReadableProjects(ctx context.Context) []string {
	i, ok := From(ctx)
	if !ok || !i.Restricted() {
		return nil
	}
	return slices.Clone(i.Projects)
}
