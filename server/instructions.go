package server

import (
	"context"
	"strings"
	"unicode/utf8"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"
)

// MaxInstructions is the length in characters that instructions stay below. Hosts cut longer ones,
// some at 2,048 characters. The server cuts them at the end of a line.
const MaxInstructions = 2000

// hooks puts fresh instructions into the answers to initialize and server/discover, because the
// library's own option takes a fixed text. It also removes from lists what the caller may not use.
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

// instructions returns "" if it fails: a handshake without instructions is better than none.
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

// truncate shortens s to at most limit characters. It cuts after the last whole line that fits, or,
// if that would lose more than half, inside a line with an ellipsis.
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
