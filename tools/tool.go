package tools

import (
	"context"
	"encoding/json"
	"reflect"

	"mcp-memory/access"
	"mcp-memory/consolidate"
	"mcp-memory/contextwindow"
	"mcp-memory/memory"
)

// Spec describes a tool to callers.
type Spec struct {
	Name        string // snake_case, up to 64 characters, unique in a fleet
	Title       string // for people
	Description string // for the model: when to use it; under 2,000 characters
	Group       Group
	Effect      Effect
	Reach       access.Reach // zero is the whole bank
	// Always asks hosts that list most tools by name only to load this one in full, because it is
	// useful before a model would think of searching for it.
	Always bool
	// Memories says that the structured result has memories, as results or records. Hosts that can
	// show a server's pages show such results as a page.
	Memories bool
}

// Refusal returns why the caller may not use the tool, nil if it may; see
// [access.Refusal].
func (s Spec) Refusal(ctx context.Context) *memory.Error {
	return access.Refusal(ctx, s.Name, s.Effect != Read, s.Reach)
}

// Tool is one row of the table; see [Define]. The zero value is no tool.
type Tool struct {
	Spec
	input, output reflect.Type
	call          func(ctx context.Context, scopeOf access.ScopeFunc, in *shape, args json.RawMessage) (any, string, error)
}

// Define makes a tool of a spec and a function. In and Out are structs; the package document
// describes their tags. The function gets the scope of the call and valid input. It returns its
// output and a short text for hosts that show text. With an empty text they get the output as JSON.
// Its errors should be of package memory: any other becomes an internal one that tells the caller
// nothing. Mistakes in a definition are reported by [NewFleet].
func Define[In, Out any](spec Spec, call func(ctx context.Context, scope memory.Scope, in In) (*Out, string, error)) Tool {
	return Tool{
		Spec:   spec,
		input:  reflect.TypeFor[In](),
		output: reflect.TypeFor[Out](),
		call: func(ctx context.Context, scopeOf access.ScopeFunc, shape *shape, args json.RawMessage) (any, string, error) {
			var in In
			if err := decode(shape, args, reflect.ValueOf(&in).Elem()); err != nil {
				return nil, "", err
			}
			var project *string
			if p, ok := any(in).(projected); ok {
				project = p.project()
			}
			scope, err := scopeOf(ctx, project)
			if err != nil {
				return nil, "", err
			}
			out, text, err := call(ctx, scope, in)
			if err != nil {
				return nil, "", err
			}
			return *out, text, nil
		},
	}
}

// projected is an input with an argument project. The method returns the project that the call is
// in, nil for the caller's own. [NewFleet] refuses an input that has only one of the two.
type projected interface{ project() *string }

// Group is a family of tools: a profile for --tools and a section of docs/reference.md.
type Group string

// The groups.
const (
	Core         Group = "core" // what a host gets unless it asks for more
	Context      Group = "context"
	Soul         Group = "soul"
	Episode      Group = "episode"
	Semantic     Group = "semantic"
	Procedure    Group = "procedure"
	Relationship Group = "relationship"
	Diary        Group = "diary"
	Todo         Group = "todo"
	Calendar     Group = "calendar"
	Learning     Group = "learning"
	Link         Group = "link"
	Actions      Group = "actions"
)

// Groups lists every group, in the order in which documents show them.
func Groups() []Group {
	return []Group{
		Core, Context, Soul, Episode, Semantic, Procedure,
		Relationship, Diary, Todo, Calendar, Learning, Link, Actions,
	}
}

// Effect says what a call does to the bank. It decides a tool's annotations, and a call with any
// effect but Read is finished even if the caller cancels it.
type Effect string

// The effects. A memory bank is a closed world, so openWorldHint is false for all of them.
const (
	Read    Effect = "read"    // changes nothing that a caller can see
	Add     Effect = "add"     // only adds; the same call again may add again
	Change  Effect = "change"  // changes what is there, recoverably; the same call again changes nothing more
	Destroy Effect = "destroy" // may remove something for good
)

type hints struct{ readOnly, destructive, idempotent bool }

var effects = map[Effect]hints{
	Read:    {readOnly: true, idempotent: true},
	Add:     {},
	Change:  {idempotent: true},
	Destroy: {destructive: true, idempotent: true},
}

// enums maps named types of inputs and outputs to their values.
var enums = map[reflect.Type][]string{
	reflect.TypeFor[memory.Kind]():   names(memory.Kinds()),
	reflect.TypeFor[memory.Source](): names(memory.Sources()),
	reflect.TypeFor[memory.Corpus](): names(memory.Searchable()),
	reflect.TypeFor[memory.Role]():   names(memory.Roles()),

	reflect.TypeFor[memory.SoulType]():     names(memory.SoulTypes()),
	reflect.TypeFor[memory.LearningType](): names(memory.LearningTypes()),
	reflect.TypeFor[memory.TurnClass]():    names(memory.TurnClasses()),
	reflect.TypeFor[memory.Priority]():     names(memory.Priorities()),
	reflect.TypeFor[memory.TodoStatus]():   names(memory.TodoStatuses()),
	reflect.TypeFor[memory.LinkStatus]():   names(memory.LinkStatuses()),

	reflect.TypeFor[contextwindow.Action]():         names(contextwindow.Actions()),
	reflect.TypeFor[contextwindow.Recommendation](): names(contextwindow.Recommendations()),
	reflect.TypeFor[consolidate.Phase]():            names(consolidate.Phases()),
	reflect.TypeFor[consolidate.Status]():           names(consolidate.Statuses()),
}

func names[T ~string](values []T) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = string(v)
	}
	return out
}
