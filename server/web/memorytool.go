package web

import "net/http"

// memoryTool answers one call of the memory tool of model APIs.
func (s *Server) memoryTool(x *exchange) *refusal {
	data, why := x.readBody(s.server.Options().MaxLine)
	if why != nil {
		return why
	}
	_ = x.control.SetReadDeadline(never) // a recorder in a test has none
	x.whole = true
	x.send(http.StatusOK, "application/json", s.opts.MemoryTool(x.r.Context(), x.Header().Get("X-Request-Id"), data))
	return nil
}
