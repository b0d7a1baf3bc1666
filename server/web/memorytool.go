package web

import "net/http"

// memoryTool answers one call of the memory tool that model APIs define.
func (s *Server) memoryTool(x *exchange) *refusal {
	data, why := x.readBody(s.server.Options().MaxLine)
	if why != nil {
		return why
	}
	_ = x.control.SetReadDeadline(never) // a ResponseRecorder in tests has no deadlines
	x.whole = true
	x.send(http.StatusOK, "application/json", s.opts.MemoryTool(x.r.Context(), x.Header().Get("X-Request-Id"), data))
	return nil
}
