package extractive

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"mcp-memory/memory"
	"mcp-memory/text/lazyregexp"
	"mcp-memory/text/timex"
	"mcp-memory/text/when"
)

// ordinals are days without a month: "by the 15th", "since the 12th". Behind
// other words the month may be that of what is talked about.
var ordinals = lazyregexp.New(`(?i)\b(by|until|till|since|before) the (\d{1,2})(?:st|nd|rd|th)\b`)

// withMonths adds month and year to a day that has none. Behind "since" that is the last such day,
// behind "by", "until" and the like the next one.
func withMonths(text string, said time.Time) string {
	if !strings.Contains(text, " the ") || monthIn(strings.ToLower(text)) { // rather of the month that is named
		return text
	}
	var b strings.Builder
	done := 0
	for _, span := range ordinals().FindAllStringSubmatchIndex(text, -1) {
		number, _ := strconv.Atoi(text[span[4]:span[5]])
		if number < 1 || number > 31 || !ofMonth(text[span[1]:]) {
			continue
		}
		word := strings.ToLower(text[span[2]:span[3]])
		at, ok := dayOf(number, said, word != "since")
		if !ok {
			continue
		}
		b.WriteString(text[done:span[3]] + " " + day(at))
		done = span[1]
	}
	return b.String() + text[done:]
}

// ofMonth reports whether an ordinal is a day of a month that is not named, by the text behind it:
// not in "the 15th floor", nor in "the 15th of May".
func ofMonth(behind string) bool {
	if behind == "" || strings.ContainsAny(behind[:1], ".,;:!?)") {
		return true
	}
	next, _, _ := strings.Cut(strings.TrimSpace(behind), " ")
	return behindDay[strings.Trim(strings.ToLower(next), enders)]
}

// behindDay are words that may follow such a day: "by the 15th at noon".
var behindDay = set("at in to and or for with because but we i he she they it from until we're i'm as so then already again instead while when if since though by on")

// dayOf returns the next day of a month with that number, or the last one if next is not set.
func dayOf(number int, said time.Time, next bool) (time.Time, bool) {
	step := -1
	if next {
		step = 1
	}
	for i := range 12 {
		month := time.Date(said.Year(), said.Month()+time.Month(step*i), 1, 0, 0, 0, 0, time.UTC)
		at := month.AddDate(0, 0, number-1)
		today := said.Truncate(24 * time.Hour)
		if at.Month() == month.Month() && (next && !at.Before(today) || !next && !at.After(today)) {
			return at, true
		}
	}
	return time.Time{}, false
}

// justNow is what happened on the day on which it was said.
var justNow = lazyregexp.New(`(?i)\b(\w+ed|bought|sent|paid|told|made|got|sold|left|did|done) just now\b`)

// clock is a time of the day.
var clock = lazyregexp.New(`(?i)\bat \d{1,2}:\d\d(?: ?[ap]m)?\b`)

// withDay gives a time of the day at which something has happened the day on
// which that was said, unless the text has one.
func withDay(text string, said time.Time, zone *time.Location) dated {
	at := clock().FindStringIndex(text)
	if at == nil || !tells(text) || repeatedly(text[:at[0]]) {
		return dated{text: text}
	}
	return dated{text[:at[1]] + " on " + day(said) + text[at[1]:], moment(said.Truncate(24*time.Hour), zone)}
}

// repeatedly reports whether what stands before a time of the day says that it is one of
// many: "every night".
func repeatedly(before string) bool {
	words := strings.Fields(before)
	return anyWord(strings.Join(words[max(0, len(words)-4):], " "), every) != ""
}

var every = set("every each daily nightly weekly weekdays always usually")

// tells reports whether the first verb of a text is in the past.
func tells(text string) bool {
	for _, w := range cut(text) {
		if presentWords[head(w.low)] || modals[w.low] && !pastWords[w.low] {
			return false
		}
		if past(w.low) || pastWords[w.low] {
			return true
		}
	}
	return false
}

// partOf reports whether an expression is a part of one that means another date: "Monday" of
// "Monday week". That stays as it was said.
func partOf(meant []when.Mention, s timex.Span) bool {
	return slices.ContainsFunc(meant, func(m when.Mention) bool {
		if m.Start > s.Start || s.End > m.End || s.From.Before(m.To) && m.From.Before(s.To) {
			return false
		}
		front := strings.ToLower(strings.TrimSpace(m.Text[:s.Start-m.Start]))
		return m.End > s.End || strings.Contains(front, " ")
	})
}

// verbless is up to how many words a text is taken to have no verb of its own: "No wait, Thursday."
const verbless = 3

// timeMeant moves a span to the date that is meant (see forward), and reports whether package when
// agrees. Where it does not, or finds no time at all ("a cat called Friday"), the text stays as it
// was said.
func timeMeant(text string, s timex.Span, said time.Time, comes, surely bool, meant []when.Mention) (timex.Span, bool) {
	moved := forward(s, said, comes, surely)
	if len(cut(text)) <= verbless {
		return moved, true
	}
	i := slices.IndexFunc(meant, func(m when.Mention) bool { return m.Start < s.End && s.Start < m.End })
	if i < 0 || agrees(moved, meant[i].Mention) {
		return moved, i >= 0
	}
	if low := strings.ToLower(s.Text); weekday(low) && !monthIn(low) && !strings.ContainsAny(low, "0123456789") {
		for _, days := range []int{0, 7, -7, 14} {
			moved = s
			if !s.From.Equal(timex.Earliest) {
				moved.From = s.From.AddDate(0, 0, days)
			}
			if !s.To.Equal(timex.Latest) {
				moved.To = s.To.AddDate(0, 0, days)
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
