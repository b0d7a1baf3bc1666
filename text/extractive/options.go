package extractive

import (
	"strings"

	"mcp-memory/text/analysis"
	"mcp-memory/text/lazyregexp"
)

var (
	// option is an item of a list that can be chosen by its number or letter.
	option = lazyregexp.New(`(?m)^[ \t]*(?:[*_]{0,2})(?:Option |option )?(\d{1,2}|[A-Ha-h])[.):][*_]{0,2}[ \t]+(\S.*)$`)
	// choosing is an answer that chooses one.
	choosing = lazyregexp.New(`(?i)^(?:(?:let's |i'd |i'll )?(?:go with|take|use|prefer|choose|do) )?` +
		`(?:option|number|no\.?|variant|the)? ?(\d{1,2}|[a-h]|first|second|third|fourth|last)(?: one| option)?(?:,? please)?[.!]?$`)
)

// countsOf finds a question whose answer is a number and no option.
var countsOf = lazyregexp.New(`(?i)\bhow (?:many|much|long|often|old|big|far|large)\b|\b(?:port|version|number|percent|digits?|days?|dates?|hours?|times?)\b`)

// beforeOptions returns the question that a list of options follows at the end of a text, "" if there
// is none.
func beforeOptions(text string) string {
	spans := option().FindAllStringIndex(text, -1)
	if len(spans) < 2 || strings.TrimSpace(text[spans[len(spans)-1][1]:]) != "" {
		return ""
	}
	all := analysis.Sentences(plainLines(text[:spans[0][0]]))
	if len(all) == 0 || !strings.HasSuffix(all[len(all)-1], "?") {
		return ""
	}
	return all[len(all)-1]
}

var ordinalsOfOptions = map[string]int{"first": 0, "second": 1, "third": 2, "fourth": 3}

// chosen returns the item of the assistant's list that a turn chooses ("2", "option B", "the second
// one"), "" if the turn is no such answer.
func (x *extraction) chosen(position int, who person) string {
	m := choosing().FindStringSubmatch(strings.TrimSpace(x.turns[position].Content))
	turn, ok := x.turnBefore(position, who)
	if m == nil || !ok {
		return ""
	}
	if question, _ := x.before(position, who); countsOf().MatchString(question) {
		return ""
	}
	options := option().FindAllStringSubmatch(turn.Content, -1)
	if len(options) < 2 {
		return ""
	}
	said := strings.ToLower(m[1])
	at, ok := ordinalsOfOptions[said]
	if said == "last" {
		at, ok = len(options)-1, true
	}
	for i, o := range options {
		if strings.EqualFold(o[1], said) {
			at, ok = i, true
		}
	}
	if !ok || at >= len(options) {
		return ""
	}
	return plain(strings.TrimSpace(options[at][2]))
}
