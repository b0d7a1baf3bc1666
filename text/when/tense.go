package when

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"time"

	"mcp-memory/memory"
	"mcp-memory/text/lazyregexp"
	"mcp-memory/text/timex"
)

// tense is what the verbs of a clause say of its time.
type tense int

const (
	open   tense = iota // no verb tells
	past                // it tells what was
	coming              // it speaks of what is, is planned or is due
)

// directed moves a span that recurs ("on Friday") to the occurrence that is meant: the last one in
// a clause in the past, else the next one. Some words decide whatever the tense: "since" looks
// back, "moved to" and "extended until" look ahead, and so do "by" (unless with "was", "were" or "had") and "for" if
// the text is not a question. A question without a tense is about the nearest occurrence, and so is
// one in the present or future about a time of the year that is over this year.
func directed(t translation, s span, clause string, said time.Time, asked bool) span {
	if s.fixed || s.every.none() {
		return s
	}
	told := t.tense(clause)
	if told == open {
		told = t.tense(sentenceOf(t.text, s.start))
	}
	today := day(said)
	ahead := told != past
	switch {
	case s.relation == memory.MentionSince:
		ahead = false
	case strings.HasSuffix(strings.ToLower(t.text[:s.start]), " to ") &&
		has(strings.ToLower(clause), "moved", "pushed", "postponed", "rescheduled", "shifted", "delayed", "slipped", "slips"):
		ahead = true
	case !asked && s.relation == memory.MentionUntil && has(strings.ToLower(clause), granting...):
		ahead = true
	case !asked && (lastWord(t.text[:s.start]) == "for" ||
		s.relation == memory.MentionBy && !has(strings.ToLower(clause), "was", "were", "had")):
		ahead = true
	case asked && told == open, asked && told == coming && s.every.years > 0 && !s.to.After(today): // the nearest
		next := s.every.add(s.from)
		ahead = next.Sub(said) < said.Sub(s.to)
	}
	for !ahead && s.from.After(said) {
		s = s.by(-1)
	}
	for ahead && !s.to.After(today) {
		s = s.by(1)
	}
	return s
}

// by returns the span moved to its next (sign 1) or previous (-1) occurrence.
func (s span) by(sign int) span {
	if s.again != nil {
		s.from = s.again(s.from, sign)
		s.to = s.from.AddDate(0, 0, 1)
		return s
	}
	e := step{sign * s.every.years, sign * s.every.months, sign * s.every.days}
	s.from, s.to = e.add(s.from), e.add(s.to)
	return s
}

const ends = ".!?;\n"

// sentenceOf returns the sentence around a place.
func sentenceOf(text string, at int) string {
	from := strings.LastIndexAny(text[:at], ends) + 1
	to := len(text)
	if i := strings.IndexAny(text[at:], ends); i >= 0 {
		to = at + i
	}
	return text[from:to]
}

// clauseOf returns the clause around an expression.
func clauseOf(text string, start, end int) string {
	from := strings.LastIndexAny(text[:start], ends+",:()") + 1
	to := len(text)
	if i := strings.IndexAny(text[end:], ends+",:()"); i >= 0 {
		to = end + i
	}
	for _, word := range []string{" and ", " but ", " so ", " because "} {
		if i := strings.LastIndex(text[from:start], word); i >= 0 {
			from += i
		}
		if i := strings.Index(text[end:to], word); i >= 0 {
			to = end + i
		}
	}
	return text[from:to]
}

