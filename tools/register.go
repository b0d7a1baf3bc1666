package tools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"mcp-memory/memory"
)

// DefaultTimeout is the deadline of a call if [Calls] has none.
const DefaultTimeout = 60 * time.Second

// Calls configures how a fleet's tools are called. The zero value is usable.
type Calls struct {
	Timeout time.Duration // of one call; 0 is [DefaultTimeout]
	Log     *slog.Logger  // nil logs nothing; it never gets arguments or memory text
	// Observe is called after each call, with the code of its error or "", and how long it took.
	// ctx has the values of the request's context. Nil means no observer.
	Observe func(ctx context.Context, tool string, code memory.Code, took time.Duration)
	// Shared is where questions to users are kept, for servers that share clients: any of them may
	// get the answer. Nil keeps them in this process.
	Shared memory.Shared
}

// Register adds the fleet's tools to s. Every call takes the steps that the package document
// describes. A call that changes something is detached from its request: if the caller cancels or
// hangs up it is still finished, within its own deadline, so that no change is left half-done.
func (f Fleet) Register(s *server.MCPServer, calls Calls) {
	if calls.Timeout <= 0 {
		calls.Timeout = DefaultTimeout
	}
	if calls.Log == nil {
		calls.Log = slog.New(slog.DiscardHandler)
	}
	batch, asker := make([]server.ServerTool, len(f.rows)), newAsker(calls.Shared)
	for i, r := range f.rows {
		batch[i] = server.ServerTool{Tool: r.listed(), Handler: calls.handler(r, asker)}
	}
	s.AddTools(batch...)
}

// listed is the tool as tools/list shows it.
func (r row) listed() mcp.Tool {
	h, no := effects[r.Effect], false
	var meta *mcp.Meta
	if r.Always {
		meta = &mcp.Meta{AdditionalFields: map[string]any{alwaysLoad: true}}
	}
	return mcp.Tool{
		Name: r.Name, Title: r.Title, Description: r.Description,
		RawInputSchema: listedInput(r.in).raw(), RawOutputSchema: listedOutput(r.out).raw(),
		Annotations: mcp.ToolAnnotation{
			Title:           r.Title,
			ReadOnlyHint:    &h.readOnly,
			DestructiveHint: &h.destructive,
			IdempotentHint:  &h.idempotent,
			OpenWorldHint:   &no,
		},
		Meta: meta,
	}
}

// alwaysLoad is the metadata key by which Claude Code recognises tools that it should load at once.
// Other tools it may load only after a search.
const alwaysLoad = "anthropic/alwaysLoad"

// handler never returns an error: the library would turn it into a protocol error, which models do
// not see.
func (c Calls) handler(r row, asker *asker) server.ToolHandlerFunc {
	return func(ctx context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if r.Effect != Read {
			ctx = context.WithoutCancel(ctx)
		}
		ctx, cancel := context.WithTimeout(ctx, c.Timeout)
		defer cancel()
		start := time.Now()
		result, err := r.answer(asker.with(ctx, r.Name, request), request)
		took, code := time.Since(start), memory.Code("")
		if q := asking(err); q != nil {
			result, err = q.result(), nil
		}
		if err != nil {
			public := c.public(err)
			code, result = public.Code, Failure(public)
		}
		c.log(ctx, r.Name, took, code, err)
		if c.Observe != nil {
			c.Observe(ctx, r.Name, code, took)
		}
		return result, nil
	}
}

func (r row) answer(ctx context.Context, request mcp.CallToolRequest) (result *mcp.CallToolResult, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	args, err := rawArguments(request)
	if err != nil {
		return nil, err
	}
	out, text, err := r.call(ctx, r.scopeOf, r.in, args)
	if err != nil {
		return nil, err
	}
	return success(out, text)
}

// rawArguments returns the arguments as received. For a call from inside the process, which has no
// raw ones, it marshals them.
func rawArguments(request mcp.CallToolRequest) (json.RawMessage, error) {
	if raw := request.Params.RawArguments; len(raw) > 0 {
		return raw, nil
	}
	if request.Params.Arguments == nil {
		return nil, nil
	}
	return json.Marshal(request.Params.Arguments)
}

// public returns the error that the caller sees.
func (c Calls) public(err error) *memory.Error {
	var known *memory.Error
	switch {
	case errors.As(err, &known):
	case errors.Is(err, context.DeadlineExceeded):
		return memory.Errorf(memory.CodeUnavailable, "it took longer than %v", c.Timeout).WithHint("try again, or ask for less")
	case errors.Is(err, context.Canceled):
		return memory.Errorf(memory.CodeUnavailable, "the call was cancelled")
	}
	return memory.Public(err)
}

// log writes one line for each call. It has the cause of an error only if the error is the server's
// fault, because messages about a caller's mistakes may quote the caller's text.
func (c Calls) log(ctx context.Context, tool string, took time.Duration, code memory.Code, err error) {
	attrs := []slog.Attr{slog.String("tool", tool), slog.Duration("took", took)}
	level := slog.LevelDebug
	if code != "" {
		attrs = append(attrs, slog.String("code", string(code)))
		level = severity[code]
	}
	if code == memory.CodeInternal || code == memory.CodeUnavailable {
		attrs = append(attrs, slog.String("cause", cause(err)))
	}
	c.Log.LogAttrs(context.WithoutCancel(ctx), level, "tool call", attrs...)
}

// cause is the text of an error for the log, including what a memory.Error hides from callers.
func cause(err error) string {
	text := err.Error()
	var known *memory.Error
	if errors.As(err, &known) && known.Err != nil {
		text += ": " + known.Err.Error()
	}
	return text
}
