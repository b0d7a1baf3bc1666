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
	// AllBanks is for what tells how all banks do, and nothing that is in them: it is
	// an operator's alone.
	AllBanks
	// NoBank is for what is about no bank, such as signing out.
	NoBank
)

// Refusal returns why the identity in a context may not use something of that
// reach, which writes if it may change the bank: [memory.CodeForbidden], or nil
// where it may. Without an identity the process's own agent asks, which may use
// everything. name is for the message.
func Refusal(ctx context.Context, name string, writes bool, reach Reach) *memory.Error {
	const hint = "ask whoever runs the server for another one"
	i, ok := From(ctx)
	switch {
	case !ok || reach == NoBank:
		return nil
	case i.Operator && reach == AllBanks && !writes:
		return nil
	case i.Operator:
		return errOperator().WithHint(hint)
	case reach == AllBanks:
		return memory.Errorf(memory.CodeForbidden, "this token is for one bank, and %s is for operators", name).WithHint(hint)
	case i.ReadOnly && writes:
		return memory.Errorf(memory.CodeForbidden, "this token may only read").WithHint(hint)
	case i.Restricted() && reach != Projects:
		return memory.Errorf(memory.CodeForbidden, "this token is restricted to projects, and %s is about the whole bank", name).
			WithHint(hint)
	}
	return nil
}

func errOperator() *memory.Error {
	return memory.Errorf(memory.CodeForbidden, "this token is an operator's: it shows how the banks do, not what is in them")
}

// IsOperator reports whether an operator makes a call.
func IsOperator(ctx context.Context) bool {
	i, _ := From(ctx)
	return i.Operator
}

// ReadableProjects returns the projects that the identity in a context is
// restricted to, whose memories it may read beside the global ones; nil for all
// of the bank, and none for an operator. Without an identity the process's own agent
// asks, which may read everything.
func ReadableProjects(ctx context.Context) []string {
	i, ok := From(ctx)
	switch {
	case !ok || !i.Restricted():
		return nil
	case i.Operator:
		return []string{}
	}
	return slices.Clone(i.Projects)
}
