package main

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"mcp-memory/text/analysis"
)

// coverShare is the share of an observation's weight that a fact must have.
const coverShare = 0.6

// fact is a text that claims something, from a turn.
type fact struct {
	text string
	turn int
	kind string
}

// figures are sums over cases.
type figures struct {
	Observations int
	Covered      int
	Half         int // at 50 % instead of 60
	Facts        int
	Alone        int
	Relevant     int // found where something was noted
	Good         int // both
	Turns        int
	Bytes        int
}

// judge compares the facts of a case with its observations.
func judge(c *testCase, facts []fact, sum *figures) (missed []string) {
	w := newWeights(c)
	stems := make([]map[string]bool, len(facts))
	for i, f := range facts {
		stems[i] = stemSet(f.text)
	}
	covers := make([]bool, len(facts))
	for _, g := range c.gold {
		best := 0.0
		for i := range facts {
			if !stems[i][nameStem(g.Speaker)] { // about somebody else
				continue
			}
			share := w.share(g.Text, stems[i])
			best = max(best, share)
			covers[i] = covers[i] || share >= coverShare
		}
		sum.Observations++
		if best >= coverShare {
			sum.Covered++
		} else {
			missed = append(missed, g.Text+c.quote(g.Sources))
		}
		if best >= 0.5 {
			sum.Half++
		}
	}
	sources := map[string]bool{}
	for _, g := range c.gold {
		for _, id := range g.Sources {
			sources[id] = true
		}
	}
	for i, f := range facts {
		alone := standsAlone(f.text, w.names)
		relevant := covers[i] || sources[c.turns[f.turn].ID]
		sum.Facts++
		sum.Bytes += len(f.text)
		sum.Alone += one(alone)
		sum.Relevant += one(relevant)
		sum.Good += one(alone && relevant)
	}
	sum.Turns += len(c.turns)
	return missed
}

// quote returns the turns with some ids, each on a line of its own.
func (c *testCase) quote(ids []string) string {
	var b strings.Builder
	for _, session := range c.sessions {
		for _, it := range session {
			if slices.Contains(ids, it.ID) {
				b.WriteString("\n    " + it.Speaker + ": " + it.Text)
			}
		}
	}
	return b.String()
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

// weights are the inverse document frequencies of stems among a case's turns.
type weights struct {
	holders map[string]int
	turns   float64
	names   map[string]bool
}

func newWeights(c *testCase) weights {
	w := weights{map[string]int{}, float64(len(c.turns)), map[string]bool{}}
	for _, it := range c.turns {
		w.names[nameStem(it.Speaker)] = true
		for stem := range stemSet(it.Text) {
			w.holders[stem]++
		}
	}
	return w
}

func (w weights) idf(stem string) float64 {
	return math.Log(1 + w.turns/float64(1+w.holders[stem]))
}

// share is the part of a text's weight that a set of stems has.
func (w weights) share(text string, has map[string]bool) float64 {
	total, found := 0.0, 0.0
	stems := analysis.Content(text)
	slices.Sort(stems)
	for _, stem := range slices.Compact(stems) {
		if w.names[stem] {
			continue
		}
		total += w.idf(stem)
		if has[stem] {
			found += w.idf(stem)
		}
	}
	if total == 0 {
		return 0
	}
	return found / total
}

func stemSet(text string) map[string]bool {
	m := map[string]bool{}
	for _, stem := range analysis.Content(text) {
		m[stem] = true
	}
	return m
}

func nameStem(name string) string {
	if words := analysis.Words(name); len(words) > 0 {
		return analysis.Stem(words[0])
	}
	return ""
}

var (
	persons = []string{"i", "me", "my", "mine", "myself", "we", "us", "our", "ours", "you", "your", "yours"}
	leaning = []string{"it", "this", "that", "they", "he", "she", "these", "those", "his", "her", "their", "its"}
)

// standsAlone reports whether a fact can be read without its conversation;
// names are the stems of its speakers' names.
func standsAlone(text string, names map[string]bool) bool {
	words := analysis.Words(text)
	if len(words) == 0 || strings.HasSuffix(text, "?") || slices.Contains(leaning, words[0]) || len(stemSet(text)) < 3 {
		return false
	}
	if slices.ContainsFunc(words, func(w string) bool { return slices.Contains(persons, w) }) {
		return false
	}
	return names[nameStem(text)] || strings.HasPrefix(text, "The user ") || strings.HasPrefix(text, "The assistant ") ||
		strings.ContainsFunc(text[1:], unicode.IsUpper) || strings.ContainsFunc(text, unicode.IsDigit)
}
