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

// DefaultTimeout is how long a call may take unless [Calls] says otherwise.
const DefaultTimeout = 60 * time.Second

// Calls says how the tools of a fleet are called. The zero value is usable.
type Calls struct {
	Timeout time.Duration // of one call; 0 is [DefaultTimeout]
	Log     *slog.Logger  // nil logs nothing; never gets arguments or memory text
	// Observe is told of each call when it is over: the code of its error or "",
	// and how long it took. ctx has the values of the request's. Nil is nobody.
	Observe func(ctx context.Context, tool string, code memory.Code, took time.Duration)
	// Shared is where questions are kept for other servers, which may get the answers;
	// nil keeps them in this process.
	Shared memory.Shared
}

// Register adds the fleet's tools to s. Every call goes the one path that the
// package document describes. A call that changes something is detached from
// its request: when the caller cancels or hangs up it is finished all the same,
// within its own deadline, so that no commit is left half-way.
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

// alwaysLoad is what Claude Code looks for, which else puts tools behind a search.
const alwaysLoad = "anthropic/alwaysLoad"

// handler never returns an error: the library would make a protocol error of
// it, which models do not get to see.
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

// rawArguments returns the arguments as they came, or what a caller inside the
// process gave instead.
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

// log writes a line for each call. The cause goes with it only where it is our
// fault; a caller's mistakes may quote what the caller wrote.
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

// cause is what an error says to the log: with a memory.Error also what it hides.
func cause(err error) string {
	text := err.Error()
	var known *memory.Error
	if errors.As(err, &known) && known.Err != nil {
		text += ": " + known.Err.Error()
	}
	return text
}
