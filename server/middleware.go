package server

import (
	"context"
	"slices"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"mcp-memory/access"
	"mcp-memory/memory"
	"mcp-memory/tools"
)

// toolCall is a tool call in progress, shared by the middleware and observe through its context.
type toolCall struct {
	tool   string
	waited time.Duration // time before the call could begin
	code   memory.Code   // of its error, once it is over
}

type toolCallKey struct{}

// middleware wraps every tool call: it refuses what an identity may not do, writes the audit log
// for calls over HTTP, and counts calls.
func (s *Server) middleware(next mcpserver.ToolHandlerFunc) mcpserver.ToolHandlerFunc {
	return func(ctx context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		begun, call := time.Now(), &toolCall{tool: request.Params.Name, code: memory.CodeInternal}
		s.inflight.add(1)
		defer s.inflight.add(-1)
		end := func(string) {}
		if s.opts.Trace != nil {
			ctx, end = s.opts.Trace(ctx, call.tool)
		}
		ctx = context.WithValue(ctx, toolCallKey{}, call)
		result, err := s.audited(ctx, call, func(ctx context.Context) (*mcp.CallToolResult, error) {
			leave, ok := s.enter(ctx, call.tool)
			call.waited = time.Since(begun)
			if !ok {
				return s.fail(ctx, call, memory.Errorf(memory.CodeUnavailable, "the call was cancelled")), nil
			}
			defer leave()
			return next(ctx, request)
		})
		end(string(call.code))
		return result, err
	}
}

// observe counts a finished call, and keeps the code of its error for the audit log and the trace.
func (s *Server) observe(ctx context.Context, tool string, code memory.Code, took time.Duration) {
	if call, ok := ctx.Value(toolCallKey{}).(*toolCall); ok {
		call.code = code
		took += call.waited
	}
	s.metrics.call(tool, string(code), took)
}

// fail returns the result of a call that was refused before the tool was called, and counts it.
func (s *Server) fail(ctx context.Context, call *toolCall, err *memory.Error) *mcp.CallToolResult {
	s.observe(ctx, call.tool, err.Code, 0)
	return tools.Failure(err)
}

// audited makes a call unless its identity may not. Calls over HTTP of tools that change something
// are put into the audit log.
func (s *Server) audited(ctx context.Context, call *toolCall,
	next func(context.Context) (*mcp.CallToolResult, error)) (*mcp.CallToolResult, error) {
	if _, overHTTP := access.From(ctx); !overHTTP {
		return next(ctx)
	}
	var result *mcp.CallToolResult
	var err error
	spec, auditor := s.specs[call.tool], s.opts.Audit
	if spec.Effect == tools.Read {
		auditor = nil
	}
	access.Audited(ctx, auditor, s.log, call.tool, requestID(ctx), func(ctx context.Context) memory.Code {
		if refused := spec.Refusal(ctx); refused != nil {
			result = s.fail(ctx, call, refused)
		} else {
			result, err = next(ctx)
		}
		return call.code
	})
	return result, err
}

// enter waits until a call may begin. Only reads are limited: they use the processor and share the
// database's connections, so more of them than processors make each one slower and none faster, and
// many more stall all of them. Writes already take turns at the database.
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

// listAllowed removes the tools that the caller may not use from a list. The library's
// WithToolFilter would also refuse calls of them, but as a protocol error, which models do not see,
// and before the call is audited and counted.
func (s *Server) listAllowed(ctx context.Context, _ any, _ *mcp.ListToolsRequest, result *mcp.ListToolsResult) {
	result.Tools = slices.DeleteFunc(slices.Clone(result.Tools), func(t mcp.Tool) bool { return s.specs[t.Name].Refusal(ctx) != nil })
}
