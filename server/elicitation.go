package server

import (
	"context"
	"errors"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-memory/tools"
)

// CanAskUser reports whether the client at stdin and stdout shows forms to its
// user, as it said in the handshake. Clients of the newer era are only asked
// within their own requests, and those over HTTP, where one process serves many
// agents, as well.
func (s *Server) CanAskUser() bool {
	host := s.attached()
	return host != nil && host.Initialized() && tools.ShowsForms(host.GetClientCapabilities())
}

// AskUser asks the user of the client at stdin and stdout, without a request of
// that client, as long as ctx allows. Who closes the form or does not answer in
// time gives [tools.NotAsked]. It fails where [Server.CanAskUser] is false.
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
