package when

import (
	"slices"
	"strings"
	"time"

	"mcp-memory/memory"
	"mcp-memory/text/timex"
)

// Mention is a time that a text speaks of, and where: text[Start:End].
type Mention struct {
	memory.Mention
	Start, End int
}

// span is an expression of time in a text, text[start:end], and the time [from, to) that it means.
type span struct {
	from, to   time.Time
	start, end int
	relation   memory.MentionRelation
	fixed      bool // it says itself which of several times is meant: "last", "2024", "ago"
	every      step // distance to the next such time: a year for "in March"; none if there is no other
	// again returns the next (sign 1) or previous (-1) day of its kind, where every does not
	// tell exactly, as for the last working day of a month; else nil.
	again     func(from time.Time, sign int) time.Time
	precision timex.Precision
}

// step is the distance between two occurrences of what recurs, such as 7 days for "Friday".
type step struct{ years, months, days int }

func (s step) none() bool { return s == step{} }

func (s step) add(t time.Time) time.Time { return t.AddDate(s.years, s.months, s.days) }

// Mentions returns the times that a text speaks of, in the order of the text. They are counted
// from said, when it was said, and days are those of its time zone. Habits are left out.
func Mentions(text string, said time.Time) []Mention { return read(text, said, false) }

// Asked returns the times that a question asks about. Of a time that recurs, such as "on Friday", it
// returns the one that fits the tense of the question, or the nearest. Of one longer than a day that
// recurs each year, such as "in March", it returns two, the last and the next, unless the question
// is in the past.
func Asked(text string, now time.Time) []Mention { return read(text, now, true) }

// Bounds on what is read of a text.
const (
	maxText   = 2 << 10 // bytes, from its beginning
	maxPieces = 32      // expressions that are translated from another language
)

// read is [Mentions], or with asked [Asked].
func read(text string, said time.Time, asked bool) []Mention {
	t := translated(beginningOf(text))
	spans := found(t.text, said)
	if len(spans) == 0 {
		return nil
	}
	var mentions []Mention
	add := func(s span) {
		if s.from.Before(timex.Earliest) || s.to.After(timex.Latest) {
			return
		}
		start, end := t.place(s.start, s.end)
		mentions = append(mentions,
			Mention{memory.Mention{From: s.from, To: s.to, Relation: s.relation, Text: text[start:end]}, start, end})
	}
	for _, s := range joined(t.text, spans) {
		clause := clauseOf(t.text, s.start, s.end)
		bound := s.relation == memory.MentionSince || s.relation == memory.MentionUntil // "since May on Fridays"
		if !asked && !bound && habit(sentenceOf(t.text, s.start)) || attributive(t.text, s) {
			continue
		}
		s = directed(t, s, clause, said, asked)
		if asked && s.every.years > 0 && s.precision >= timex.Week &&
			t.tense(clause) != past { // "in winter" may mean the last one or the next: both count
			other := s.by(-1)
			if s.to.Before(said) {
				other = s.by(1)
			}
			add(s)
			add(other)
			continue
		}
		add(s)
	}
	return mentions
}

// beginningOf returns the part of a text that is read, its first maxText bytes.
func beginningOf(text string) string {
	if len(text) > maxText {
		return strings.ToValidUTF8(text[:maxText], "")
	}
	return text
}

// found returns the expressions of time in an English text, in order of their places. Where one
// of this package's rules overlaps with one of timex, which may read only a part of it, the rule
// counts.
func found(text string, said time.Time) []span {
	spans := own(text, said)
	for _, one := range timex.Find(text, said) {
		s := span{start: one.Start, end: one.End, from: one.From, to: one.To, precision: one.Precision}
		if slices.ContainsFunc(spans, func(o span) bool { return s.start < o.end && o.start < s.end }) || version(one.Text) {
			continue
		}
		if s, ok := anchored(text, s, said); ok {
			spans = append(spans, s)
		}
	}
	slices.SortFunc(spans, func(a, b span) int { return a.start - b.start })
	return spans
}

// version reports whether a text is rather the number of a version than a date: "2024.1.15".
func version(text string) bool {
	parts := strings.Split(text, ".")
	return len(parts) == 3 && len(parts[0]) == 4 && (len(parts[1]) == 1 || len(parts[2]) == 1)
}

