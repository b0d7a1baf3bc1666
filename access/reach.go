package access

import (
	"context"
	"slices"

	"mcp-memory/memory"
)

// Reach says how much of a bank a tool, prompt or page is about. The zero value is [WholeBank], so
// what declares no reach is closed to tokens that are restricted to projects.
type Reach int

// The reaches.
const (
	WholeBank Reach = iota
	// Projects is for what stays within the caller's projects: by its scope (see [Identity.Scope]),
	// or because it reads records by id, which [Guard] checks.
	Projects
	// AllBanks is for what shows the state of all banks, but not their contents. It is for
	// operators only.
	AllBanks
	// NoBank is for what concerns no bank, such as signing out.
	NoBank
)

// Refusal returns why the identity in ctx may not use something of a reach: [memory.CodeForbidden],
// or nil if it may. writes says whether the use may change the bank. Without an identity the
// process's own agent makes the call, which may use everything. name is for the message.
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

// IsOperator reports whether an operator makes the call.
func IsOperator(ctx context.Context) bool {
	i, _ := From(ctx)
	return i.Operator
}

// ReadableProjects returns the projects that the identity in ctx is restricted to. It is nil for
// the whole bank, and empty for an operator. Without an identity the process's own agent makes the
// call, which may read everything.
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
