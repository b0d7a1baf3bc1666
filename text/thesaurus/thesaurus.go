package thesaurus

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"mcp-memory/text/analysis"
)

//go:embed technical.txt
var technical string

// Technical returns the vocabulary of software engineering that is part of the
// program, read at the first call.
var Technical = sync.OnceValue(func() *Thesaurus { return Parse(technical) })

// Thesaurus is a number of groups. It never changes; any number of goroutines may
// use it at once.
type Thesaurus struct {
	groups  []group
	phrases map[string][]place // stems of a phrase, joined by spaces, to where it stands
	longest int                // stems of a phrase
}

// group is a line of the file, its phrases as stems.
type group struct {
	general  []string // stand for each other and for all others
	specific []string // stand for the general ones alone
}

// place is where a phrase stands.
type place struct {
	group    int
	specific bool
}

// Parse reads groups, one a line, as technical.txt tells; lines that start with #
// are comments. A phrase of nothing but stop words is left out.
func Parse(text string) *Thesaurus {
	t := &Thesaurus{phrases: map[string][]place{}}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "#") || strings.TrimSpace(line) == "" {
			continue
		}
		general, specific, _ := strings.Cut(line, ">")
		g := group{t.phrasesOf(general), t.phrasesOf(specific)}
		for i, list := range [][]string{g.general, g.specific} {
			for _, phrase := range list {
				t.phrases[phrase] = append(t.phrases[phrase], place{len(t.groups), i > 0})
			}
		}
		t.groups = append(t.groups, g)
	}
	return t
}

func (t *Thesaurus) phrasesOf(list string) (phrases []string) {
	for text := range strings.SplitSeq(list, ",") {
		stems := analysis.Content(text)
		if phrase := strings.Join(stems, " "); phrase != "" && !slices.Contains(phrases, phrase) {
			phrases = append(phrases, phrase)
			t.longest = max(t.longest, len(stems))
		}
	}
	return phrases
}

// Synonym is what may stand in a text for some stems of a question.
type Synonym struct {
	From, To int      // the stems of the question, To not included
	Stems    []string // what may stand for them, one or more, in this order
	Kind     bool     // the one is a kind of the other
}

// Of returns what may stand for the content stems of a question, in order of their
// places. Something may be there more than once.
func (t *Thesaurus) Of(stems []string) (found []Synonym) {
	for from := range stems {
		for to := from + 1; to <= min(len(stems), from+t.longest); to++ {
			phrase := strings.Join(stems[from:to], " ")
			for _, p := range t.phrases[phrase] {
				g := t.groups[p.group]
				found = appendSynonyms(found, from, to, phrase, g.general, p.specific)
				if !p.specific {
					found = appendSynonyms(found, from, to, phrase, g.specific, true)
				}
			}
		}
	}
	return found
}

func appendSynonyms(found []Synonym, from, to int, phrase string, others []string, kind bool) []Synonym {
	for _, other := range others {
		if other != phrase {
			found = append(found, Synonym{from, to, strings.Split(other, " "), kind})
		}
	}
	return found
}
