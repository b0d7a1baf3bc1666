package main

import (
	"io"
	"slices"
	"strings"
	"testing"

	"mcp-memory/eval/sets"
	"mcp-memory/text/analysis"
)

const ownSets = "../sets"

// The floors under what recall reaches on the project's own sets, each some
// points below what was measured, so that a change which breaks ranking fails.
// What a set is about is told in ../sets/README.md.
var floors = []struct {
	set      string
	category string // empty: all
	figure   string // hit@1, hit@5, R@10, MRR
	floor    float64
}{
	{"paraphrase_facts_300", "", "hit@1", 0.06},
	{"paraphrase_facts_300", "", "hit@5", 0.34},
	{"paraphrase_facts_300", "everyday_tune", "hit@5", 0.25},
	{"paraphrase_facts_300", "everyday_held", "hit@5", 0.25},
	{"paraphrase_facts_300", "technical_tune", "hit@5", 0.60},
	{"paraphrase_facts_300", "technical_held", "hit@5", 0.55},
	{"engineering_facts_300", "tune", "hit@5", 0.75},
	{"engineering_facts_300", "held", "hit@5", 0.68},
	{"engineering_facts_300", "held", "hit@1", 0.42},
	{"life_facts_300", "life_tune", "hit@5", 0.70},
	{"life_facts_300", "life_held", "hit@5", 0.70},
	{"life_facts_300", "", "hit@1", 0.40},
	{"typo_facts", "", "hit@1", 0.91},
	{"typo_facts", "alone", "hit@1", 0.91},
	{"identifier_facts", "", "hit@1", 0.96},
	{"forms_facts", "", "hit@1", 0.90},
	{"forms_facts", "", "hit@5", 0.95},
	{"cjk_facts", "", "hit@1", 0.89},
	{"cjk_facts", "chinese", "hit@1", 0.92},
	{"cjk_facts", "japanese", "hit@1", 0.92},
	{"cjk_facts", "korean", "hit@1", 0.90},
	{"nothing_facts", "plain", "hit@1", 0.97},
	{"nothing_facts", "loose", "hit@5", 0.85},
	{"dialogue", "", "hit@5", 0.90},
	{"dialogue", "", "MRR", 0.69},
	{"dialogue", "when", "hit@5", 0.89},
	{"dialogue", "who", "hit@5", 0.85},
	{"dialogue_assistant", "", "hit@5", 0.82},
	{"dialogue_assistant", "", "MRR", 0.75},
	{"dialogue_lists", "", "R@10", 0.62},
	{"dialogue_lists", "list_held", "R@10", 0.54},
}

// With a score floor of usefulFloor, at least so many of the questions that
// nothing answers are answered with nothing, and at most so many of the others
// lose what was found for them.
const (
	usefulFloor = 0.20
	leastSilent = 0.40
	mostLost    = 0.06
)

func TestFloor(t *testing.T) {
	measured := map[string]setReport{}
	for _, f := range floors {
		r, done := measured[f.set]
		if !done {
			r = measureOwn(t, f.set)
			measured[f.set] = r
		}
		scores := r.Scores.All
		if f.category != "" {
			scores = r.Scores.Categories[f.category]
		}
		got := map[string]float64{"hit@1": scores.Hit1, "hit@5": scores.Hit5, "R@10": scores.Recall10, "MRR": scores.MRR}[f.figure]
		t.Logf("%s %s %s: %.3f (floor %.2f)", f.set, f.category, f.figure, got, f.floor)
		if got < f.floor {
			t.Errorf("%s %s: %s is %.3f, below %.2f", f.set, f.category, f.figure, got, f.floor)
		}
	}
	for _, f := range measured["nothing_facts"].Floors {
		if f.Floor != usefulFloor {
			continue
		}
		t.Logf("nothing_facts at floor %.2f: silent %.3f, lost %.3f", f.Floor, f.Silent, f.Lost)
		if f.Silent < leastSilent || f.Lost > mostLost {
			t.Errorf("floor %.2f silences %.3f and loses %.3f: at least %.2f and at most %.2f", f.Floor, f.Silent, f.Lost,
				leastSilent, mostLost)
		}
	}
}