// tenseOf returns the tense of an English clause. The first word that tells decides: a word of the
// future ("will", "due") for coming, a verb in the past for past, unless it is a participle
// ("is closed"). A clause with verbs in the present alone is coming, one without verbs open.
func tenseOf(clause string) tense {
	words := strings.FieldsFunc(strings.ToLower(clause),
		func(r rune) bool { return r != '\'' && r != '’' && (r < 'a' || r > 'z') && r < 128 })
	present := false
	for i, w := range words {
		w = strings.ReplaceAll(w, "’", "'")
		before := ""
		if i > 0 {
			before = words[i-1]
		}
		switch {
		case slices.Contains(future, w), strings.HasSuffix(w, "'ll"):
			return coming
		case w == "has" || w == "have":
			if i+1 < len(words) && (words[i+1] == "to" || words[i+1] == "a" || words[i+1] == "the" || words[i+1] == "an") {
				return coming
			}
			if i+2 < len(words) && words[i+1] == "got" && slices.Contains(articles, words[i+2]) {
				return coming // "has got an appointment"
			}
			if i+1 < len(words) && (isPast(words[i+1]) || participles[words[i+1]]) || i+2 < len(words) && isPast(words[i+2]) {
				return past
			}
			present = true
		case strings.HasSuffix(w, "'ve"):
			if i+1 >= len(words) || words[i+1] != "got" {
				return past
			}
			return coming
		case slices.Contains(being, w) || strings.HasSuffix(w, "'s") && pronoun(strings.TrimSuffix(w, "'s")) ||
			strings.HasSuffix(w, "'re") || strings.HasSuffix(w, "'m"):
			present = true
		case slices.Contains(goes, w):
			present = true
		case isPast(w):
			if slices.Contains(articles, before) || slices.Contains(being, before) || strings.HasSuffix(before, "'s") ||
				strings.HasSuffix(before, "'re") || before == "be" || before == "get" || before == "gets" {
				continue // "is closed"
			}
			if present && !slices.Contains([]string{"was", "were", "had", "did"}, w) {
				continue
			}
			if slices.Contains(resolved, w) && i+1 < len(words) && words[i+1] == "to" {
				return coming
			}
			return past
		}
	}
	if present {
		return coming
	}
	if len(words) > 0 && words[0] == "been" {
		return past
	}
	return open
}

func pronoun(w string) bool {
	return slices.Contains([]string{"it", "he", "she", "that", "there", "who", "what", "when", "where", "here"}, w)
}

var (
	future = strings.Fields("will won't shall going gonna must should next due deadline tomorrow upcoming planned scheduled needs need can may plans plan until-then")
	being  = strings.Fields("is are am isn't aren't")
	// articles stand before a noun or an adjective that looks like a verb in the past: "a cast".
	articles = strings.Fields("a an the my your his her our their")
	// goes are verbs in the present that are said of what is to come: "the train leaves on Friday".
	goes = strings.Fields("decides takes visits meets moves leaves starts begins ends comes goes arrives opens closes expires returns slips")
	// resolved are verbs in the past that with "to" speak of what is to come: "decided to".
	resolved = strings.Fields("decided agreed promised arranged intended")
)

// granting are verbs in the past of what is done in a moment, so that "until" says when it ends, which
// is to come: "lent us the van until Monday", not "lived in Graz until May".
var granting = strings.Fields(`extended prolonged renewed postponed delayed pushed moved paused suspended lifted banned forbidden blocked
	lent borrowed rented leased hired booked reserved granted gave given got received signed closed locked frozen froze
	scheduled promised insured`)

//go:embed past.txt
var pastFile string

var pasts = sync.OnceValue(func() map[string]bool {
	all := map[string]bool{}
	for f := range strings.FieldsSeq(pastFile) {
		all[f] = true
	}
	return all
})

var participles = map[string]bool{"been": true, "gone": true, "done": true, "seen": true, "taken": true, "given": true, "written": true,
	"broken": true, "chosen": true, "driven": true, "eaten": true, "fallen": true, "forgotten": true,
	"known": true, "shown": true, "stolen": true, "worn": true, "become": true, "begun": true, "grown": true}

// isPast reports whether a word is a verb in the past.
func isPast(w string) bool {
	if pasts()[w] {
		return true
	}
	return strings.HasSuffix(w, "ed") && len(w) > 4 && !strings.HasSuffix(w, "eed") && !slices.Contains(notPast, w)
}

var notPast = strings.Fields("hundred sacred naked wicked rugged united bed-sized red-haired embed unified shed limited advanced")

// habit reports whether a sentence tells of something that recurs: "every Friday", "on Mondays".
func habit(sentence string) bool {
	low := strings.ToLower(sentence)
	if (strings.Contains(low, "day of ") || strings.Contains(low, "day in ")) && monthly().MatchString(low) {
		return true
	}
	words := strings.FieldsFunc(low, func(r rune) bool { return r != '\'' && (r < 'a' || r > 'z') })
	for i, w := range words {
		if (w == "every" || w == "each") && i+1 < len(words) {
			next := words[i+1]
			if next == "other" || next == "second" || next == "third" || next == "single" || next == "last" || next == "first" {
				next = words[min(i+2, len(words)-1)]
			}
			if slices.Contains(weekdays, next) || slices.Contains(months, next) ||
				slices.Contains(repeats, strings.TrimSuffix(next, "s")) || slices.Contains(seasons, next) {
				return true
			}
		}
		if strings.HasSuffix(w, "s") && slices.Contains(weekdays[:7], strings.TrimSuffix(w, "s")) &&
			(i+1 == len(words) || words[i+1] != "ago") || w == "nightly" || w == "daily" || w == "weekly" || w == "monthly" ||
			w == "weekdays" || w == "weekends" ||
			slices.Contains(seasons, strings.TrimSuffix(w, "s")) && strings.HasSuffix(w, "s") && w != "falls" && w != "springs" {
			return true
		}
	}
	return false
}

