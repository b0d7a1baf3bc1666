package slots

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"
)

// lines reads a file of testdata.
func lines[T any](t testing.TB, name string) []T {
	t.Helper()
	f, err := os.Open("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var items []T
	scanner := bufio.NewScanner(f)
	for scanner.Scan() {
		var item T
		if err := json.Unmarshal(scanner.Bytes(), &item); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		items = append(items, item)
	}
	return items
}

type pair struct {
	Domain, Why string
	Old, New    string
	Held        bool
}

func half(held bool) string {
	if held {
		return "held"
	}
	return "tuned"
}

// share counts hits of cases, for each half.
type share struct{ hits, cases [2]int }

func (s *share) add(held, hit bool) {
	k := 0
	if held {
		k = 1
	}
	s.cases[k]++
	if hit {
		s.hits[k]++
	}
}

func (s *share) of(held bool) float64 {
	k := 0
	if held {
		k = 1
	}
	return float64(s.hits[k]) / float64(max(1, s.cases[k]))
}

// floor fails the test if a figure is below its floor.
func floor(t *testing.T, held bool, what string, got, least float64) {
	t.Helper()
	if got < least {
		t.Errorf("%s, %s: %.3f is below %.2f", half(held), what, got, least)
	}
}

func TestChangedAndKeptFacts(t *testing.T) {
	var certain, found, precise, quiet share
	for _, p := range lines[pair](t, "changed.jsonl") {
		r := Between(Read(p.Old, Options{}), Read(p.New, Options{}))
		certain.add(p.Held, r == Certain)
		found.add(p.Held, r >= Likely)
		if r == Certain {
			precise.add(p.Held, true)
		}
		if r < Certain && !p.Held && testing.Verbose() {
			t.Logf("%s: %q, %q\n   %+v\n   %+v", r, p.Old, p.New, Read(p.Old, Options{}), Read(p.New, Options{}))
		}
	}
	for _, p := range lines[pair](t, "kept.jsonl") {
		r := Between(Read(p.Old, Options{}), Read(p.New, Options{}))
		quiet.add(p.Held, r < Likely)
		if r == Certain {
			if testing.Verbose() {
				t.Logf("certain and wrong: %s, %s", half(p.Held), p.Why)
			}
			precise.add(p.Held, false)
		}
		if r >= Likely && !p.Held && testing.Verbose() {
			t.Logf("WRONG %s: %s: %q, %q\n   %+v\n   %+v", r, p.Why, p.Old, p.New, Read(p.Old, Options{}), Read(p.New, Options{}))
		}
	}
	for _, held := range []bool{false, true} {
		t.Logf("%s: certain %.2f, likely or certain %.2f, precision of certain %.3f (%v), kept without likely %.2f", half(held),
			certain.of(held), found.of(held), precise.of(held), precise.cases, quiet.of(held))
		floor(t, held, "precision of certain", precise.of(held), 0.98)
		floor(t, held, "kept without likely", quiet.of(held), 0.95)
	}
	floor(t, false, "certain", certain.of(false), 0.85)
	floor(t, true, "certain", certain.of(true), 0.60)
	floor(t, false, "likely or certain", found.of(false), 0.90)
	floor(t, true, "likely or certain", found.of(true), 0.68)
}

func TestQuestions(t *testing.T) {
	type question struct {
		Question, Tense, Subject, Attribute, Kind string
		Held                                      bool
	}
	var tense, subject, attribute, kind share
	for _, c := range lines[question](t, "questions.jsonl") {
		q := Ask(c.Question, Options{})
		k := ""
		for _, one := range []struct {
			set  bool
			name string
		}{{q.Broad, "broad"}, {q.TimeOnly, "time"}, {q.StopWordsOnly, "stop"}} {
			if one.set {
				if k != "" {
					k += " "
				}
				k += one.name
			}
		}
		tense.add(c.Held, q.Tense.String() == c.Tense)
		if q.Broad {
			subject.add(c.Held, q.Subject == c.Subject)
			attribute.add(c.Held, q.Attribute == c.Attribute)
		}
		kind.add(c.Held, k == c.Kind)
		if !c.Held && testing.Verbose() &&
			(q.Tense.String() != c.Tense || q.Subject != c.Subject || q.Attribute != c.Attribute || k != c.Kind) {
			t.Logf("%q: want %s|%s|%s|%s, got %s|%s|%s|%s (%s)", c.Question, c.Tense, c.Subject, c.Attribute, c.Kind, q.Tense, q.Subject,
				q.Attribute, k, q.Topic)
		}
	}
	for _, held := range []bool{false, true} {
		t.Logf("%s: tense %.2f, subject %.2f, attribute %.2f, kind %.2f", half(held), tense.of(held), subject.of(held), attribute.of(held),
			kind.of(held))
		floor(t, held, "tense", tense.of(held), 0.97)
		floor(t, held, "subject", subject.of(held), 0.86)
		floor(t, held, "attribute", attribute.of(held), 0.92)
		floor(t, held, "kind", kind.of(held), 0.97)
	}
}

func TestFolding(t *testing.T) {
	type folding struct {
		Label, A, B string
		Held        bool
	}
	var opposed, same, folded share
	for _, c := range lines[folding](t, "folding.jsonl") {
		o, s, d := Opposed(c.A, c.B), SameFact(c.A, c.B), Differ(c.A, c.B)
		switch c.Label {
		case "opposed":
			opposed.add(c.Held, o)
		case "same":
			same.add(c.Held, s)
		}
		if c.Label != "same" {
			folded.add(c.Held, s)
		}
		if !c.Held && testing.Verbose() && (o != (c.Label == "opposed") || s != (c.Label == "same") || d == (c.Label == "same")) {
			t.Logf("%s: %q, %q: opposed %v, same %v, differ %v\n  %+v\n  %+v", c.Label, c.A, c.B, o, s, d, measure(c.A), measure(c.B))
		}
	}
	for _, held := range []bool{false, true} {
		t.Logf("%s: opposed %.2f, same %.2f, wrongly same %.2f", half(held), opposed.of(held), same.of(held), folded.of(held))
		floor(t, held, "opposed", opposed.of(held), 0.82)
		floor(t, held, "same", same.of(held), 0.90)
		floor(t, held, "kept apart", 1-folded.of(held), 1)
	}
}
