package server

import (
	"context"
	"log/slog"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"mcp-memory/tools"
)

// Options are what a server is made of. Name, Version and Fleet are needed.
type Options struct {
	Name    string // for programs
	Title   string // for people
	Version string
	Fleet   tools.Fleet
	// Instructions returns what a host tells its model about the server. It is
	// asked at each handshake, so it may hold what was learned since; see
	// [MaxInstructions]. Nil is none. It should take milliseconds: a client
	// waits for it, though at most [InstructionsTimeout].
	Instructions func(ctx context.Context) string
	Log          *slog.Logger  // nil logs nothing
	CallTimeout  time.Duration // of one tool call; 0 is [tools.DefaultTimeout]
	Grace        time.Duration // for the call in hand at shutdown; 0 is [DefaultGrace]
	MaxLine      int           // bytes of one message; 0 is [DefaultMaxLine]
}

// Defaults of [Options].
const (
	DefaultGrace        = 10 * time.Second
	DefaultMaxLine      = 4 << 20
	InstructionsTimeout = 2 * time.Second
)

// toolListTTL is how long a client may keep the list of tools, which does not
// change while the process lives.
const toolListTTL = time.Hour

// Server is an MCP server without a transport; each Serve method is one. Safe
// for concurrent use.
type Server struct {
	opts Options
	mcp  *mcpserver.MCPServer
	log  *slog.Logger
}

// New makes a server of its options.
func New(opts Options) *Server {
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	if opts.Grace <= 0 {
		opts.Grace = DefaultGrace
	}
	if opts.MaxLine <= 0 {
		opts.MaxLine = DefaultMaxLine
	}
	s := &Server{opts: opts, log: opts.Log}
	s.mcp = mcpserver.NewMCPServer(opts.Name, opts.Version,
		mcpserver.WithTitle(opts.Title),
		mcpserver.WithToolCapabilities(false),
		mcpserver.WithRecovery(),
		mcpserver.WithResourceRecovery(),
		mcpserver.WithMethodCacheHints(mcp.MethodToolsList, toolListTTL.Milliseconds(), mcp.CacheScopePrivate),
		mcpserver.WithHooks(s.instructionHooks()),
	)
	opts.Fleet.Register(s.mcp, tools.Calls{Timeout: opts.CallTimeout, Log: opts.Log})
	return s
}

// MCP returns the library's server, for the transports that it has and for
// resources and prompts.
func (s *Server) MCP() *mcpserver.MCPServer { return s.mcp }
