package server

import (
	"context"
	"log/slog"

	"mcp-memory/access"
)

type requestKey struct{}

// WithRequestID returns a context for the calls of an HTTP request. The lines that they log have
// the request's id.
func WithRequestID(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, requestKey{}, id)
}

// requestID returns the id of the HTTP request that a call belongs to, or "".
func requestID(ctx context.Context) string {
	id, _ := ctx.Value(requestKey{}).(string)
	return id
}

// logHandler adds the HTTP request's id and the agent to log lines.
type logHandler struct{ slog.Handler }

// Handle implements [slog.Handler].
func (h logHandler) Handle(ctx context.Context, r slog.Record) error {
	if id := requestID(ctx); id != "" {
		r.AddAttrs(slog.String("request", id))
	}
	if i, ok := access.From(ctx); ok {
		r.AddAttrs(slog.String("agent", i.Agent))
	}
	return h.Handler.Handle(ctx, r)
}

// WithAttrs implements [slog.Handler].
func (h logHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return logHandler{h.Handler.WithAttrs(attrs)}
}

// WithGroup implements [slog.Handler].
func (h logHandler) WithGroup(name string) slog.Handler { return logHandler{h.Handler.WithGroup(name)} }
