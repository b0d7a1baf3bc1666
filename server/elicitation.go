package server

import (
	"context"
	"errors"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-memory/tools"
)

// CanAskUser reports whether the client at stdin and stdout declared in the handshake that it shows
// forms to its user. Clients of the newer era can only be asked within their own requests. The same
// holds for those over HTTP, where one process serves many agents.
func (s *Server) CanAskUser() bool {
	host := s.attached()
	return host != nil && host.Initialized() && tools.ShowsForms(host.GetClientCapabilities())
}

// AskUser asks the user of the client at stdin and stdout, outside of any request of that client,
// until ctx is done. If the user closes the form or does not answer in time, the answer is
// [tools.NotAsked]. It fails if [Server.CanAskUser] is false.
func (s *Server) AskUser(ctx context.Context, message string) (tools.Answer, error) {
	host := s.attached()
	if host == nil || !s.CanAskUser() {
		return tools.NotAsked, errors.New("the client shows no forms")
	}
	result, err := host.RequestElicitation(ctx, mcp.ElicitationRequest{Params: tools.Confirmation(message)})
	if err != nil {
		return tools.NotAsked, err
	}
	switch result.Action {
	case mcp.ElicitationResponseActionAccept:
		return tools.Agreed, nil
	case mcp.ElicitationResponseActionDecline:
		return tools.Refused, nil
	}
	return tools.NotAsked, nil
}
