package slots

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"mcp-memory/text/analysis"
)

//go:embed poles.txt
var polesText string

// pole is a phrase of poles.txt.
type pole struct {
	words  []string // all its words, as written
	plain  string   // the word for both sides, "" where only the sign counts
	denies bool
}

// poles are the phrases of poles.txt by the stems of their first words, longest first.
var poles = sync.OnceValue(func() map[string][]pole {
	all := map[string][]pole{}
	rows(polesText, func(cells []string) {
		for i, cell := range cells[1:] {
			for _, phrase := range list(cell) {
				words := strings.Fields(phrase)
				first := analysis.Stem(words[0])
				all[first] = append(all[first], pole{words, strings.TrimSpace(cells[0]), i > 0})
			}
		}
	})
	for _, list := range all {
		slices.SortStableFunc(list, func(a, b pole) int { return len(b.words) - len(a.words) })
	}
	return all
})

// inPlain returns a text with each phrase of poles.txt in the one word of its row,
// with "not" where it denies it: "Nadia can't stand leeks" as "Nadia not like leeks".
// ok is false if there is none.
func inPlain(text string) (plain string, ok bool) {
	r := borrow(text, &Options{})
	defer r.giveBack()
	var b strings.Builder
	done := 0
	for i := 0; i < len(r.tokens); {
		p, n := r.poleAt(i)
		if n == 0 {
			i++
			continue
		}
		b.WriteString(r.text[done:r.tokens[i].start])
		if p.denies {
			b.WriteString("not ")
		}
		b.WriteString(p.plain)
		done, ok = int(r.tokens[i+n-1].end), true
		if r.tokens[i+n-1].neg { // its end is that of what stands before the n't
			_, more := apostrophe(lowered(r.text[done:min(done+len("’")+3, len(r.text))]))
			done += more
		}
		i += n
	}
	if !ok {
		return text, false
	}
	b.WriteString(r.text[done:])
	return b.String(), true
}

// poleAt returns the longest phrase of poles.txt that begins at the token at i, and how many tokens
// it has; 0 if there is none.
func (r *reader) poleAt(i int) (pole, int) {
	t := &r.tokens[i]
	if t.cap && i > 0 && r.tokens[i-1].post == 0 { // a name
		return pole{}, 0
	}
	for _, p := range poles()[analysis.Stem(plainVerb(t.word))] {
		if n := r.spans(i, p.words); n > 0 {
			return p, n
		}
	}
	return pole{}, 0
}

// spans returns how many tokens from i on the words take up ("mustn't" is two words, "must not"); 0
// if they are not there.
func (r *reader) spans(i int, words []string) int {
	first := i
	for k := 0; k < len(words); i++ {
		if i == len(r.tokens) || i > first && r.tokens[i-1].post != 0 {
			return 0
		}
		t := &r.tokens[i]
		word := plainVerb(t.word)
		if word != words[k] && (len(words[k]) < 4 || analysis.Stem(word) != analysis.Stem(words[k])) {
			return 0
		}
		k++
		if t.neg || t.word == "cannot" {
			if k == len(words) || words[k] != "not" {
				return 0
			}
			k++
		}
	}
	return i - first
}

// plainVerb returns the word of which a negated one is made: "must" of "mustn".
func plainVerb(w string) string {
	switch w {
	case "cannot":
		return "can"
	case "mustn", "needn", "don", "doesn", "didn", "isn", "aren", "wasn", "weren", "couldn", "shouldn", "wouldn", "hasn", "haven", "hadn":
		return strings.TrimSuffix(w, "n")
	}
	return w
}
