package recall_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"mcp-memory/internal/testfiles"
	"mcp-memory/memory"
	"mcp-memory/recall"
)

// put writes a file of Ann's workspace.
func put(t testing.TB, dataDir, name, text string) {
	t.Helper()
	file := filepath.Join(testfiles.Path(testfiles.Open(dataDir, "ann")), filepath.FromSlash(name))
	if err := errors.Join(testfiles.MkdirAll(filepath.Dir(file), 0o700), testfiles.WriteFile(file, []byte(text), 0o600)); err != nil {
		t.Fatal(err)
	}
}

func inWorkspace(r *recall.Request) {
	r.Corpora, r.MinScore = []memory.Corpus{memory.Workspace}, recall.Floor
}

// places are where results stand, "path:line" for files and ids for the rest.
func places(results []recall.Result) (list []string) {
	for _, r := range results {
		if r.Place == nil {
			list = append(list, r.ID)
			continue
		}
		list = append(list, fmt.Sprintf("%s:%d", r.Place.Path, r.Place.Line))
	}
	return list
}

func TestFilesAreFoundAsRecordsAre(t *testing.T) {
	b, dir := newBank(t, builtin()), t.TempDir()
	put(t, dir, "house.md",
		"# House\n\n## Heating\nThe boiler is serviced every October by Vermeulen.\n\n## Garden\nThe hedge is cut in June.\n")
	put(t, dir, "memory/2026-02-14.md", "# 2026-02-14\n\nWe had dinner at the Portuguese restaurant.\n")
	put(t, dir, "work.md", "- deployments go through the staging cluster first\n- invoices are sent on the 5th\n")
	s := b.filed(dir)
	for query, want := range map[string]string{
		"who services the boiler?":         "house.md:4",
		"heating maintenance":              "house.md:4", // by meaning and heading
		"trimming of hedges":               "house.md:7", // inflected
		"boyler":                           "house.md:4", // mistyped
		"where did we eat in February":     "memory/2026-02-14.md:3",
		"what happened on 14 Feb 2026?":    "memory/2026-02-14.md:3", // by time
		"when are the invoices sent":       "work.md:1",
		"2026-02-14":                       "memory/2026-02-14.md:3",
		"staging cluster of a deployment?": "work.md:1",
	} {
		if got := places(ask(t, s, query, inWorkspace)); len(got) == 0 || got[0] != want {
			t.Errorf("%q: %v, want %s first", query, got, want)
		}
	}
	for query, filter := range map[string]memory.Filter{
		"boiler of the house": {Kinds: []memory.Kind{memory.KindFact}}, "the boiler": {Session: "x"}, "boiler": {Tags: []string{"x"}},
		"dinner":                   {Since: day("2026-02-15")},
		"dinner at the restaurant": {AsOf: day("2026-02-01")}, "restaurant": {Until: day("2026-02-14")},
	} {
		got := places(ask(t, s, query, inWorkspace, func(r *recall.Request) { r.Filter = filter }))
		if slices.Contains(got, "house.md:4") && strings.Contains(query, "boiler") || slices.Contains(got, "memory/2026-02-14.md:3") {
			t.Errorf("%q with %+v: %v", query, filter, got)
		}
	}
	if got := places(ask(t, s, "the and of", inWorkspace)); len(got) > 0 {
		t.Errorf("stop words find %v", got)
	}
	if got := places(ask(t, s, "boiler", func(r *recall.Request) { r.Scope.Agent = "ben"; inWorkspace(r) })); len(got) > 0 {
		t.Errorf("Ben finds %v in Ann's files", got)
	}
}

func day(text string) time.Time {
	d, err := time.Parse(time.DateOnly, text)
	if err != nil {
		panic(err)
	}
	return d
}

