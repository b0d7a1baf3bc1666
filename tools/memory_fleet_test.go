package tools

import (
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"mcp-memory/access"
	"mcp-memory/internal/golden"
	"mcp-memory/text/tokens"
)

// The budgets of the default list of tools, which hosts put into every conversation: names,
// descriptions and input schemas, and output schemas besides.
const (
	maxListTokens   = 1800
	maxResultTokens = 1500
)

func TestMemorySnapshots(t *testing.T) {
	f := memoryFleet(t)
	snapshots(t, f, "snapshots")
	golden.Compare(t, "testdata/snapshots/README.md", []byte(f.Markdown()))
	for _, r := range f.rows {
		portable(t, schemaOf(r.in, false).raw())
		portable(t, schemaOf(r.out, true).raw())
	}
}

func TestDefaultListStaysSmall(t *testing.T) {
	listed, err := Select(toolsOf(memoryFleet(t)), "")
	if err != nil {
		t.Fatal(err)
	}
	f, err := NewFleet(sampleScopeOf, listed...)
	if err != nil {
		t.Fatal(err)
	}
	counter := tokens.NewCounter("cl100k_base")
	if err := counter.Warm(); err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, r := range f.rows {
		n := counter.Count(r.Name) + counter.Count(r.Description) + counter.Count(string(listedInput(r.in).raw()))
		t.Logf("%-24s %d tokens", r.Name, n)
		total += n
	}
	results := 0
	for _, r := range f.rows {
		results += counter.Count(string(listedOutput(r.out).raw()))
	}
	t.Logf("%-24s %d tokens, of results %d", "together", total, results)
	if total > maxListTokens || results > maxResultTokens {
		t.Errorf("the default list has %d tokens and %d of results, at most %d and %d are allowed", total, results, maxListTokens,
			maxResultTokens)
	}
}

// A snapshot without its tool would look as if the tool were still there.
func TestNoSnapshotIsLeftBehind(t *testing.T) {
	files, err := filepath.Glob("testdata/snapshots/*.json")
	if err != nil {
		t.Fatal(err)
	}
	if f := memoryFleet(t); len(files) != f.Len() {
		t.Errorf("%d snapshots of %d tools: %v", len(files), f.Len(), files)
	}
}

// A call is in the project that it names. An empty one beside what is to be
// forgotten is none.
func TestProjectOfACall(t *testing.T) {
	name, found := "shop", 0
	for _, r := range memoryFleet(t).rows {
		if !r.in.has("project") || r.Name == "memory_update" { // which says where a memory goes
			continue
		}
		found++
		in := reflect.New(r.input).Elem()
		in.FieldByName("Project").Set(reflect.ValueOf(&name))
		got := in.Interface().(projected).project()
		if got == nil || *got != name {
			t.Errorf("%s is in the project %v", r.Name, got)
		}
	}
	none := ""
	if got := (forgetInput{IDs: []string{"x"}, Project: &none}).project(); got != nil {
		t.Errorf("ids are forgotten in the project %q", *got)
	}
	if got := (forgetInput{Query: "x", Project: &none}).project(); got == nil || *got != "" {
		t.Errorf("a query in no project is in %v", got)
	}
	if found < 6 {
		t.Errorf("only %d tools have a project", found)
	}
}

// A token that is restricted to projects may use what keeps to them, and a
// read-only one of these what changes nothing. Everything else is closed to
// both: a tool is only added here with a test that it shows nothing of other
// projects. An operator may use none.
func TestWhatTokensMayUse(t *testing.T) {
	f := memoryFleet(t)
	for want, who := range map[string]access.Identity{
		"memory_save memory_recall memory_get memory_update memory_forget memory_how memory_fix": {Agent: "ann",
			Projects: []string{"shop"}},
		"memory_recall memory_get memory_how memory_fix": {Agent: "ann", Projects: []string{"shop"},
			ReadOnly: true},
		"": {Agent: "ann", Operator: true},
	} {
		var open []string
		for _, spec := range f.Specs() {
			if spec.Refusal(access.With(t.Context(), who)) == nil {
				open = append(open, spec.Name)
			}
			if spec.Refusal(t.Context()) != nil {
				t.Errorf("the process's own agent may not use %s", spec.Name)
			}
		}
		if got := strings.Join(open, " "); got != want {
			t.Errorf("%+v may use %s, want %s", who, got, want)
		}
	}
}