// monthly finds a day of every month, quarter or year: "the last Friday of the month".
var monthly = lazyregexp.New(`\b(?:first|second|third|fourth|last|1st|2nd|3rd|4th) (?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|working day|day) (?:of|in) (?:the|a|each|every) (?:month|quarter|year)\b`)

var repeats = strings.Fields("day week month year night morning evening afternoon weekend weekday quarter fortnight spring summer autumn winter")

// attributive reports whether what looks like a time is a part of a name or of another thing:
// "the Friday rule", "a cat called Friday", "Wednesday is a series".
func attributive(text string, s span) bool {
	low := strings.ToLower(text[s.start:s.end])
	before, after := lastWord(text[:s.start]), firstWord(text[s.end:])
	switch {
	case title(text, s):
		return true
	case slices.Contains([]string{"called", "named", "nicknamed", "surname", "titled", "calls", "certain"}, before):
		return true
	case strings.HasSuffix(low, "the weekend") && after == "of": // the date that follows says which
		return true
	case (low == "yesterday" || low == "tomorrow" || low == "today") && (strings.EqualFold(after, "is") || strings.EqualFold(after, "by")):
		return s.start == 0 || strings.HasSuffix(strings.TrimSpace(text[:s.start]), ".")
	case s.fixed || s.precision != timex.Day || !slices.Contains(weekdays, low):
		return false
	case before == "the":
		return !slices.Contains([]string{"", "before", "after", "of"}, strings.ToLower(after))
	case before == "a" || before == "an":
		return true
	case strings.EqualFold(after, "is") || strings.EqualFold(after, "was") || strings.EqualFold(after, "has"):
		return before == "" && !has(strings.ToLower(sentenceOf(text, s.start)), "deadline", "off", "meeting")
	}
	// A name: "Sunday House".
	return after != "" && after[0] >= 'A' && after[0] <= 'Z' && after != "I" && !strings.HasPrefix(after, "I'") && before != "on" &&
		before != "by" && before != "" && before != "until" && before != "since"
}

// title reports whether an expression stands inside a title or name by its capitals: "The Day
// After Tomorrow", "Slow Sunday".
func title(text string, s span) bool {
	words := strings.Fields(text[s.start:s.end])
	sentence := sentenceOf(text, s.start)
	if len(words) > 1 && !strings.HasPrefix(strings.TrimSpace(sentence), text[s.start:s.end]) {
		capitals := 0
		for _, w := range words {
			if w[0] >= 'A' && w[0] <= 'Z' {
				capitals++
			}
		}
		if capitals == len(words) && !has(strings.ToLower(text[s.start:s.end]), months...) &&
			!has(strings.ToLower(text[s.start:s.end]), holidays...) &&
			strings.ContainsAny(text[s.start:s.end], "abcdefghijklmnopqrstuvwxyz") &&
			has(strings.ToLower(text[s.start:s.end]), "tomorrow", "yesterday", "today") {
			return true
		}
	}
	if len(words) != 1 || !slices.Contains(weekdays, strings.ToLower(words[0])) {
		return false
	}
	before := strings.Fields(text[:s.start])
	if len(before) < 2 {
		return false
	}
	last := before[len(before)-1]
	return last[0] >= 'A' && last[0] <= 'Z' && strings.Trim(last, "abcdefghijklmnopqrstuvwxyz") == last[:1] && len(last) > 2 &&
		!strings.ContainsAny(before[len(before)-2], ".!?:") &&
		!slices.Contains([]string{"on", "by", "until", "since", "next", "last", "this", "cob", "eod", "before", "after", "from", "every"},
			strings.ToLower(last))
}

func lastWord(text string) string {
	trimmed := strings.TrimRight(text, " ")
	if trimmed == "" || strings.ContainsAny(trimmed[len(trimmed)-1:], ".,;:!?()") {
		return ""
	}
	return strings.ToLower(trimmed[strings.LastIndexAny(trimmed, " \n\t")+1:])
}

func firstWord(text string) string {
	if !strings.HasPrefix(text, " ") {
		return ""
	}
	w, _, _ := strings.Cut(text[1:], " ")
	return strings.TrimRight(w, ".,;:!?)")
}
