package tools

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"mcp-memory/access"
	"mcp-memory/internal/golden"
	"mcp-memory/memory"
)

func sampleFleet(t testing.TB) Fleet {
	t.Helper()
	f, err := NewFleet(sampleScopeOf, sampleTools()...)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestSnapshots(t *testing.T) {
	f := sampleFleet(t)
	snapshots(t, f, "sample")
	golden.Compare(t, "testdata/sample/README.md", []byte(f.Markdown()))
	for _, r := range f.rows {
		portable(t, schemaOf(r.in, false).raw())
		portable(t, schemaOf(r.out, true).raw())
	}
	if _, err := f.Snapshot("nothing"); memory.CodeOf(err) != memory.CodeNotFound {
		t.Errorf("a snapshot of nothing: %v", err)
	}
}

// What the decoder fills in must be what the schema promises, and what the
// schema refuses the decoder must refuse too.
func TestDefaultsFitTheSchema(t *testing.T) {
	f := sampleFleet(t)
	fits(t, schemaOf(f.rows[0].in, false).raw(),
		[]byte(`{"query":"q","limit":10,"mode":"fast","in":["memories","conversations"],"kinds":["turn"]}`))
}

func TestNewFleetInspects(t *testing.T) {
	good := Spec{"a_tool", "A tool", "Does a thing.", Core, Read, access.WholeBank, false, false}
	run := func(context.Context, memory.Scope, empty) (*empty, string, error) { return &empty{}, "", nil }
	with := func(change func(*Spec)) Tool {
		s := good
		change(&s)
		return Define(s, run)
	}
	for want, tools := range map[string][]Tool{
		"snake_case":           {with(func(s *Spec) { s.Name = "aTool" })},
		"up to 64":             {with(func(s *Spec) { s.Name = strings.Repeat("a", 65) })},
		"no title":             {with(func(s *Spec) { s.Title = "" })},
		"description is empty": {with(func(s *Spec) { s.Description = strings.Repeat("é", 2000) })},
		`no group "x"`:         {with(func(s *Spec) { s.Group = "x" })},
		`no effect ""`:         {with(func(s *Spec) { s.Effect = "" })},
		"two of this name":     {Define(good, run), Define(good, run)},
		"not made by Define":   {{Spec: good}},
		"q has no description": {defineIn[struct {
			Q string `json:"q"`
		}](good)},
		"Q has no json name": {defineIn[struct{ Q string }](good)},
		"no portable schema": {defineIn[struct {
			Q any `json:"q" desc:"d"`
		}](good)},
		"project is there twice": {defineIn[twice](good)},
		"is not a number": {defineIn[struct {
			Q int `json:"q" desc:"d" min:"x"`
		}](good)},
		"q: default 7": {defineIn[struct {
			Q int `json:"q" desc:"d" default:"7" max:"5"`
		}](good)},
		"required and has": {defineIn[struct {
			Q int `json:"q" desc:"d" default:"7" required:"true"`
		}](good)},
		"needs a method project": {defineIn[struct {
			Project *string `json:"project" desc:"d"`
		}](good)},
		"not a struct":      {defineIn[string](good)},
		"nested too deeply": {defineIn[recursive](good)},
		"q.x has no": {defineIn[struct {
			Q []struct {
				X int `json:"x"`
			} `json:"q" desc:"d"`
		}](good)},
	} {
		_, err := NewFleet(sampleScopeOf, tools...)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v", want, err)
		}
	}
}

type twice struct {
	sampleScope
	Project string `json:"project" desc:"d"`
}

type recursive struct {
	Inner []recursive `json:"inner" desc:"d"`
}

func defineIn[In any](s Spec) Tool {
	return Define(s, func(context.Context, memory.Scope, In) (*empty, string, error) { return &empty{}, "", nil })
}

func toolsOf(f Fleet) (list []Tool) {
	for _, r := range f.rows {
		list = append(list, r.Tool)
	}
	return list
}

func TestSelect(t *testing.T) {
	list := toolsOf(sampleFleet(t))
	for selection, want := range map[string][]string{
		"":                         {"sample_find"},
		"core":                     {"sample_find"},
		" soul , sample_find,soul": {"sample_find", "sample_missing", "sample_leak"},
		"sample_panic":             {"sample_panic"},
		"link":                     {},
		"all":                      {"sample_find", "sample_missing", "sample_leak", "sample_panic", "sample_slow", "sample_write"},
	} {
		got, err := Select(list, selection)
		found := []string{}
		for _, s := range got {
			found = append(found, s.Name)
		}
		if err != nil || !reflect.DeepEqual(found, want) {
			t.Errorf("%q: %v, %v", selection, found, err)
		}
	}
	_, err := Select(list, "core,diray")
	if memory.CodeOf(err) != memory.CodeInvalidArgument ||
		!strings.Contains(err.Error(), `"diray" (did you mean diary? groups: core, context`) ||
		!strings.Contains(err.Error(), "sample_write") {
		t.Errorf("an unknown group: %v", err)
	}
}

func TestEveryEffectHasAnnotations(t *testing.T) {
	for _, e := range []Effect{Read, Add, Change, Destroy} {
		h, ok := effects[e]
		if !ok || h.readOnly != (e == Read) || h.destructive != (e == Destroy) {
			t.Errorf("%s: %+v", e, h)
		}
	}
}

func BenchmarkNewFleet(b *testing.B) {
	tools := sampleTools()[:1]
	for b.Loop() {
		if _, err := NewFleet(sampleScopeOf, tools...); err != nil {
			b.Fatal(err)
		}
	}
}
