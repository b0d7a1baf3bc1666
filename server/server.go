package server

import (
	"context"
	"log/slog"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"mcp-memory/access"
	"mcp-memory/memory"
	"mcp-memory/resources"
	"mcp-memory/tools"
)

// Options are what a server is made of. Name, Version and Fleet are needed.
type Options struct {
	Name    string // for programs
	Title   string // for people
	Version string
	Fleet   tools.Fleet
	Pages   resources.Pages // resources and prompts; zero is none
	// Instructions returns what a host tells its model about the server. It is
	// asked at each handshake, so it may hold what was learned since; see
	// [MaxInstructions]. Nil is none. It should take milliseconds: a client
	// waits for it, though at most [InstructionsTimeout].
	Instructions func(ctx context.Context) string
	// Trace is told of each tool call when it begins, and by the function that
	// it returns when it is over, with the code of its error or "". Nil is none.
	Trace func(ctx context.Context, tool string) (context.Context, func(code string))
	// Audit notes what is changed over HTTP; nil notes nothing.
	Audit       access.Auditor
	Shared      memory.Shared // what other servers on the database have to know; nil where there are none
	Log         *slog.Logger  // nil logs nothing
	Parallel    int           // calls that read at once; 0 is twice the processors
	CallTimeout time.Duration // of one tool call; 0 is [tools.DefaultTimeout]
	Grace       time.Duration // for the call in hand at shutdown; 0 is [DefaultGrace]
	MaxLine     int           // bytes of one message; 0 is [DefaultMaxLine]
	Poll        time.Duration // between looks at resources that are subscribed to; 0 is [DefaultPoll]
}

// Defaults of [Options].
const (
	DefaultGrace        = 10 * time.Second
	DefaultMaxLine      = 4 << 20
	DefaultPoll         = time.Second
	InstructionsTimeout = 2 * time.Second
)

// toolListTTL is how long a client may keep the list of tools, which does not
// change while the process lives.
const toolListTTL = time.Hour

// Server is an MCP server without a transport. Safe for concurrent use.
type Server struct {
	opts          Options
	mcp           *mcpserver.MCPServer
	log           *slog.Logger
	specs         map[string]tools.Spec // by tool
	metrics       *callMetrics
	inflight      inflight      // tool calls
	reading       chan struct{} // holds one for each call that reads
	subscriptions *subscriptions
	host          atomic.Pointer[Host] // at stdin and stdout
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
	if opts.Poll <= 0 {
		opts.Poll = DefaultPoll
	}
	opts.Log = slog.New(logHandler{opts.Log.Handler()})
	s := &Server{opts: opts, log: opts.Log, specs: map[string]tools.Spec{}, metrics: newCallMetrics()}
	if opts.Parallel <= 0 {
		opts.Parallel = 2 * runtime.GOMAXPROCS(0)
	}
	s.reading = make(chan struct{}, opts.Parallel)
	for _, spec := range opts.Fleet.Specs() {
		s.specs[spec.Name] = spec
	}
	s.subscriptions = newSubscriptions(s)
	s.mcp = mcpserver.NewMCPServer(opts.Name, opts.Version, append(s.pageOptions(),
		mcpserver.WithTitle(opts.Title),
		mcpserver.WithToolCapabilities(false),
		mcpserver.WithRecovery(),
		mcpserver.WithResourceRecovery(),
		mcpserver.WithMethodCacheHints(mcp.MethodToolsList, toolListTTL.Milliseconds(), mcp.CacheScopePrivate),
		mcpserver.WithToolHandlerMiddleware(s.middleware),
		mcpserver.WithHooks(s.hooks()),
	)...)
	opts.Fleet.Register(s.mcp, tools.Calls{Timeout: opts.CallTimeout, Log: opts.Log, Observe: s.observe, Shared: opts.Shared})
	s.addPages()
	return s
}

// Options returns what the server was made of, with the defaults filled in. Its
// log names who made a request and which one it was.
func (s *Server) Options() Options { return s.opts }

// MCP returns the library's server, which handles the messages of a transport.
func (s *Server) MCP() *mcpserver.MCPServer { return s.mcp }
