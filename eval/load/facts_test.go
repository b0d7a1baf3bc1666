package main

import (
	"reflect"
	"strings"
	"testing"
)

func generated(t *testing.T, n, wanted int) ([]fact, []probe) {
	t.Helper()
	var facts []fact
	probes, err := generate(n, wanted, func(f fact) error { facts = append(facts, f); return nil })
	if err != nil {
		t.Fatal(err)
	}
	return facts, probes
}

func TestGenerateIsDeterministic(t *testing.T) {
	facts, probes := generated(t, 500, 100)
	again, probesAgain := generated(t, 500, 100)
	if !reflect.DeepEqual(facts, again) || !reflect.DeepEqual(probes, probesAgain) {
		t.Error("the same call made other facts")
	}
}

func TestFactsLookNatural(t *testing.T) {
	facts, _ := generated(t, 5000, 1000)
	contents, words := map[string]bool{}, map[string]bool{}
	for _, f := range facts {
		if len(f.Content) < 50 || len(f.Content) > longest || strings.ContainsAny(f.Content, "{}\n\t") ||
			!strings.HasSuffix(f.Content, ".") {
			t.Errorf("odd fact of %d bytes: %q", len(f.Content), f.Content)
		}
		contents[f.Content] = true
		for _, w := range strings.Fields(f.Content) {
			words[w] = true
		}
	}
	if len(contents) < 4990 || len(words) < 800 {
		t.Errorf("%d different facts of %d different words", len(contents), len(words))
	}
}

// A needle has to be the only fact of its kind about its person, and its
// question must not be asked twice.
func TestNeedlesAreUnique(t *testing.T) {
	facts, probes := generated(t, 3000, 1000)
	byID := map[string]string{}
	for _, f := range facts {
		byID[f.ID] = f.Content
	}
	asked, answered := map[string]bool{}, 0
	for _, p := range probes {
		if asked[p.question] {
			t.Errorf("asked twice: %s", p.question)
		}
		asked[p.question] = true
		if p.answer != "" {
			answered++
			if byID[p.answer] == "" {
				t.Errorf("%q is answered by %q, which is not there", p.question, p.answer)
			}
		}
	}
	if len(probes) != 1000 || answered != 500 {
		t.Errorf("%d questions, %d of them with an answer", len(probes), answered)
	}
}

func TestFewFactsStillMakeAllQuestions(t *testing.T) {
	facts, probes := generated(t, 1, 20)
	if len(facts) != 1 || len(probes) != 20 {
		t.Errorf("%d facts, %d questions", len(facts), len(probes))
	}
}

func TestEveryTemplateHasKnownSlots(t *testing.T) {
	g := newGenerator(1)
	templates := append(append(append([]string{}, statements...), details...), questions...)
	for _, n := range needles {
		templates = append(templates, n.statement, n.question)
	}
	for _, template := range templates {
		if text := g.fill(template, nil); text == "" || strings.ContainsAny(text, "{}") {
			t.Errorf("%q became %q", template, text)
		}
	}
}
