package actions

import (
	"math"
	"slices"
	"strings"

	"mcp-memory/memory"
	"mcp-memory/text/failing"
)

// complaint is an error message: its telling lines as they are (lines), and without what changes
// from one run to the next (keys).
type complaint struct {
	lines []string
	keys  []string
}

// mostLines is how many telling lines of an error are kept.
const mostLines = 16

func newComplaint(text string) (c complaint) {
	for _, line := range failing.Lines(text) {
		if len(c.lines) == mostLines {
			break
		}
		if same := failing.Same(line); strings.Trim(same, "* ") != "" {
			c.lines, c.keys = append(c.lines, line), append(c.keys, same)
		}
	}
	return c
}

// same reports whether the first telling lines of two errors are the same but for what changes, or
// both errors have no such line.
func (c complaint) same(other complaint) bool {
	if len(c.keys) == 0 || len(other.keys) == 0 {
		return len(c.keys) == len(other.keys)
	}
	return c.keys[0] == other.keys[0]
}

// weights say how much a word of an error counts: rare words count more.
type weights struct {
	count map[string]int
	all   int
}

func newWeights(list []memory.Action) weights {
	w := weights{count: map[string]int{}}
	for _, a := range list {
		if a.Outcome != memory.OutcomeFailed {
			continue
		}
		w.all++
		var words []string
		for _, line := range newComplaint(a.Tail).keys {
			words = append(words, strings.Fields(line)...)
		}
		slices.Sort(words)
		for _, word := range slices.Compact(words) {
			w.count[word]++
		}
	}
	return w
}

// unheard is the weight of a word that no known error has. In a search it is the factor for the
// weight of a word that no command has.
const unheard = 0.5

func (w weights) of(word string) float64 {
	switch {
	case word == "*":
		return 0
	case w.count[word] == 0: // a name that only this error has
		return unheard
	}
	return math.Log(1 + float64(w.all+1)/(float64(w.count[word])+0.5))
}

// like returns how alike two errors are, from 0 to 1.15, and the line of the other one that is most
// alike. Lines that are equal but for what changes count 1, others the weighted share of their
// common words. The share of words that are equal as they are, such as a name in quotation marks,
// adds up to 0.15.
func (c complaint) like(other complaint, w weights) (best float64, line string) {
	for i, mine := range c.keys {
		for k, theirs := range other.keys {
			likeness := 1.0
			if mine != theirs {
				likeness = 0.95 * shared(strings.Fields(mine), strings.Fields(theirs), w)
			}
			likeness += 0.15 * sharedText(c.lines[i], other.lines[k])
			likeness *= 1 - 0.01*float64(min(k, 5)) // the first lines say most
			if likeness > best {
				best, line = likeness, other.lines[k]
			}
		}
	}
	return best, line
}

// shared is the weighted share of the words of two lines that both have, from 0 to 1. The line that
// says less counts more.
func shared(a, b []string, w weights) float64 {
	sum := func(words []string, in []string) (total float64) {
		seen := map[string]bool{}
		for _, word := range words {
			if !seen[word] && (in == nil || slices.Contains(in, word)) {
				total += w.of(word)
			}
			seen[word] = true
		}
		return total
	}
	common, mine, theirs := sum(a, b), sum(a, nil), sum(b, nil)
	if mine == 0 || theirs == 0 {
		return 0
	}
	// A pasted line may be only a part of the known line, or have more text around it.
	return 0.7*common/min(mine, theirs) + 0.3*common/max(mine, theirs)
}

// sharedText is the share of the words of a that b has, compared as they are.
func sharedText(a, b string) float64 {
	words := strings.Fields(a)
	if len(words) == 0 {
		return 0
	}
	others := strings.Fields(b)
	n := 0
	for _, word := range words {
		if slices.Contains(others, word) {
			n++
		}
	}
	return float64(n) / float64(len(words))
}
