package extractive

import (
	"slices"
	"strings"
	"time"

	"mcp-memory/memory"
	"mcp-memory/text/lazyregexp"
	"mcp-memory/text/timex"
	"mcp-memory/text/when"
)

// ordinal is a day without a month: "the 15th".
var ordinal = lazyregexp.New(`^the \d{1,2}(?:st|nd|rd|th)$`)

// withMonths adds month and year to a day that has none behind "by", "until", "since" and the like. Behind
// other words the month may be that of what is talked about.
func withMonths(text string, said time.Time) string {
	if !strings.Contains(text, " the ") || monthIn(strings.ToLower(text)) { // rather of the month that is named
		return text
	}
	for _, m := range slices.Backward(when.Mentions(text, said)) {
		if previous, _ := lastWord(text[:m.Start]); previous == "on" { // "The rent is due on the 1st", of any month
			continue
		}
		if m.Relation != memory.MentionIn && ordinal().MatchString(m.Text) {
			text = text[:m.Start] + day(m.From) + text[m.End:]
		}
	}
	return text
}

// justNow is what happened on the day on which it was said.
var justNow = lazyregexp.New(`(?i)\b(\w+ed|bought|sent|paid|told|made|got|sold|left|did|done) just now\b`)

// clock is a time of the day.
var clock = lazyregexp.New(`(?i)\bat \d{1,2}:\d\d(?: ?[ap]m)?\b`)

// withDay gives a time of the day at which something has happened the day on
// which that was said, unless the text has one.
func withDay(text string, said time.Time, zone *time.Location) dated {
	at := clock().FindStringIndex(text)
	if at == nil || !tells(text) {
		return dated{text: text}
	}
	before := strings.Fields(text[:at[0]])
	if anyWord(strings.Join(before[max(0, len(before)-4):], " "), every) != "" { // one of many
		return dated{text: text}
	}
	return dated{text[:at[1]] + " on " + day(said) + text[at[1]:], moment(said.Truncate(24*time.Hour), zone)}
}

var every = set("every each daily nightly weekly weekdays always usually")

// tells reports whether the first verb of a text is in the past.
func tells(text string) bool {
	for _, w := range cut(text) {
		if presentWords[head(w.low)] || modals[w.low] && !pastWords[w.low] {
			return false
		}
		if inPast(w) {
			return true
		}
	}
	return false
}

// inPast reports whether a word is a verb or an adverb of the past.
func inPast(w word) bool { return past(w.low) || pastWords[w.low] }

// timeMeant returns a span at the date that package when reads there: timex reads a weekday, a day and a
// month without a year as the latest one, of which when knows whether the next is meant. It is false if
// when reads no such time there ("a cat called Friday"): the text stays as it was said.
func timeMeant(s timex.Span, meant []when.Mention) (timex.Span, bool) {
	i := slices.IndexFunc(meant, func(m when.Mention) bool { return m.Start < s.End && s.Start < m.End })
	if i < 0 {
		return s, false
	}
	years, weeks := []int{0, 1}, []int{0} // how far from the latest time of its kind the one that is meant may be
	switch low := strings.ToLower(s.Text); {
	case weekday(low) && !monthIn(low) && !strings.ContainsAny(low, "0123456789"):
		years, weeks = []int{0}, []int{0, 1, -1, 2}
	case yearIn(low) || relative(strings.TrimPrefix(low, "before ")):
		years = []int{0}
	}
	for _, year := range years {
		for _, week := range weeks {
			moved := s
			if !s.From.Equal(timex.Earliest) {
				moved.From = s.From.AddDate(year, 0, 7*week)
			}
			if !s.To.Equal(timex.Latest) {
				moved.To = s.To.AddDate(year, 0, 7*week)
			}
			if agrees(moved, meant[i].Mention) {
				return moved, true
			}
		}
	}
	return s, false
}

// agrees reports whether a span is at the time of a mention, or of an open one the end that
// it has.
func agrees(s timex.Span, m memory.Mention) bool {
	switch {
	case s.From.Equal(timex.Earliest):
		return !s.To.Before(m.From) && !s.To.After(m.To)
	case s.To.Equal(timex.Latest):
		return !s.From.Before(m.From) && !s.From.After(m.To)
	}
	return s.From.Before(m.To) && m.From.Before(s.To)
}