// measureOwn measures one of the project's own sets, in full.
func measureOwn(t *testing.T, name string) setReport {
	t.Helper()
	set, err := ownSet(t, name).read()
	if err != nil {
		t.Fatal(err)
	}
	r, err := measure(t.Context(), set, options{limit: 20, floors: true, parallel: 2}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func ownSet(t *testing.T, name string) source {
	t.Helper()
	sources, err := findSets([]string{ownSets}, nil)
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(sources, func(s source) bool { return s.name == name })
	if at < 0 {
		t.Fatalf("no set %s", name)
	}
	return sources[at]
}

// The project's sets are what their description says.
func TestOwnSets(t *testing.T) {
	sources, err := findSets([]string{ownSets}, nil)
	if err != nil {
		t.Fatal(err)
	}
	items := map[string]int{
		"paraphrase_facts_300": 600, "paraphrase_facts_3000": 6000, "engineering_facts_300": 300,
		"engineering_facts_3000": 3000, "life_facts_300": 300, "life_facts_3000": 3000, "typo_facts": 150, "identifier_facts": 200,
		"forms_facts": 150, "cjk_facts": 200, "nothing_facts": 150, "dialogue": 126, "dialogue_assistant": 44, "dialogue_lists": 213,
	}
	if len(sources) != len(items) {
		t.Errorf("%d sets, want %d", len(sources), len(items))
	}
	for _, source := range sources {
		set, err := source.read()
		if err != nil {
			t.Fatal(err)
		}
		total := 0
		for _, c := range set.cases {
			total += len(c.items)
			checkCase(t, set.name, c)
		}
		if total != items[source.name] {
			t.Errorf("%s has %d items, want %d", source.name, total, items[source.name])
		}
	}
}

func checkCase(t *testing.T, set string, c *testCase) {
	t.Helper()
	ids, texts, asked := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, it := range c.items {
		if ids[it.ID] || texts[it.Text] {
			t.Errorf("%s: %s is there twice: %s", set, it.ID, it.Text)
		}
		ids[it.ID], texts[it.Text] = true, true
	}
	for _, q := range c.queries {
		if asked[q.ID] {
			t.Errorf("%s: two questions are called %s", set, q.ID)
		}
		asked[q.ID] = true
		if (len(q.Gold) == 0) != (q.Category == "abstention") {
			t.Errorf("%s: %s is %s and has %d gold ids", set, q.ID, q.Category, len(q.Gold))
		}
		for _, gold := range q.Gold {
			if !ids[gold] {
				t.Errorf("%s: %s is answered by %s, which is not there", set, q.ID, gold)
			}
		}
	}
}

// A paraphrase that shares words with its fact measures something else.
func TestParaphrasesShareNoWords(t *testing.T) {
	halves := map[string]int{}
	for _, c := range slices.Concat(casesOf(t, "paraphrase_facts_300"), casesOf(t, "engineering_facts_300"), casesOf(t, "life_facts_300")) {
		texts := map[string]string{}
		for _, it := range c.items {
			texts[it.ID] = it.Text
		}
		for _, q := range c.queries {
			halves[q.Category]++
			if half := q.Category[strings.LastIndexByte(q.Category, '_')+1:]; !strings.Contains(q.ID, "-"+half+"-") {
				t.Errorf("%s is in category %s", q.ID, q.Category)
			}
			said := analysis.Content(texts[q.Gold[0]])
			for _, stem := range analysis.Content(q.Question) {
				if slices.Contains(said, stem) {
					t.Errorf("%s shares %q with %q", q.ID, stem, texts[q.Gold[0]])
				}
			}
		}
	}
	for category, want := range map[string]int{
		"everyday_tune": 42, "everyday_held": 42, "technical_tune": 42,
		"technical_held": 42, "tune": 36, "held": 36, "life_tune": 75, "life_held": 75,
	} {
		if halves[category] != want {
			t.Errorf("%d questions in %s, want %d", halves[category], category, want)
		}
	}
}

func casesOf(t *testing.T, set string) []*testCase {
	t.Helper()
	read, err := ownSet(t, set).read()
	if err != nil {
		t.Fatal(err)
	}
	return read.cases
}

func TestFloorsAreMonotonous(t *testing.T) {
	b := newBank(&testCase{items: []sets.Item{{ID: "1"}, {ID: "2"}}}, 1)
	b.names = map[string][]string{"x": {"1"}, "y": {"2"}}
	replies := []reply{
		{Query: sets.Query{Gold: []string{"2"}}, bank: b, hits: []hit{{id: "x", score: 0.4}, {id: "y", score: 0.2}}},
		{Query: sets.Query{Category: "abstention", Kind: "near"}, bank: b, hits: []hit{{id: "x", score: 0.3}}},
		{Query: sets.Query{Category: "abstention", Kind: "far"}, bank: b},
	}
	for _, want := range []floorReport{
		{Floor: 0, Silent: 0.5, Kinds: map[string]float64{"near": 0, "far": 1}, Hit5: 1},
		{Floor: 0.25, Silent: 0.5, Kinds: map[string]float64{"near": 0, "far": 1}, Lost: 1},
		{Floor: 0.45, Silent: 1, Kinds: map[string]float64{"near": 1, "far": 1}, Empty: 1, Lost: 1},
	} {
		if got := atFloor(replies, want.Floor); !sameFloors(got, want) {
			t.Errorf("floor %v: %+v, want %+v", want.Floor, got, want)
		}
	}
}

func sameFloors(a, b floorReport) bool {
	return a.Silent == b.Silent && a.Empty == b.Empty && a.Lost == b.Lost && a.Hit5 == b.Hit5 &&
		a.Kinds["near"] == b.Kinds["near"] && a.Kinds["far"] == b.Kinds["far"]
}