func TestEditsAreFoundAtOnce(t *testing.T) {
	b, dir := newBank(t, builtin()), t.TempDir()
	put(t, dir, "a.md", "The spare key hangs in the shed.")
	s := b.filed(dir)
	if got := contents(ask(t, s, "spare key", inWorkspace)); !slices.Equal(got, []string{"The spare key hangs in the shed."}) {
		t.Fatal(got)
	}
	for i := range 30 {
		text := fmt.Sprintf("The spare key is with neighbour number %d now.", i)
		put(t, dir, "a.md", text+strings.Repeat("\n\nFiller.", i%2))
		if got := contents(ask(t, s, "spare key", inWorkspace)); len(got) != 1 || !strings.HasPrefix(got[0], text) {
			t.Fatalf("version %d: %q", i, got)
		}
	}
	if err := testfiles.Remove(filepath.Join(testfiles.Path(testfiles.Open(dir, "ann")), "a.md")); err != nil {
		t.Fatal(err)
	}
	if got := ask(t, s, "spare key", inWorkspace); len(got) > 0 {
		t.Errorf("%q is found in a file that is gone", got[0].Content)
	}
}

// What has changed often does not stay in memory.
func TestOldVersionsAreDropped(t *testing.T) {
	b, dir := newBank(t, builtin()), t.TempDir()
	s := b.filed(dir)
	for version := range 6 {
		var text strings.Builder
		for i := range 500 {
			fmt.Fprintf(&text, "# Shelf %d\nBox %d of version %d.\n", i, i, version)
		}
		put(t, dir, "a.md", text.String())
		if err := s.WarmFiles(t.Context(), "ann"); err != nil {
			t.Fatal(err)
		}
		if got := s.FilesIndexed("ann"); got > 2*500+1000 {
			t.Errorf("version %d: %d passages are indexed of 500", version, got)
		}
	}
	if got := contents(ask(t, s, "box of shelf 77", inWorkspace)); len(got) == 0 || got[0] != "Box 77 of version 5." {
		t.Errorf("found %q", got)
	}
}

// A line that mirrors a record is shown once, and not at all if the record is no
// longer to be shown.
func TestLinesOfRecordsAreNotDoubled(t *testing.T) {
	b, dir := newBank(t, builtin()), t.TempDir()
	live, gone, corrected := b.record("The cabin has a blue door."),
		b.record("The cabin has a broken window."), b.record("The cabin has a leaking roof.")
	foreign := b.record("The cabin has a secret cellar.", func(r *memory.Record) { r.Project = "other" })
	b.save(t, b, live, gone, corrected, foreign)
	b.change(t, gone.ID, func(r *memory.Record) { r.ArchivedAt = b.clock() })
	b.change(t, corrected.ID, func(r *memory.Record) { r.SupersededBy, r.SupersededAt = live.ID, b.clock() })
	var lines strings.Builder
	for _, r := range []memory.Record{live, gone, corrected, foreign} {
		fmt.Fprintf(&lines, "- %s <!-- %s 50 0123abcd -->\n", r.Content, r.ID)
	}
	put(t, dir, "MEMORY.md", lines.String()+"\nThe cabin belongs to Hanna's aunt. <!-- no-record -->\n")
	put(t, dir, "memory/2026-01-02.md", lines.String())
	s := b.filed(dir)
	project := func(r *recall.Request) { r.Scope.Project = "" }
	both := places(ask(t, s, "the cabin", inFiles, project))
	slices.Sort(both)
	if want := []string{live.ID, "MEMORY.md:6"}; !slices.Equal(both, sorted(want)) {
		t.Errorf("with memories: %v, want %v", both, want)
	}
	files := places(ask(t, s, "the cabin", inWorkspace, project))
	slices.Sort(files)
	if want := []string{"MEMORY.md:1", "MEMORY.md:6"}; !slices.Equal(files, want) {
		t.Errorf("files alone: %v, want %v", files, want)
	}
}

func sorted(list []string) []string {
	slices.Sort(list)
	return list
}

