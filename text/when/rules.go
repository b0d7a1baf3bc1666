package when

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"mcp-memory/text/lazyregexp"
)

const (
	weekdayRE = `(monday|tuesday|wednesday|thursday|friday|saturday|sunday)`
	monthRE   = `(january|february|march|april|may|june|july|august|september|october|november|december)`
	ordinalRE = `(first|second|third|fourth|fifth|last)`
)

// rule reads an expression that timex does not. read gets the groups of a match (see groups) and
// when the text was said; it returns a span without a place and mostly without a relation, or
// false if the match is no time after all.
type rule struct {
	pattern func() *regexp.Regexp
	read    func(g []string, said time.Time) (span, bool)
	needs   trigger // kind of word that the text has to have for the pattern to be tried
	// also are strings, as in [folded], one of which is in every match; none if needs says enough.
	also []string
}

var rules = []rule{
	{lazyregexp.New(`(?i)\b(?:a|one) week (?:on|from|this|next) ` + weekdayRE + `\b|(?i)\b` + weekdayRE + ` (?:in a )?week\b`),
		weekOn, weekdayWord, []string{"week"}},
	{lazyregexp.New(`(?i)\b(?:the )?` + weekdayRE + ` after next\b`), afterNext, weekdayWord, []string{" after next"}},
	{lazyregexp.New(`(?i)\btomorrow week\b`), tomorrowWeek, tomorrowWord, []string{"tomorrow week"}},
	{lazyregexp.New(`(?i)\b(?:this ` + weekdayRE + ` coming|this coming ` + weekdayRE + `|the coming ` + weekdayRE + `)\b`), comingDay,
		weekdayWord, []string{"coming"}},
	{lazyregexp.New(`(?i)\b(?:the )?` + ordinalRE + ` ` + weekdayRE + ` (?:in|of) (?:` + monthRE + `|(next month|this month|the month))\b`),
		nthWeekday, weekdayWord, []string{"first ", "second ", "third ", "fourth ", "fifth ", "last "}},
	{lazyregexp.New(`(?i)\b(?:the )?last ` + weekdayRE + ` before (christmas|easter|new year's(?: eve)?)\b`), weekdayBefore,
		weekdayWord, []string{" before "}},
	{lazyregexp.New(`(?i)\b(?:the )?last working day (?:in|of) ` + monthRE + `\b`), lastWorkingDay, monthWord,
		[]string{"last working day"}},
	{lazyregexp.New(`(?i)\b(?:the )?(first|\d{1,2}(?:st|nd|rd|th)) of (?:the|this) month\b`), dayOfThisMonth, monthUnit, []string{" of th"}},
	{lazyregexp.New(`(?i)\b(?:the )?week (?:of|beginning|starting) the (\d{1,2}(?:st|nd|rd|th))\b`), weekOfDay, ordinalWord,
		[]string{"week of", "week beginning", "week starting"}},
	{lazyregexp.New(`(?i)\b(?:on|by|before|until|till|since|from|starting|after|is|was|due|between|than) (the (\d{1,2}(?:st|nd|rd|th)))(?:$|[.,;:!?)]| ([a-z]*))`),
		dayOfMonth, ordinalWord, theNumber},
	{lazyregexp.New(`(?i)\b(?:from|between) the \d{1,2}(?:st|nd|rd|th)? (?:to|until|till|and|through) (the (\d{1,2}(?:st|nd|rd|th)))(?:$|[.,;:!?)]| ([a-z]*))`),
		dayOfMonth, ordinalWord, theNumber},
	{lazyregexp.New(`(?i)\b(first|second) half of ` + monthRE + `\b`), halfOfMonth, halfWord, []string{" half of "}},
	{lazyregexp.New(`(?i)\b(?:mid|middle of|midway through) next week\b`), midNextWeek, weekUnit, []string{" next week"}},
	{lazyregexp.New(`(?i)\b(one|two|three|four|five|six|\d{1,2}) ` + weekdayRE + `s ago\b`), weekdaysAgo, agoWord, []string{"days ago"}},
	{lazyregexp.New(`(?i)\bthis time last year\b`), aYearAgo, timeWord, []string{"this time last year"}},
	{lazyregexp.New(`(?i)\b(?:tmrw|tmr|tomoz|2moro)\b`), tomorrow, slangWord, nil},
	{lazyregexp.New(`\b([Ii]n (January|February|March|April|May|June|July|August|September|October|November|December))(?:$|[.,;:!?)]| ([a-z]+))`),
		inMonth, monthWord, inNamed},
	{lazyregexp.New(`(?i)\b(?:over|at|on|during|spent|all|whole) (the weekend)\b`), weekend, weekendWord, []string{" the weekend"}},
	{lazyregexp.New(`(?i)\b(the weekend)(?:$|[.,;:!?)]| (?:and|or|but|so|i|we|in|at|with|for|he|she|they|it|[a-z]+ing)\b)`), weekend,
		weekendWord, []string{"the weekend"}},
	{lazyregexp.New(`(?i)\b(good friday|easter monday|easter sunday|easter|whit monday|ascension day)(?: (\d{4}))?\b`), easter, feastWord,
		[]string{"good friday", "easter", "whit monday", "ascension day"}},
	{lazyregexp.New(`\b(Q([1-4])(?: (\d{4}))?)\b`), quarterOf, quarterWord, []string{"q1", "q2", "q3", "q4"}},
	{lazyregexp.New(`(?i)\b(?:on|by|until|before|since) ((\d{1,2})[/.](\d{1,2})\.?)(?:$|[,;:!?) ])`), dayAndMonth, digitsWord, nil},
	{lazyregexp.New(`(?i)\b(?:is|was) ((\d{1,2})/(\d{1,2}))(?:$|[,;:!?) ])`), dayAndMonth, digitsWord, nil},
	{lazyregexp.New(`(?i)\b(mon|tue|wed|thu|fri|sat|sun)[a-z]*\s?[-–]\s?(mon|tue|wed|thu|fri|sat|sun)[a-z]* (next|this|last) week\b`),
		daysOfWeek, weekUnit, []string{" next week", " this week", " last week"}},
	{lazyregexp.New(`(?i)\b(` + strings.Join(feastNames(), "|") + `)\b`), feast, feastWord, feastParts()},
	{lazyregexp.New(`(?i)\b(just now|this very (?:minute|moment|second))\b`), now, nowWord, []string{"just now", "this very "}},
	{lazyregexp.New(`(?i)\bbetween the years\b`), betweenYears, yearsWord, []string{"between the years"}},
}

