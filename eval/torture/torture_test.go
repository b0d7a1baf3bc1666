package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"mcp-memory/eval/child"
	"mcp-memory/internal/testbank"
	"mcp-memory/internal/testbinary"
)

var binary testbinary.Binary

func TestMain(m *testing.M) {
	code := m.Run()
	if err := binary.Remove(); err != nil {
		panic(err)
	}
	os.Exit(code)
}

// built is the program with a clock that can be moved.
func built(t *testing.T) string {
	return binary.Path(t, strings.TrimPrefix(os.Getenv("MCP_MEMORY_TEST_TAGS")+","+movedTag, ","))
}

// TestEveryScenario plays each of them once.
func TestEveryScenario(t *testing.T) {
	var out bytes.Buffer
	err := run(t.Context(), []string{"--minutes", "0", "--seed", "1", "--binary", built(t)}, &out, &bytes.Buffer{})
	if err != nil {
		t.Fatalf("%v\n%s", err, &out)
	}
	for _, s := range scenarios {
		if !regexp.MustCompile(`(?m)^ *`+s.name+` +1 `).
			MatchString(out.String()) && !strings.Contains(out.String(), "not played: "+s.name) {
			t.Errorf("%s is not in\n%s", s.name, &out)
		}
	}
	// rounds, kills, pages, acknowledged; the moment of a kill may have come too late for some
	if !regexp.MustCompile(`(?m)^ *all +1[12] +(1[1-9]|2[0-9]) +[1-9][0-9]* +[1-9][0-9]{3} +\d+ +0 +0 *$`).MatchString(out.String()) ||
		!strings.Contains(out.String(), "seed 1\n") {
		t.Error(out.String())
	}
}

// judged is what a run says about scenarios of a test.
func judged(t *testing.T, play func(ctx context.Context, r *round) error) (string, error) {
	t.Helper()
	var out bytes.Buffer
	s := suite{dir: t.TempDir(), out: &out, rows: []*row{{scenario: scenario{"made up", play}}}}
	if err := s.round(t.Context(), s.rows[0]); err != nil {
		return out.String(), err
	}
	err := s.report()
	return out.String(), err
}

// TestLossIsTold: what is missing, twice there, or from nobody fails a run.
func TestLossIsTold(t *testing.T) {
	acknowledged := contents{"a": 1, "b": 1}
	for name, c := range map[string]struct {
		have contents
		lost bool
		says string
	}{
		"all":      {contents{"a": 1, "b": 1}, false, ""},
		"underway": {contents{"a": 1, "b": 1, "c": 1}, false, ""},
		"missing":  {contents{"a": 1}, true, "lost: 1 of 2 that were acknowledged"},
		"twice":    {contents{"a": 2, "b": 1}, true, `half made: 2 times "a"`},
		"nobody's": {contents{"a": 1, "b": 1, "d": 1}, true, `half made: nobody saved "d"`},
	} {
		out, err := judged(t, func(_ context.Context, r *round) error {
			r.compare(c.have, acknowledged, contents{"c": 1})
			return nil
		})
		if errors.Is(err, errLost) != c.lost || !strings.Contains(out, c.says) {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}

// TestEventsAreJudged: one that is not heard, or heard twice, or before another that was sent before, fails a run.
func TestEventsAreJudged(t *testing.T) {
	all := []event{{1, "a"}, {2, "b"}, {5, "a"}, {6, "b"}, {9, "a"}, {10, "b"}}
	for says, heard := range map[string][]event{
		"": all, "lost: 2 of 3 changes of b": all[:5], "half made: 4 events of 3 changes of a": append([]event{{0, "a"}}, all...),
		"half made: event 5 came behind 6": {all[0], all[1], all[3], all[2], all[4], all[5]},
	} {
		out, err := judged(t, func(_ context.Context, r *round) error {
			r.judgeEvents(heard, []string{"a", "b"})
			return nil
		})
		if errors.Is(err, errLost) != (says != "") || !strings.Contains(out, says) {
			t.Errorf("%q: %v\n%s", says, err, out)
		}
	}
}

// TestDamageIsJudged: what a repair does not tell of is lost; what is marked is not.
func TestDamageIsJudged(t *testing.T) {
	before := []record{{"1", "a", false}, {"2", "b", false}, {"3", "c", false}}
	for name, c := range map[string]struct {
		after []record
		told  int
		lost  bool
		says  string
	}{
		"all":         {before, 0, false, ""},
		"told":        {before[:2], 1, false, ""},
		"untold":      {before[:1], 1, true, "lost: x: 2 are missing, a repair told of 1"},
		"marked":      {[]record{before[0], before[1], {"3", "?", true}}, 0, false, ""},
		"not marked":  {[]record{before[0], before[1], {"3", "?", false}}, 0, true, `"c" has become "?"`},
		"from nobody": {append([]record{{"4", "d", false}}, before...), 0, true, `nobody saved "d"`},
	} {
		out, err := judged(t, func(_ context.Context, r *round) error {
			r.compareRecords("x", before, c.after, c.told)
			return nil
		})
		if errors.Is(err, errLost) != c.lost || !strings.Contains(out, c.says) {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}

// TestExportThatNamesDamage: it ends as a failure, and yet all that it has is there; one that fails otherwise has nothing.
func TestExportThatNamesDamage(t *testing.T) {
	dir := t.TempDir()
	p, err := child.New(t.Context(), dir, built(t))
	if err != nil {
		t.Fatal(err)
	}
	if all, err := exported(t.Context(), p); err == nil {
		t.Errorf("of no bank: %v", all)
	}
	file := filepath.Join(dir, "facts.jsonl")
	if err := writeFacts(file, "x", 3); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Run(t.Context(), "import", file, "--format", "facts"); err != nil {
		t.Fatal(err)
	}
	db, err := testbank.OpenFile(filepath.Join(p.Data, testbank.FileName))
	if err != nil {
		t.Fatal(err)
	}
	_, err = db.ExecContext(t.Context(),
		`UPDATE records SET content = replace(content, 'Entry', 'entry') WHERE seq = (SELECT max(seq) FROM records)`)
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	all, err := exported(t.Context(), p)
	if err != nil || len(all) != 3 {
		t.Fatalf("%v, %v", all, err)
	}
	for _, r := range all {
		if r.damaged != strings.HasPrefix(r.content, "entry") {
			t.Errorf("%+v", r)
		}
	}
	if _, err := contentsOf(t.Context(), p); err == nil {
		t.Error("a damaged text is taken for one that was saved")
	}
}

// TestSkipped: what cannot be played here is said, and fails nothing.
func TestSkipped(t *testing.T) {
	out, err := judged(t, func(context.Context, *round) error { return skipError("no disk") })
	if err != nil || !strings.Contains(out, "not played: made up: no disk") {
		t.Errorf("%v\n%s", err, out)
	}
}
