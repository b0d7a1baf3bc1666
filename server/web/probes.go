package web

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"mcp-memory/access"
	"mcp-memory/server"
)

// health answers "ok" as long as the process runs.
func (s *Server) health(x *exchange) *refusal {
	x.send(http.StatusOK, "text/plain; charset=utf-8", []byte("ok"))
	return nil
}

// readiness answers whether calls can be served.
func (s *Server) readiness(x *exchange) *refusal {
	also, err := "", error(nil)
	if s.opts.Ready != nil {
		also, err = s.opts.Ready(x.r.Context())
	}
	if s.closing.Load() || err != nil {
		x.send(http.StatusServiceUnavailable, "text/plain; charset=utf-8", []byte("not ready"))
		return nil
	}
	x.send(http.StatusOK, "text/plain; charset=utf-8", []byte(strings.TrimSpace("ready\n"+also)))
	return nil
}

// metadata serves the OAuth metadata that tells clients where to get tokens (RFC 9728).
func (s *Server) metadata(x *exchange) *refusal {
	data, err := json.Marshal(mcpserver.ProtectedResourceMetadataConfig{
		Resource: x.base() + mcpPath, AuthorizationServers: s.opts.Issuers,
		BearerMethodsSupported: []string{"header"}, ResourceName: s.server.Options().Title,
	})
	if err != nil {
		return &refusal{status: http.StatusInternalServerError, code: mcp.INTERNAL_ERROR, text: "internal: there is no metadata"}
	}
	x.send(http.StatusOK, "application/json", data)
	return nil
}

// metrics shows the state of the server, of which a token for some projects is told nothing.
func (s *Server) metrics(x *exchange) *refusal {
	if ctx := x.r.Context(); !access.IsOperator(ctx) {
		if why := access.Refusal(ctx, "/metrics", false, access.WholeBank); why != nil {
			return refuse(http.StatusForbidden, why.Error())
		}
	}
	gauges := []server.Gauge{
		{Name: "mcp_memory_sessions", Value: float64(s.sessions.count())},
		{Name: "mcp_memory_connections", Value: float64(s.connections.count())},
	}
	if s.opts.Metrics != nil {
		more, err := s.opts.Metrics(x.r.Context())
		if err != nil {
			s.log.WarnContext(x.r.Context(), "measure", "error", err)
		}
		gauges = append(gauges, more...)
	}
	var text bytes.Buffer
	s.requests.WritePrometheus(&text)
	s.server.WriteMetrics(&text, gauges)
	x.send(http.StatusOK, "text/plain; version=0.0.4; charset=utf-8", text.Bytes())
	return nil
}
