package tools

import (
	"context"
	"fmt"
	"strings"

	"mcp-memory/memory"
	"mcp-memory/remember"
)

// shownErased is how many memories the question about an erasure shows to the user.
const shownErased = 5

// confirmed asks the user of the host to confirm a permanent erasure that the caller did not
// confirm, and sets in.Confirm to the answer. If the host cannot ask, it returns the request as it
// is, and Forget then refuses it.
func (s Services) confirmed(ctx context.Context, scope memory.Scope, in forgetInput) (forgetInput, error) {
	if !in.Permanent || in.Confirm || in.DryRun || !canAsk(ctx) {
		return in, nil
	}
	preview := remember.ForgetRequest(in)
	preview.DryRun = true
	would, err := s.Remember.Forget(ctx, scope, preview)
	if err != nil || would.Forgotten+would.Messages == 0 {
		in.Confirm = err == nil // nothing to ask about, and nothing to erase
		return in, err
	}
	message, err := s.eraseQuestion(ctx, scope, would)
	if err != nil {
		return in, err
	}
	answer, err := Ask(ctx, scope.Agent, message, would.IDs...)
	if err == nil && answer == Refused {
		err = memory.Errorf(memory.CodeForbidden, "the user did not agree").
			WithHint("nothing was erased; without permanent the memories are only set aside")
	}
	in.Confirm = err == nil && answer == Agreed
	return in, err
}

func (s Services) eraseQuestion(ctx context.Context, scope memory.Scope, would remember.ForgetResult) (string, error) {
	named, err := s.named(ctx, scope, would.IDs, shownErased)
	what := plural(would.Forgotten, "memory")
	if would.Messages > 0 {
		what = plural(would.Messages, "message") + " of a conversation"
	}
	return strings.TrimSuffix(fmt.Sprintf("Erase %s for good? This cannot be undone.\n%s", what, named), "\n"), err
}

// named lists memories, one line each, at most most of them and then how many more there are.
func (s Services) named(ctx context.Context, scope memory.Scope, ids []string, most int) (string, error) {
	if len(ids) == 0 {
		return "", nil
	}
	shown := ids[:min(most, len(ids))]
	found, _, err := s.Remember.Get(ctx, scope, shown)
	var b strings.Builder
	for _, r := range found {
		fmt.Fprintf(&b, "- %s\n", memory.OneLine(r.Content, 160))
	}
	if more := len(ids) - len(shown); more > 0 {
		fmt.Fprintf(&b, "- and %d more\n", more)
	}
	return b.String(), err
}