// mayMatch is false only if the rule finds nothing in a text that has the words there and is low when
// [folded].
func (r rule) mayMatch(there trigger, low string) bool {
	return there&r.needs != 0 &&
		(len(r.also) == 0 || slices.ContainsFunc(r.also, func(part string) bool { return strings.Contains(low, part) }))
}

// folded returns a text in which each letter that (?i) takes for an ASCII letter is that one, small.
func folded(text string) string { return strings.ReplaceAll(strings.ToLower(text), "ſ", "s") }

// each returns the words, each behind lead.
func each(lead string, words ...string) (list []string) {
	for _, w := range words {
		list = append(list, lead+w)
	}
	return list
}

var (
	theNumber = each("the ", strings.Split("0123456789", "")...)
	inNamed   = each("in ", months[:12]...)
)

// trigger is a set of kinds of words, one bit each. A rule is tried only on a text that has a word
// of the kind it needs: matching all patterns with every text would take a hundred times as long.
type trigger uint32

const (
	weekdayWord trigger = 1 << iota
	monthWord
	monthUnit
	weekUnit
	weekendWord
	ordinalWord
	halfWord
	agoWord
	timeWord
	tomorrowWord
	slangWord
	feastWord
	quarterWord
	digitsWord
	nowWord
	yearsWord
)

// triggers maps words in lower case to the kinds that they are of.
var triggers = func() map[string]trigger {
	all := map[string]trigger{
		"month": monthUnit, "week": weekUnit, "weekend": weekendWord,
		"half": halfWord, "ago": agoWord, "time": timeWord, "tomorrow": tomorrowWord,
		"now": nowWord, "very": nowWord, "years": yearsWord, "christmas": weekdayWord,
		"good": feastWord, "easter": feastWord, "whit": feastWord, "ascension": feastWord,
	}
	for w := range strings.FieldsSeq("tmrw tmr tomoz 2moro") {
		all[w] = slangWord
	}
	for _, w := range weekdays {
		all[w] |= weekdayWord
	}
	for _, m := range months[:12] {
		all[m] |= monthWord
	}
	for _, f := range feasts {
		for one := range strings.SplitSeq(f.name, "|") {
			word, _, _ := strings.Cut(one, " ")
			all[strings.TrimRight(word, `\.'`)] |= feastWord
		}
	}
	return all
}()

// dotted reports whether a word has a digit behind a point or slash.
func dotted(word string) bool {
	for i := range len(word) - 1 {
		if (word[i] == '.' || word[i] == '/') && word[i+1] >= '0' && word[i+1] <= '9' {
			return true
		}
	}
	return false
}

// triggersIn returns which kinds of words a text has.
func triggersIn(text string) (found trigger) {
	for f := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(" \t\n,;:!?()\"“”–-", r) }) {
		if f[0] >= '0' && f[0] <= '9' {
			if dotted(f) {
				found |= digitsWord
			}
			if last := f[len(f)-1]; last >= 'a' && last <= 'z' || strings.HasSuffix(f, ".") && len(f) > 2 {
				found |= ordinalWord | triggers[f] | feastWord // "4th of july"
			}
			continue
		}
		if f[0] == 'Q' && len(f) > 1 {
			found |= quarterWord
		}
		if len(f) > 15 {
			continue
		}
		f = strings.TrimRight(strings.ToLower(f), ".'")
		t := triggers[f]
		if t == 0 && strings.HasSuffix(f, "s") {
			t = triggers[strings.TrimSuffix(strings.TrimSuffix(f, "s"), "'")]
		}
		if t == 0 {
			if name, _, ok := strings.Cut(f, "'"); ok {
				t = triggers[name]
			}
		}
		found |= t
	}
	return found
}
