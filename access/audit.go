package access

import (
	"context"
	"log/slog"

	"mcp-memory/memory"
)

// Auditor notes calls that may change something. [Guard] is one.
type Auditor interface {
	// Begin returns the context that the call is to be made with. The request
	// is an id that the log has as well.
	Begin(ctx context.Context, tool, request string) context.Context
	// End gets that context back when the call is over, with the code of its
	// error or "". Its own error is that the call could not be noted.
	End(ctx context.Context, code string) error
}

// Audited makes a call that may change something, between Begin and End of an auditor;
// without one, which is nil, it only makes it. The call returns the code of its error or
// "". What could not be noted is logged: the call is made by then. A call that panics is
// noted as [memory.CodeInternal].
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
