package main

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"mcp-memory/eval/metrics"
	"mcp-memory/eval/sets"
)

// measured runs the command and decodes what it prints with --json.
func measured(t *testing.T, args ...string) []setReport {
	t.Helper()
	var out bytes.Buffer
	if err := run(t.Context(), append([]string{"--data", "testdata", "--json"}, args...), &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	var reports []setReport
	if err := json.Unmarshal(out.Bytes(), &reports); err != nil {
		t.Fatal(err)
	}
	return reports
}

// perfect is what a set scores where every gold id comes first.
func perfect(queries int) metrics.Scores {
	return metrics.Scores{Queries: queries, Recall5: 1, Recall10: 1, Recall20: 1, Hit1: 1, Hit5: 1, Hit10: 1, MRR: 1, NDCG5: 1, NDCG10: 1}
}

// Every question of the tiny set shares words only with its answer, so both
// ways of asking find it first whatever the weights are.
func TestTinySet(t *testing.T) {
	for _, args := range [][]string{{}, {"--baseline"}, {"--parallel", "2"}} {
		reports := measured(t, args...)
		if len(reports) != 2 || reports[0].Set != "tiny" || reports[1].Set != "tiny_facts" {
			t.Fatalf("%v: sets are %+v", args, reports)
		}
		tiny, facts := reports[0], reports[1]
		if tiny.Level != "turn" || tiny.Cases != 2 || tiny.Items != 10 || tiny.Queries != 5 {
			t.Errorf("%v: %+v", args, tiny)
		}
		if s := tiny.Scores; s.All != perfect(3) || s.Macro != perfect(2) || s.Adversarial != perfect(1) || s.Abstention.Queries != 1 {
			t.Errorf("%v: turns score %+v", args, s)
		}
		if facts.Level != "fact" || facts.Sessions != nil || facts.Scores.All != perfect(2) || facts.Scores.Ungraded != 1 {
			t.Errorf("%v: facts score %+v", args, facts)
		}
	}
}

func TestBaselineIsSilentAboutUnknownWords(t *testing.T) {
	tiny := measured(t, "--baseline", "--set", "tiny")[0]
	if tiny.Scores.Abstention.Silent != 1 {
		t.Errorf("silent on %v of the abstention questions", tiny.Scores.Abstention.Silent)
	}
}

// Nothing but the latencies may differ between two runs.
func TestDeterministic(t *testing.T) {
	first, second := measured(t, "--parallel", "2", "--cross-validate"), measured(t, "--parallel", "2", "--cross-validate")
	if !reflect.DeepEqual(first, second) {
		t.Errorf("two runs differ:\n%+v\n%+v", first, second)
	}
	if s := first[0].Spread; s == nil || s.Cases != 2 || s.Mean != 1 || s.Deviation != 0 {
		t.Errorf("spread is %+v", s)
	}
}

func TestTables(t *testing.T) {
	var out bytes.Buffer
	if err := run(t.Context(), []string{"--data", "testdata", "--cross-validate"}, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"tiny (recall): 2 cases, 10 turns, 5 queries", "sessions", "adversarial", "abstention:", "latency: p50",
		"ship/2 100.0"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}

func TestExplain(t *testing.T) {
	var out bytes.Buffer
	if err := run(t.Context(), []string{"--data", "testdata", "--explain", "f-q1"}, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Where does Ida keep bees?", "rank 1  [f2 2024-01-02]", "*  1", "matched"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	if err := run(t.Context(), []string{"--data", "testdata", "--explain", "nothing"}, &out, io.Discard); err == nil {
		t.Error("an unknown question was explained")
	}
}

func TestUsage(t *testing.T) {
	for _, args := range [][]string{{}, {"--data", "testdata", "--limit", "101"}, {"--data", "testdata", "--set", "none"},
		{"--data", "testdata", "more"}, {"--data", t.TempDir()}} {
		if err := run(t.Context(), args, io.Discard, io.Discard); err == nil {
			t.Errorf("%v was accepted", args)
		}
	}
}

func TestBrokenLineIsNamed(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("x.corpus.jsonl", `{"case":"1","id":"a","text":"hello","session":"s"}`+"\n\n{\n")
	write("x.queries.jsonl", "")
	if _, err := readSet(dir, "x"); err == nil || !strings.Contains(err.Error(), "x.corpus.jsonl, line 3") {
		t.Errorf("error is %v", err)
	}
	write("x.corpus.jsonl", `{"case":"1","id":"a","text":"hello","session":"s","ts":"yesterday"}`)
	if _, err := readSet(dir, "x"); err == nil || !strings.Contains(err.Error(), "not a time") {
		t.Errorf("error is %v", err)
	}
}

// A folded duplicate is named at the rank of its result, and a session stands
// where its first item stood.
func TestFoldedAndSessions(t *testing.T) {
	b := newBank(&testCase{items: []sets.Item{
		{ID: "1", Session: "s1"}, {ID: "2", Session: "s1"}, {ID: "3", Session: "s2"}, {ID: "4", Session: "s3"},
	}}, 1)
	b.names = map[string][]string{"w": {"1"}, "x": {"2"}, "y": {"3"}, "z": {"4"}}
	r := reply{Query: sets.Query{Gold: []string{"3", "4"}}, bank: b, hits: []hit{{id: "w"}, {id: "x"}, {id: "y", folded: []string{"z"}}}}
	o := r.outcome()
	if want := (metrics.Ranking{{"1"}, {"2"}, {"3", "4"}}); !reflect.DeepEqual(o.Ranked, want) {
		t.Errorf("items: %v, want %v", o.Ranked, want)
	}
	s := r.bySession(o)
	if want := (metrics.Ranking{{"s1"}, {"s2", "s3"}}); !reflect.DeepEqual(s.Ranked, want) ||
		!reflect.DeepEqual(s.Gold, []string{"s2", "s3"}) {
		t.Errorf("sessions: %v of %v", s.Ranked, s.Gold)
	}
}

func TestBars(t *testing.T) {
	r := setReport{Set: "locomo_facts_held", Scores: metrics.Summary{All: metrics.Scores{Recall5: 0.70, Recall10: 0.74}}}
	got := checkBars(r)
	if len(got) != 2 || !got[0].PassMust || got[0].PassAim || got[1].PassMust {
		t.Errorf("bars are %+v", got)
	}
	if other := checkBars(setReport{Set: "other"}); other != nil {
		t.Errorf("a set without bars has %+v", other)
	}
}
