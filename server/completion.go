package server

import (
	"context"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-memory/memory"
)

// completionTimeout is the deadline of a completion, for which somebody who types is waiting.
const completionTimeout = 2 * time.Second

// completer completes arguments of templates and prompts. For an unknown template, prompt or
// argument it returns no values.
type completer struct{ *Server }

// CompleteResourceArgument implements the library's ResourceCompletionProvider.
func (c completer) CompleteResourceArgument(ctx context.Context, uri string, argument mcp.CompleteArgument,
	_ mcp.CompleteContext) (*mcp.Completion, error) {
	return c.offer(ctx, func(ctx context.Context) ([]string, bool, error) {
		return c.opts.Pages.Complete(ctx, uri, argument.Name, argument.Value)
	})
}

// CompletePromptArgument implements the library's PromptCompletionProvider.
func (c completer) CompletePromptArgument(ctx context.Context, name string, argument mcp.CompleteArgument,
	_ mcp.CompleteContext) (*mcp.Completion, error) {
	return c.offer(ctx, func(ctx context.Context) ([]string, bool, error) {
		values, err := c.opts.Pages.CompletePrompt(ctx, name, argument.Name, argument.Value)
		return values, false, err
	})
}

func (c completer) offer(ctx context.Context, complete func(context.Context) ([]string, bool, error)) (*mcp.Completion, error) {
	ctx, cancel := context.WithTimeout(ctx, completionTimeout)
	defer cancel()
	values, more, err := complete(ctx)
	if err != nil {
		c.refused(ctx, "complete", err) // only to log the error
		return nil, memory.Public(err)
	}
	completion := &mcp.Completion{Values: values, HasMore: more}
	if !more {
		completion.Total = len(values)
	}
	return completion, nil
}
