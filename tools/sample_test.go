package tools

import (
	"context"
	"encoding/json"
	"time"

	"mcp-memory/access"
	"mcp-memory/memory"
)

// sampleScope is embedded, as inputs share their scope.
type sampleScope struct {
	Project string    `json:"project,omitempty" desc:"only this project"`
	Since   time.Time `json:"since,omitzero" desc:"not before"`
}

func (s sampleScope) project() *string { return &s.Project }

// sampleScopeOf is ann's bank.
func sampleScopeOf(_ context.Context, project *string) (memory.Scope, error) {
	scope := memory.Scope{Agent: "ann", Session: "one"}
	if project != nil {
		scope.Project = *project
	}
	return scope, nil
}

type sampleMessage struct {
	Role    memory.Role `json:"role" desc:"who speaks" required:"true"`
	Content string      `json:"content" desc:"what is said" maxlen:"64"`
}

type sampleIn struct {
	Query string `json:"query" desc:"what to look for" required:"true" maxlen:"32"`
	sampleScope
	Kinds    []memory.Kind   `json:"kinds,omitempty" desc:"kinds of record" enum:"+turn"`
	In       []memory.Corpus `json:"in,omitempty" desc:"where to look" default:"memories,conversations"`
	Mode     string          `json:"mode,omitempty" desc:"how" enum:"fast,exact" default:"fast"`
	Limit    int             `json:"limit,omitempty" desc:"how many" default:"10" min:"1" max:"100"`
	Least    *float64        `json:"least,omitempty" desc:"lowest score" min:"0" max:"1"`
	Explain  bool            `json:"explain,omitempty" desc:"say why"`
	Pinned   *bool           `json:"pinned,omitempty" desc:"pinned or not"`
	IDs      []string        `json:"ids,omitempty" desc:"ids" maxitems:"3"`
	Metadata json.RawMessage `json:"metadata,omitempty" desc:"anything"`
	Messages []sampleMessage `json:"messages,omitempty" desc:"a conversation"`
}

type sampleHit struct {
	ID    string      `json:"id"`
	Kind  memory.Kind `json:"kind" enum:"+turn"`
	Score float64     `json:"score"`
	At    time.Time   `json:"at"`
	Until time.Time   `json:"until,omitzero"`
	Tags  []string    `json:"tags"`
}

type sampleOut struct {
	Results []sampleHit     `json:"results"`
	Counts  map[string]int  `json:"counts"`
	Extra   json.RawMessage `json:"extra"`
	Note    string          `json:"note,omitempty"`
	Why     *sampleHit      `json:"why,omitempty"`
}

type empty struct{}

func sampleFind(_ context.Context, _ memory.Scope, in sampleIn) (*sampleOut, string, error) {
	berlin := time.FixedZone("", 3600)
	hit := sampleHit{ID: in.Query, Kind: memory.KindTurn, Score: 0.5, At: time.Date(2026, 3, 1, 12, 0, 0, 0, berlin)}
	return &sampleOut{Results: []sampleHit{hit}, Why: &hit}, "", nil
}

// sampleTools are a fleet of their own, with one tool for every way to end.
func sampleTools() []Tool {
	fail := func(err error) func(context.Context, memory.Scope, empty) (*empty, string, error) {
		return func(context.Context, memory.Scope, empty) (*empty, string, error) { return nil, "", err }
	}
	return []Tool{
		Define(Spec{"sample_find", "Find", "Finds things. Use it to find | them.", Core, Read, access.WholeBank, false, false}, sampleFind),
		Define(Spec{"sample_missing", "Missing", "Never finds.", Soul, Read, access.WholeBank, false, false},
			fail(memory.Errorf(memory.CodeNotFound, "no such thing").WithHint("look elsewhere"))),
		Define(Spec{"sample_leak", "Leak", "Fails inside.", Soul, Add, access.WholeBank, false, false},
			fail(&json.UnsupportedValueError{Str: "/secret/path"})),
		Define(Spec{"sample_panic", "Panic", "Panics.", Diary, Change, access.WholeBank, false, false},
			func(context.Context, memory.Scope, empty) (*empty, string, error) { panic("/secret/path") }),
		Define(Spec{"sample_slow", "Slow", "Waits for its context.", Todo, Read, access.WholeBank, false, false},
			func(ctx context.Context, _ memory.Scope, _ empty) (*empty, string, error) {
				<-ctx.Done()
				return nil, "", ctx.Err()
			}),
		Define(Spec{"sample_write", "Write", "Writes, whoever listens.", Todo, Destroy, access.WholeBank, false, false},
			func(ctx context.Context, _ memory.Scope, _ empty) (*struct {
				Cancelled bool `json:"cancelled"`
			}, string, error) {
				out := struct {
					Cancelled bool `json:"cancelled"`
				}{ctx.Err() != nil}
				return &out, "written", nil
			}),
	}
}
