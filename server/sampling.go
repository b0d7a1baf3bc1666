package server

import (
	"context"
	"errors"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
)

// CanSample reports whether the client at stdin and stdout declared in the handshake that the
// server may use its model. Clients over HTTP are not asked: there one process may serve many
// agents, and a text must not reach the model of another agent.
func (s *Server) CanSample() bool {
	host := s.attached()
	return host != nil && host.GetClientCapabilities().Sampling != nil
}

// Sample asks the model of the client at stdin and stdout, whose user may have to agree, until ctx
// is done. It fails if [Server.CanSample] is false.
func (s *Server) Sample(ctx context.Context, system, user string, maxTokens int) (string, error) {
	host := s.attached()
	if host == nil || !s.CanSample() {
		return "", errors.New("the client does not lend its model")
	}
	result, err := host.RequestSampling(ctx, mcp.CreateMessageRequest{CreateMessageParams: mcp.CreateMessageParams{
		SystemPrompt: system, MaxTokens: maxTokens,
		Messages: []mcp.SamplingMessage{{Role: mcp.RoleUser, Content: mcp.NewTextContent(user)}},
	}})
	if err != nil {
		return "", err
	}
	return textOf(result.Content), nil
}

// textOf returns the text of a sampled content, which is one piece or a list of pieces.
func textOf(content any) string {
	switch c := content.(type) {
	case mcp.TextContent:
		return c.Text
	case []mcp.Content:
		var b strings.Builder
		for _, piece := range c {
			b.WriteString(textOf(piece))
		}
		return b.String()
	}
	return ""
}
