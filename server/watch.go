package server

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"mcp-memory/access"
	"mcp-memory/memory"
	"mcp-memory/tools"
)

// Auditor notes calls that may change something.
type Auditor interface {
	// Begin returns the context that the call is to be made with. The request
	// is an id that the log has as well.
	Begin(ctx context.Context, tool, request string) context.Context
	// End gets that context back when the call is over, with the code of its
	// error or "". Its own error is that the call could not be noted.
	End(ctx context.Context, code string) error
}

// watch is around every tool call: it refuses what an identity may not do,
// keeps the audit log of calls over HTTP, and counts.
func (s *Server) watch(next mcpserver.ToolHandlerFunc) mcpserver.ToolHandlerFunc {
	return func(ctx context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		begun, tool := time.Now(), request.Params.Name
		s.working.add(1)
		defer s.working.add(-1)
		end := func(string) {}
		if s.opts.Trace != nil {
			ctx, end = s.opts.Trace(ctx, tool)
		}
		result, err := s.watched(ctx, tool, func(ctx context.Context) (*mcp.CallToolResult, error) {
			leave, ok := s.enter(ctx, tool)
			if !ok {
				return tools.Failure(memory.Errorf(memory.CodeUnavailable, "the call was cancelled")), nil
			}
			defer leave()
			return next(ctx, request)
		})
		code := codeOf(result, err)
		end(code)
		s.meter.call(tool, code, time.Since(begun))
		return result, err
	}
}

func (s *Server) watched(ctx context.Context, tool string, call func(context.Context) (*mcp.CallToolResult, error)) (*mcp.CallToolResult, error) {
	if _, overHTTP := access.From(ctx); !overHTTP {
		return call(ctx)
	}
	audited := s.opts.Audit != nil && s.specs[tool].Effect != tools.Read
	if audited {
		ctx = s.opts.Audit.Begin(ctx, tool, requestID(ctx))
	}
	var result *mcp.CallToolResult
	var err error
	if refused := s.specs[tool].Refusal(ctx); refused != nil {
		result = tools.Failure(refused)
	} else {
		result, err = call(ctx)
	}
	if audited {
		if failed := s.opts.Audit.End(ctx, codeOf(result, err)); failed != nil {
			s.log.ErrorContext(ctx, "audit a call", "tool", tool, "error", failed)
		}
	}
	return result, err
}

// enter waits until a call may begin. Questions are work for the processor and
// share the database's connections: more at once than there are processors
// make each slower and none faster, and beyond some number all of them stall.
// What changes something waits for its turn at the database.
func (s *Server) enter(ctx context.Context, tool string) (leave func(), ok bool) {
	if s.specs[tool].Effect != tools.Read {
		return func() {}, true
	}
	select {
	case s.reading <- struct{}{}:
		return func() { <-s.reading }, true
	case <-ctx.Done():
		return nil, false
	}
}

// listAllowed leaves tools out of a list that the caller may not use. The
// library's WithToolFilter would also refuse their calls, but as a protocol
// error that no model gets to see, and before the call is audited and counted.
func (s *Server) listAllowed(ctx context.Context, _ any, _ *mcp.ListToolsRequest, result *mcp.ListToolsResult) {
	result.Tools = slices.DeleteFunc(slices.Clone(result.Tools), func(t mcp.Tool) bool { return s.specs[t.Name].Refusal(ctx) != nil })
}

// codeOf returns the code of a call's error, "" for none.
func codeOf(result *mcp.CallToolResult, err error) string {
	switch {
	case err != nil || result == nil:
		return string(memory.CodeInternal)
	case !result.IsError:
		return ""
	}
	if len(result.Content) > 0 {
		if text, ok := result.Content[0].(mcp.TextContent); ok {
			code, _, _ := strings.Cut(text.Text, ":")
			if slices.Contains(memory.Codes(), memory.Code(code)) {
				return code
			}
		}
	}
	return string(memory.CodeInternal)
}

type requestKey struct{}

// requestID returns the id of the HTTP request that a call belongs to, or "".
func requestID(ctx context.Context) string {
	id, _ := ctx.Value(requestKey{}).(string)
	return id
}

// named adds to log lines who made the request and which one it was.
type named struct{ slog.Handler }

// Handle implements [slog.Handler].
func (h named) Handle(ctx context.Context, r slog.Record) error {
	if id := requestID(ctx); id != "" {
		r.AddAttrs(slog.String("request", id))
	}
	if i, ok := access.From(ctx); ok {
		r.AddAttrs(slog.String("agent", i.Agent))
	}
	return h.Handler.Handle(ctx, r)
}

// WithAttrs implements [slog.Handler].
func (h named) WithAttrs(attrs []slog.Attr) slog.Handler { return named{h.Handler.WithAttrs(attrs)} }

// WithGroup implements [slog.Handler].
func (h named) WithGroup(name string) slog.Handler { return named{h.Handler.WithGroup(name)} }
