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

// Options configure a [Server]. Name, Version and Fleet are required.
type Options struct {
	Name    string // for programs
	Title   string // for people
	Version string
	Fleet   tools.Fleet
	Pages   resources.Pages // resources and prompts; zero is none
	// Instructions returns the text about the server that a host gives its model. It is called at
	// each handshake, so it may have what was learned since the last one; see [MaxInstructions] for
	// its length. Nil means no text. It should take milliseconds, because a client waits for it,
	// for at most [InstructionsTimeout].
	Instructions func(ctx context.Context) string
	// Trace is called at the beginning of each tool call. The function that it returns is called at
	// the end, with the code of the call's error or "". Nil means no tracing.
	Trace func(ctx context.Context, tool string) (context.Context, func(code string))
	// Audit logs changes made over HTTP. Nil logs none.
	Audit       access.Auditor
	Shared      memory.Shared // state shared with other servers on the same database; nil if there are none
	Log         *slog.Logger  // nil logs nothing
	Parallel    int           // reading calls in progress at most; 0 is twice GOMAXPROCS
	CallTimeout time.Duration // of one tool call; 0 is [tools.DefaultTimeout]
	Grace       time.Duration // for calls in progress at shutdown; 0 is [DefaultGrace]
	MaxLine     int           // bytes of one message; 0 is [DefaultMaxLine]
	Poll        time.Duration // interval at which subscribed resources are checked; 0 is [DefaultPoll]
}

// Defaults of [Options].
const (
	DefaultGrace        = 10 * time.Second
	DefaultMaxLine      = 4 << 20
	DefaultPoll         = time.Second
	InstructionsTimeout = 2 * time.Second
)

// toolListTTL is how long a client may cache the list of tools, which does not change while the
// process runs.
const toolListTTL = time.Hour

// Server is an MCP server without a transport. Safe for concurrent use.
type Server struct {
	opts          Options
	mcp           *mcpserver.MCPServer
	log           *slog.Logger
	specs         map[string]tools.Spec // by tool
	metrics       *callMetrics
	inflight      inflight      // tool calls
	reading       chan struct{} // semaphore of calls that read
	subscriptions *subscriptions
	host          atomic.Pointer[Host] // the client at stdin and stdout, if there is one
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

// Options returns the options of the server, with the defaults of Log, Grace, MaxLine and Poll
// filled in. Lines of its log have the agent and the HTTP request.
func (s *Server) Options() Options { return s.opts }

// MCP returns the library's server, which handles the messages of a transport.
func (s *Server) MCP() *mcpserver.MCPServer { return s.mcp }
