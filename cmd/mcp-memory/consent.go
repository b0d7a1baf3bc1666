package main

import (
	"context"

	"mcp-memory/link"
	"mcp-memory/memory"
	"mcp-memory/server"
	"mcp-memory/tools"
)

// hostUser asks the user of the host at stdin, for links.
type hostUser struct{ server *server.Server }

var _ link.User = hostUser{}

// CanAsk implements [link.User].
func (u hostUser) CanAsk() bool { return u.server.CanAskUser() }

// AskToShare implements [link.User].
func (u hostUser) AskToShare(ctx context.Context, l memory.Link) (link.Decision, error) {
	answer, err := u.server.AskUser(ctx, tools.ShareQuestion(l, link.Offer{}))
	switch answer {
	case tools.Agreed:
		return link.Agreed, err
	case tools.Refused:
		return link.Refused, err
	}
	return link.Undecided, err
}
