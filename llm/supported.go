package llm

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"mcp-memory/memory"
	"mcp-memory/text/analysis"
	"mcp-memory/text/timex"
	"mcp-memory/text/when"
)

const (
	// leansOn is how many turns before the one that a fact names may also contain its words: a
	// short answer says little without its question.
	leansOn = 3
	// minSupport is the least share of a fact's words that have to be in those turns.
	minSupport = 0.6
	// alike is how many letters two words have to have in common at their beginning to count as
	// forms of one word.
	alike = 4
)

// conversation has the turns that a model was shown, to check its facts against.
type conversation struct {
	turns []memory.Turn
	known map[string]string // contents of the facts that may be replaced, by id
	now   time.Time         // stands for the time of turns that have none
}

// supported returns the fact, without OccurredAt if nobody spoke of that time, and whether the
// conversation supports it: enough of its words, all of its numbers and all of its dates must have
// been said in the turn that it names and those before it, or, if it names none, anywhere.
func (c conversation) supported(fact memory.Extracted) (memory.Extracted, bool) {
	said := c.turns
	if i := slices.IndexFunc(c.turns, func(t memory.Turn) bool { return t.Index == fact.Turn }); i >= 0 {
		said = c.turns[max(0, i-leansOn) : i+1]
	}
	text := c.known[fact.Replaces]
	for _, t := range said {
		text += "\n" + who(t) + ": " + clean(t.Content)
	}
	times := c.timesOf(said)
	if !fact.OccurredAt.IsZero() && !meets(times, fact.OccurredAt, fact.OccurredAt.Add(time.Nanosecond)) {
		fact.OccurredAt = time.Time{}
	}
	return fact, wordsSaid(fact.Content, text) >= minSupport && c.numbersSaid(fact.Content, text, said, times)
}

// wordsSaid returns the share of a fact's words that a text has in some form, from 0 to 1.
func wordsSaid(fact, text string) float64 {
	said := map[string]bool{"user": true, "assistant": true}
	for _, stem := range analysis.Content(text) {
		said[stem] = true
		if runes := []rune(stem); len(runes) > alike {
			said[string(runes[:alike])+"…"] = true
		}
	}
	words, found := 0, 0
	for _, stem := range analysis.Content(fact) {
		if numberForm.MatchString(stem) {
			continue // see numbersSaid
		}
		words++
		runes := []rune(stem)
		if said[stem] || len(runes) > alike && said[string(runes[:alike])+"…"] {
			found++
		}
	}
	if words == 0 {
		return 1
	}
	return float64(found) / float64(words)
}

var numberForm = regexp.MustCompile(`\d+`)

// smallNumbers are numbers that people often write as words.
var smallNumbers = map[string]string{
	"1": "one", "2": "two", "3": "three", "4": "four", "5": "five", "6": "six",
	"7": "seven", "8": "eight", "9": "nine", "10": "ten", "11": "eleven", "12": "twelve",
}

// numbersSaid reports whether every number of a fact is in a text, and every date of it is one that
// was spoken of.
func (c conversation) numbersSaid(fact, text string, said []memory.Turn, times []interval) bool {
	if len(said) == 0 {
		return false
	}
	have, words := map[string]bool{}, map[string]bool{}
	for _, n := range numberForm.FindAllString(text, -1) {
		have[strings.TrimLeft(n, "0")] = true
	}
	for _, w := range analysis.Words(text) {
		words[w] = true
	}
	stands := func(n string) bool {
		n = strings.TrimLeft(n, "0")
		return have[n] || words[smallNumbers[n]]
	}
	rest := []byte(fact)
	for _, span := range timex.Find(fact, c.saidAt(said[len(said)-1])) {
		inside := numberForm.FindAllString(span.Text, -1)
		if len(inside) == 0 || !slices.ContainsFunc(inside, func(n string) bool { return !stands(n) }) {
			continue // without numbers, or with numbers that were said
		}
		from, to := span.From, span.To
		switch { // of an open interval such as "since 2019" its known end has to be spoken of
		case from.Equal(timex.Earliest):
			from = to.Add(-time.Nanosecond)
		case to.After(from.AddDate(1, 0, 0)):
			to = from.Add(time.Nanosecond)
		}
		if !meets(times, from, to) {
			return false
		}
		copy(rest[span.Start:span.End], strings.Repeat(" ", span.End-span.Start))
	}
	for _, n := range numberForm.FindAllString(string(rest), -1) {
		if !stands(n) {
			return false
		}
	}
	return true
}

// interval is a time that was spoken of, from `from` up to before `to`.
type interval struct{ from, to time.Time }

// timesOf returns the times that turns speak of, and the days on which they were said.
func (c conversation) timesOf(turns []memory.Turn) (times []interval) {
	for _, t := range turns {
		at := c.saidAt(t)
		y, m, d := at.Date()
		day := time.Date(y, m, d, 0, 0, 0, 0, at.Location())
		times = append(times, interval{day, day.AddDate(0, 0, 1)})
		for _, s := range timex.Find(t.Content, at) {
			times = append(times, interval{s.From, s.To})
		}
		for _, m := range when.Mentions(t.Content, at) {
			times = append(times, interval{m.From, m.To})
		}
	}
	return times
}

// saidAt returns when a turn was said, c.now if that is not known.
func (c conversation) saidAt(t memory.Turn) time.Time {
	if t.SaidAt.IsZero() {
		return c.now
	}
	return t.SaidAt
}

// meets reports whether one of the intervals has a moment in common with the one from `from` up to
// before `to`.
func meets(times []interval, from, to time.Time) bool {
	return slices.ContainsFunc(times, func(i interval) bool { return i.from.Before(to) && from.Before(i.to) })
}