// leads maps a word that begins an expression of timex, or stands before one, to the relation that
// it tells: "since" of "since March".
var leads = map[string]memory.MentionRelation{
	"since": memory.MentionSince, "until": memory.MentionUntil, "till": memory.MentionUntil, "by": memory.MentionBy,
	"from": memory.MentionFrom, "before": memory.MentionBefore, "after": memory.MentionFrom, "due": memory.MentionBy,
	"starting": memory.MentionFrom, "effective": memory.MentionFrom,
	"seit": memory.MentionSince, "bis": memory.MentionUntil, "ab": memory.MentionFrom, "vor": memory.MentionBefore,
	"spätestens": memory.MentionBy, "uiterlijk": memory.MentionBy, "than": memory.MentionBy, "eod": memory.MentionBy,
	"cob": memory.MentionBy, "depuis": memory.MentionSince, "jusqu'au": memory.MentionUntil,
	"jusqu'à": memory.MentionUntil, "avant": memory.MentionBefore, "dès": memory.MentionFrom,
	"desde": memory.MentionSince, "hasta": memory.MentionUntil, "antes": memory.MentionBefore, "dal": memory.MentionFrom,
	"entro": memory.MentionBy, "fino": memory.MentionUntil, "sinds": memory.MentionSince, "tot": memory.MentionUntil,
	"vanaf": memory.MentionFrom, "vóór": memory.MentionBefore, "até": memory.MentionUntil, "od": memory.MentionSince,
}

// anchored completes a span that timex read. For an expression such as "since March", which timex
// reads as everything from March on, it returns March itself with the relation since. It is false
// for what is no time to keep: without a bound, a decade, or hours and minutes away.
func anchored(text string, s span, said time.Time) (span, bool) {
	low := strings.ToLower(text[s.start:s.end])
	s.relation = relationBefore(text[:s.start])
	for word, relation := range leads {
		rest, ok := strings.CutPrefix(low, word+" ")
		if !ok {
			continue
		}
		s.relation = relation
		rest = strings.TrimSuffix(rest, " on")
		at := s.start + len(word) + 1
		inner := timex.Find(text[at:at+len(rest)], said)
		if len(inner) != 1 {
			inner = timex.Find("in "+rest, said) // timex reads a bare year or season only behind "in"
		}
		if len(inner) != 1 {
			return s, false
		}
		s.from, s.to, s.precision = inner[0].From, inner[0].To, inner[0].Precision
		break
	}
	if s.from.Equal(timex.Earliest) || s.to.Equal(timex.Latest) || s.precision == timex.Decade || hours(low) {
		return s, false
	}
	s.fixed, s.every = recurring(low, s)
	return s.narrowed(low), true
}

// narrowed makes a span narrower where people mean less than timex reads: "two weeks ago" is one
// day, "by the end of May" is its last day, and a night belongs to the day on which it begins.
func (s span) narrowed(low string) span {
	if night := day(s.from).AddDate(0, 0, 1); s.precision == timex.Moment && s.to.After(night) && s.from.Before(night) {
		s.to = night
	}
	week := has(low, "week", "weeks", "fortnight")
	switch {
	case week && s.precision == timex.Week && has(low, "ago", "in", "from"):
		middle := s.from.Add(s.to.Sub(s.from) / 2)
		s.from = day(middle)
		s.to = s.from.AddDate(0, 0, 1)
	case has(low, "end") && (s.relation == memory.MentionBy || s.relation == memory.MentionUntil):
		s.from = s.to.AddDate(0, 0, -1)
	}
	return s
}

// hours reports whether an expression counts hours, minutes or seconds.
func hours(low string) bool {
	return has(low, "hour", "hours", "minute", "minutes", "second", "seconds")
}

