package hooks

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"
	"time"

	"mcp-memory/actions"
	"mcp-memory/cognition"
	"mcp-memory/contextwindow"
	"mcp-memory/memory"
	"mcp-memory/recall"
	"mcp-memory/resources"
	"mcp-memory/text/injected"
)

// Store is what this package needs of a database.
type Store interface {
	memory.Writer
	memory.WorkingReader
	Apart(ctx context.Context, agent string, ids []string) (memory.Apart, error)      // see memory.Reader
	Records(ctx context.Context, agent string, ids []string) ([]memory.Record, error) // see memory.Reader
}

// Options are what a [Service] is made of. All fields but Actions and Told are needed.
type Options struct {
	Store     Store
	Recall    *recall.Service // should not reinforce what it finds: nobody has asked
	Pages     *resources.Service
	Window    *contextwindow.Service
	Cognition *cognition.Service
	Tokens    memory.TokenCounter
	Clock     memory.Clock
	Log       *slog.Logger
	// ByModel tells that a model extracts facts. It is asked when a session
	// ends, not at the end of each answer.
	ByModel bool
	// Extract finds the facts that [Service.Rehearse] shows.
	Extract memory.Summarizer
	// Actions stores what was done and finds it again; nil for no actions.
	Actions *actions.Service
	// Warn turns on warnings before a tool is used: what went wrong with the
	// same command, or is known about the file.
	Warn bool
	// Told, if not nil, is called with what was shown; it must not block.
	Told func(scope memory.Scope, via, query string, ids []string, tokens int)
	// Lock lets only one caller, in all processes, read a session's transcript
	// until it calls unlock. ok is false if another caller waits for the lock
	// already, which will read everything.
	Lock func(ctx context.Context, session string) (unlock func(), ok bool)
}

// Service answers hooks. Safe for concurrent use.
type Service struct {
	Options
	store Store
	clock memory.Clock
	lag   time.Duration // how long a transcript may be behind what the host says
}

// New returns a service.
func New(o Options) *Service { return &Service{o, o.Store, o.Clock, 3 * time.Second} }

// Answer is what a hook has to show.
type Answer struct {
	Text string // in its element; empty: show nothing
	// Note stores that the text was shown; to be called after that; may be nil.
	Note func(ctx context.Context) error
}

// Background reports whether no host waits for the result of a call, which is
// then for [Service.Capture]. Other calls are for [Service.Show].
func (c Call) Background() bool {
	switch c.Event {
	case Stop, SessionEnd, PreCompact, ToolFailed:
		return true
	}
	return false
}

// Nothing reports whether there is nothing to do for a call.
func (c Call) Nothing() bool {
	switch c.Event {
	case Other, ToolDone:
		return true
	case Stop, Prompt:
		return c.Agent != "" // a sub-agent's prompt is not from the user
	case ToolFailed:
		return c.Tool.Interrupted || c.Tool.Name == "" || c.Tool.Error == ""
	}
	return false
}

// Patience returns how long a host waits for what a call shows.
func (c Call) Patience() time.Duration {
	if c.Event == SessionStart {
		return 10 * time.Second
	}
	return 300 * time.Millisecond
}

// Show returns what to show for a call. Nothing is written before [Answer.Note]
// is called.
func (s *Service) Show(ctx context.Context, scope memory.Scope, c Call) (Answer, error) {
	s.name(&c)
	var text string
	var ids []string
	var err error
	switch c.Event {
	case SessionStart:
		text, ids, err = s.start(ctx, scope)
	case Prompt:
		text, ids, err = s.prompt(ctx, scope, c)
	case ToolUse:
		text, ids, err = s.tool(ctx, scope, c)
	default:
		return Answer{}, nil
	}
	if err != nil {
		return Answer{}, err
	}
	if text != "" {
		text = injected.Recall(text)
	}
	if c.Event == ToolUse && text == "" {
		return Answer{}, nil // tools are used often, so nothing is noted either
	}
	return Answer{Text: text, Note: func(ctx context.Context) error {
		if s.Told != nil && text != "" {
			to := scope
			to.Session = c.Session
			memories := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return strings.HasPrefix(id, actions.ActionID) })
			s.Told(to, "hook "+string(c.Event), asked(c), memories, s.Tokens.Count(text))
		}
		return s.note(ctx, scope, c, ids)
	}}, nil
}

// Open notes that a session began, or the prompt that began it, for
// [Service.CatchUp].
func (s *Service) Open(ctx context.Context, scope memory.Scope, c Call) error {
	s.name(&c)
	return s.note(ctx, scope, c, nil)
}

// note stores what a call has shown, and its prompt if no transcript will have
// it.
func (s *Service) note(ctx context.Context, scope memory.Scope, c Call, ids []string) error {
	return s.keep(ctx, scope, c, true, func(one *session) {
		if c.Event == SessionStart && (c.Source == "compact" || c.Source == "clear") {
			one.Shown = nil // the model's context no longer has it
		}
		one.show(ids)
		if c.Event == Prompt && !c.sends() && !regular(c.Transcript) && remembered(c) {
			one.say(c, memory.RoleUser, c.Prompt, s.clock.Now())
		}
	})
}

// name gives a name to the session of a call without one: all calls of a host
// in one directory on one day are one session.
func (s *Service) name(c *Call) {
	if c.Session == "" {
		c.Session = fmt.Sprintf("%s-%s-%s", c.Host, s.clock.Day(s.clock.Now()), memory.SessionTag(c.Dir))
	}
}

// regular reports whether path is a regular file. Reading anything else may
// never end.
func regular(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
