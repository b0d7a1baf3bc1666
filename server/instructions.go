package server

import (
	"context"
	"strings"
	"unicode/utf8"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"
)

// MaxInstructions is what instructions stay below, in characters. Hosts cut
// longer ones, some at 2,048; we cut them where a line ends.
const MaxInstructions = 2000

// hooks puts fresh instructions into the answers of both eras (the library's
// own option takes a fixed text), and leaves out of lists what the caller may
// not use.
func (s *Server) hooks() *mcpserver.Hooks {
	hooks := &mcpserver.Hooks{}
	hooks.AddAfterListTools(s.listAllowed)
	hooks.AddAfterListTools(s.linkApps)
	hooks.AddAfterInitialize(func(ctx context.Context, _ any, _ *mcp.InitializeRequest, result *mcp.InitializeResult) {
		result.Instructions = s.instructions(ctx)
	})
	hooks.AddAfterDiscover(func(ctx context.Context, _ any, _ *mcp.DiscoverRequest, result *mcp.DiscoverResult) {
		result.Instructions = s.instructions(ctx)
	})
	s.pageHooks(hooks)
	return hooks
}

// instructions never fails: a handshake without them is better than none.
func (s *Server) instructions(ctx context.Context) (text string) {
	if s.opts.Instructions == nil {
		return ""
	}
	defer func() {
		if p := recover(); p != nil {
			s.log.Error("instructions", "panic", p)
			text = ""
		}
	}()
	ctx, cancel := context.WithTimeout(ctx, InstructionsTimeout)
	defer cancel()
	return truncate(strings.ToValidUTF8(s.opts.Instructions(ctx), "\uFFFD"), MaxInstructions-1)
}

// truncate shortens s to at most limit characters: after the last line that
// fits whole, or if that loses more than half, inside a line with an ellipsis.
func truncate(s string, limit int) string {
	if utf8.RuneCountInString(s) <= limit {
		return s
	}
	cut := 0 // byte offset after limit-1 characters, to leave room for the ellipsis
	for range limit - 1 {
		_, size := utf8.DecodeRuneInString(s[cut:])
		cut += size
	}
	if line := strings.LastIndexByte(s[:cut+1], '\n'); line > cut/2 {
		return s[:line]
	}
	return s[:cut] + "…"
}