// recurring returns fixed for an expression that says itself which time it means ("next Friday",
// "March 2024"), and otherwise the step between the times that it may mean: 7 days for "Friday", a
// year for "March". low is the expression in lower case.
func recurring(low string, s span) (fixed bool, every step) {
	switch {
	case strings.Contains(low, " of ") && has(low, months...) && !year(low): // "the last week of January"
		return false, step{years: 1}
	case has(low, "last", "past", "ago", "yesterday", "today", "tonight", "tomorrow", "this", "next", "previous", "coming", "following",
		"now") || year(low):
		return true, step{}
	case has(low, weekdays...) && !strings.ContainsAny(low, "0123456789") && !has(low, months...):
		return false, step{days: 7}
	case s.precision <= timex.Year && s.to.Sub(s.from) < 200*24*time.Hour &&
		(has(low, months...) || has(low, seasons...) || has(low, holidays...) || quarter(low)):
		return false, step{years: 1}
	}
	return true, step{}
}

func quarter(low string) bool {
	return len(low) >= 2 && strings.Contains(low, "q") && strings.ContainsAny(low, "1234")
}

// year reports whether a text has a year in digits.
func year(low string) bool {
	run := 0
	for i := 0; i <= len(low); i++ {
		if i < len(low) && low[i] >= '0' && low[i] <= '9' {
			run++
			continue
		}
		if run == 4 {
			return true
		}
		run = 0
	}
	return false
}

var (
	weekdays = strings.Fields("monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thurs fri sat sun")
	months   = strings.Fields("january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec mid-january mid-february mid-march mid-april mid-may mid-june mid-july mid-august mid-september mid-october mid-november mid-december")
	seasons  = strings.Fields("spring summer autumn fall winter")
	holidays = strings.Fields("new boxing valentine's hanukkah christmas easter halloween thanksgiving eve year's")
)

// has reports whether a text in lower case has one of some words.
func has(low string, words ...string) bool {
	for f := range strings.FieldsSeq(low) {
		if f = strings.Trim(f, ".,;:!?()\""); slices.Contains(words, f) {
			return true
		}
	}
	return false
}

// Absolute reports whether an expression says its day by figures, with or without the year:
// "20 March", "2026-03-20".
func Absolute(expression string) bool {
	low := strings.ToLower(expression)
	return strings.ContainsAny(low, "0123456789") && (has(low, months...) || year(low))
}

func day(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, t.Location())
}

// relationBefore returns the relation that the last words before an expression tell, such as
// "until" of "until the end of", and [memory.MentionIn] if they tell none.
func relationBefore(before string) memory.MentionRelation {
	words := strings.Fields(strings.ToLower(before))
	for n := 0; n < 4 && n < len(words); n++ {
		w := strings.Trim(words[len(words)-1-n], "(\"")
		if strings.ContainsAny(w[max(0, len(w)-1):], ".,;:!?") {
			break
		}
		if r, ok := leads[w]; ok && (w != "from" || n < 2) {
			return r
		}
		if w == "of" && n+1 < len(words) && words[len(words)-2-n] == "as" {
			return memory.MentionFrom
		}
		if !slices.Contains([]string{"the", "on", "at", "in", "zum", "dem", "end", "this", "next", "of", "beginning", "start",
			"again"}, w) {
			break
		}
	}
	return memory.MentionIn
}

// joined merges expressions that are the two ends of a range, as in "from Monday to Wednesday" or
// "between May and July", into one span. An end that recurs and lies before its beginning is
// moved on until it does not.
func joined(text string, spans []span) []span {
	var list []span
	for _, s := range spans {
		if n := len(list); n > 0 {
			last := &list[n-1]
			between := strings.TrimSpace(strings.ToLower(text[last.end:s.start]))
			if slices.Contains([]string{"to", "until", "till", "through", "-", "–", "bis", "to the", "until the", "and"}, between) &&
				(between != "and" || strings.HasSuffix(strings.ToLower(text[:last.start]), "between ")) ||
				s.relation == memory.MentionUntil && between == "" && (last.relation == memory.MentionFrom || last.fixed) {
				for s.to.Before(last.to) && !s.every.none() {
					s.from, s.to = s.every.add(s.from), s.every.add(s.to)
				}
				if !s.to.Before(last.to) {
					last.to, last.end, last.relation, last.again = s.to, s.end, memory.MentionIn, nil
					last.fixed = last.fixed || s.fixed
					continue
				}
			}
		}
		list = append(list, s)
	}
	return list
}