// While much is read, answers are of what has been read, and come soon.
func TestQuestionsDoNotWaitForever(t *testing.T) {
	b := newBank(t, builtin())
	o := b.all.RecallOptions()
	slow := &slowLibrary{more: make(chan struct{})}
	o.Files = func(string) recall.Library { return slow }
	s := recall.New(o)
	start := time.Now()
	if got := contents(ask(t, s, "harbour lights", inWorkspace)); !slices.Equal(got, []string{"The harbour lights are green."}) {
		t.Errorf("%q is found of what has been read", got)
	}
	if took := time.Since(start); took > 30*time.Second {
		t.Errorf("the question waited %v", took)
	}
	close(slow.more)
	if err := s.WarmFiles(t.Context(), "ann"); err != nil {
		t.Fatal(err)
	}
	if got := ask(t, s, "harbour lights", inWorkspace); len(got) != 2 {
		t.Errorf("%d passages are found of two", len(got))
	}
}

// slowLibrary has two passages, and does not come to the second before more is closed.
type slowLibrary struct {
	more chan struct{}
	read bool
}

func (l *slowLibrary) document(seq int64) memory.Document {
	text := []string{"The harbour lights are green.", "Other harbour lights are red and blink."}[seq-1]
	return memory.Document{
		Seq: seq, Corpus: memory.Workspace, Record: memory.Record{Content: text},
		Session: "s", Place: &memory.Place{Path: "a.md", Line: int(seq), Words: text},
	}
}

func (l *slowLibrary) Update(_ context.Context, add func([]memory.Document) error) error {
	if l.read {
		return nil
	}
	err := add([]memory.Document{l.document(1)})
	<-l.more
	l.read = true
	return errors.Join(err, add([]memory.Document{l.document(2)}))
}

func (l *slowLibrary) Documents(_ context.Context, seqs []int64) (docs []memory.Document, err error) {
	for _, seq := range seqs {
		docs = append(docs, l.document(seq))
	}
	return docs, nil
}

func (l *slowLibrary) Select(time.Time, time.Time) []int64 { return []int64{1, 2} }
func (l *slowLibrary) Len() int                            { return 2 }

// crowdedLibrary says that it has many passages, and its looks after the first wait for
// more to be closed.
type crowdedLibrary struct {
	slowLibrary
	looks atomic.Int32
}

func (l *crowdedLibrary) Len() int { return 5000 }

func (l *crowdedLibrary) Update(_ context.Context, add func([]memory.Document) error) error {
	if l.looks.Add(1) == 1 {
		return add([]memory.Document{l.document(1)})
	}
	<-l.more
	if l.read {
		return nil
	}
	l.read = true
	return add([]memory.Document{l.document(2)})
}

// Among many passages a question that follows another soon does not wait for a look that
// is under way, and what the look finds is known afterwards.
func TestQuestionsDoNotWaitForALook(t *testing.T) {
	b := newBank(t, builtin())
	o := b.all.RecallOptions()
	crowded := &crowdedLibrary{slowLibrary: slowLibrary{more: make(chan struct{})}}
	o.Files = func(string) recall.Library { return crowded }
	s := recall.New(o)
	s.WaitForFiles(time.Hour)
	for crowded.looks.Load() < 2 { // until a look is under way, which does not end
		if got := ask(t, s, "harbour lights", inWorkspace); len(got) != 1 {
			t.Fatalf("%d passages are found of one", len(got))
		}
	}
	if got := ask(t, s, "harbour lights", inWorkspace); len(got) != 1 {
		t.Fatalf("%d passages are found of one", len(got))
	}
	close(crowded.more)
	if err := s.WarmFiles(t.Context(), "ann"); err != nil {
		t.Fatal(err)
	}
	if got := ask(t, s, "harbour lights", inWorkspace); len(got) != 2 {
		t.Errorf("%d passages are found of two", len(got))
	}
}
