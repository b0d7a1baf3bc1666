package access

import (
	"context"
	"log/slog"

	"mcp-memory/memory"
)

// Auditor logs calls that may change something. [Guard] is one.
type Auditor interface {
	// Begin returns the context with which the call has to be made. request is the id of the HTTP
	// request, which the server's log has as well.
	Begin(ctx context.Context, tool, request string) context.Context
	// End is called with that context when the call is over, with the code of its error or "". It
	// fails if the call could not be logged.
	End(ctx context.Context, code string) error
}

// Audited makes a call that may change something between Begin and End of an auditor, or without
// them if a is nil. call returns the code of its error or "". If End fails, that is only written to
// the log, because the call has been made by then. A call that panics is logged as
// [memory.CodeInternal].
func Audited(ctx context.Context, a Auditor, log *slog.Logger, tool, request string, call func(ctx context.Context) memory.Code) {
	if a == nil {
		call(ctx)
		return
	}
	ctx = a.Begin(ctx, tool, request)
	code := memory.CodeInternal
	defer func() {
		if err := a.End(ctx, string(code)); err != nil {
			log.ErrorContext(ctx, "audit a call", "tool", tool, "error", err)
		}
	}()
	code = call(ctx)
}
