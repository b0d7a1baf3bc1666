package server

import (
	"context"
	"fmt"

	mcpserver "github.com/mark3labs/mcp-go/server"
)

// Host is the client at stdin and stdout: the program that started the server for its user. It is
// the only client whose model and user the server asks outside of a client's request.
type Host interface {
	mcpserver.SessionWithClientInfo
	mcpserver.SessionWithSampling
	mcpserver.SessionWithElicitation
}

// Attach registers a host's session until detach is called. It fails if a session with that id is
// registered already.
func (s *Server) Attach(ctx context.Context, host Host) (detach func(), err error) {
	if err := s.mcp.RegisterSession(ctx, host); err != nil {
		return nil, fmt.Errorf("register session: %w", err)
	}
	s.host.Store(&host)
	return func() {
		s.host.CompareAndSwap(&host, nil)
		s.mcp.UnregisterSession(context.WithoutCancel(ctx), host.SessionID())
	}, nil
}

// attached returns the host, or nil.
func (s *Server) attached() Host {
	if host := s.host.Load(); host != nil {
		return *host
	}
	return nil
}
