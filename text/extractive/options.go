package extractive

import (
	"slices"
	"strings"

	"mcp-memory/text/analysis"
	"mcp-memory/text/lazyregexp"
)

var (
	// listItem is an item of a list, which can be chosen by its number or letter, or by its place.
	listItem = lazyregexp.New(`(?m)^[ \t]*[*_]{0,2}(?:[Oo]ption )?(?:\(?(\d{1,2}|[A-Ha-h])[.):][*_]{0,2}|[-*•])[ \t]+(\S.*)$`)
	// choosing is an answer that chooses one, and what follows that.
	choosing = lazyregexp.New(`(?i)^(?:(?:let's |i'd |i'll )?(?:go with|take|use|prefer|choose|do|say|pick) )?((?:option|number|no\.?|variant|the) )?` +
		`\(?(\d{1,2}|[a-h]|first|second|third|fourth|last|former|latter)\)?( one| option)?((?:,? please)?[.!]?$|[,.;:!] .*$| (?:for|as|because|since|but|then) .*$)`)
	// itemWithin begins an item of a list that stands in a line: "Two ways: (a) keep it, (b) drop it."
	itemWithin = lazyregexp.New(`[\s,;:.](?:\(?(?:(\d)|([a-h]))\)|(\d)\.)[ \t]+`)
	// gloss is what explains an item behind its name.
	gloss = lazyregexp.New(`(?:: | - | – | — | \().*$`)
)

// itemised puts the items of a list that stands in a line on lines of their own, if there are two or more
// in their order, and what follows the last one.
func itemised(text string) string {
	found := itemWithin().FindAllStringSubmatchIndex(text, -1)
	if len(found) < 2 || listItem().MatchString(text) {
		return text
	}
	for i, at := range found {
		label, first := max(at[2], at[6]), byte('1')
		if label < 0 {
			label, first = at[4], 'a'
		}
		if text[label] != first+byte(i) {
			return text
		}
	}
	last := found[len(found)-1][1]
	if end := strings.Index(text[last:], ". "); end >= 0 {
		text = text[:last+end+1] + "\n" + text[last+end+2:]
	}
	for _, at := range slices.Backward(found) {
		text = strings.TrimSuffix(text[:at[0]], " or") + "\n" + strings.TrimLeft(text[at[0]:], " ,;:.")
	}
	return text
}

// offers finds the words around a list by which it is one to choose from.
var offers = lazyregexp.New(`(?i)\b(?:which|options?|choices?|choose|pick|alternatives?|variants?|prefer|number|letter|either|one of|consider|could|would go with|(?:good|other|more|these) ones)\b`)

// countsOf finds a question whose answer is a number and no option.
var countsOf = lazyregexp.New(`(?i)\bhow (?:many|much|long|often|old|big|far|large)\b|\b(?:port|version|number|percent|digits?|days?|dates?|hours?|times?)\b`)

// beforeOptions returns the question that a list of options follows, "" if there is none, or more
// than a call to choose stands behind the list.
func beforeOptions(text string) string {
	spans := listItem().FindAllStringSubmatchIndex(text, -1)
	if len(spans) < 2 {
		return ""
	}
	behind := analysis.Sentences(plainLines(text[spans[len(spans)-1][1]:]))
	if len(behind) > 1 || len(behind) == 1 && len(cut(behind[0])) > maxCall {
		return ""
	}
	all := analysis.Sentences(plainLines(text[:spans[0][0]]))
	if len(all) == 0 || !strings.HasSuffix(all[len(all)-1], "?") {
		return ""
	}
	return all[len(all)-1]
}

// maxCall is how many words a call to choose has at most: "Just tell me the number!"
const maxCall = 8

var places = map[string]int{"first": 0, "former": 0, "second": 1, "third": 2, "fourth": 3}

// placeOf returns the place that a word names among so many, -1 if it names none of them.
func placeOf(low string, of int) int {
	at, ok := places[low]
	switch {
	case low == "last" || low == "latter":
		return of - 1
	case !ok || at >= of || low == "former" && of != 2:
		return -1
	}
	return at
}

// chosen returns what to read in place of a turn that chooses from the assistant's list ("2", "option
// B, we know it", "the second one"): the item, or where no question tells what for, what it was chosen
// over; then what the turn says besides. It is nil if the turn is no such answer.
func (m *message) chosen() []string {
	x, position, who := m.x, m.s.turn, m.s.speaker
	answer := choosing().FindStringSubmatch(strings.TrimSpace(x.turns[position].Content))
	turn, ok := x.turnBefore(position, who)
	question := m.s.previous
	offered := itemised(turn.Content)
	if answer == nil || !ok || strings.HasSuffix(question, "?") && countsOf().MatchString(question) {
		return nil
	}
	var labels, items []string
	for _, item := range listItem().FindAllStringSubmatch(offered, -1) {
		if strings.HasSuffix(strings.TrimSpace(item[2]), "?") {
			return nil
		}
		labels, items = append(labels, item[1]), append(items, plain(strings.TrimSpace(item[2])))
	}
	said := strings.ToLower(answer[2])
	at := placeOf(said, len(items))
	rest := strings.TrimLeft(strings.TrimSuffix(answer[4], "please"), " ,.;:!")
	if at >= 0 && rest != "" && answer[1]+answer[3] == "" {
		return nil // "First, I checked the logs."
	}
	for i, label := range labels {
		if strings.EqualFold(label, said) {
			at = i
		}
	}
	behind := cut(rest) // may open the choice again ("or 2", "no, wait"), go on to choose ("b and c"), or ask
	reopens := strings.Contains(rest, "?") || len(behind) > 0 && (number(behind[0].low) ||
		len(behind[0].low) == 1 && behind[0].low != "i" || in("revision", behind) || in("wait", behind) || in("guess", behind))
	if len(items) < 2 || at < 0 || reopens {
		return nil
	}
	item := items[at]
	if words := strip(expand(cut(question)), x.names); len(words) > 0 && strings.HasSuffix(question, "?") && openQuestions[words[0].low] {
		m.asked = aboutUser(words, who)
	}
	if words := expand(cut(item)); mentions(words, firstPerson) || mentions(words, secondPerson) {
		item = join(swapped(words)) // as the user would say it
	}
	over := shortItems(items)
	if m.asked == "" && (over == nil || !offers().MatchString(listItem().ReplaceAllString(offered, ""))) {
		return nil
	}
	if over != nil && (m.asked == "" || goesOn(m.asked) || in("asksWhich", cut(question))) {
		m.asked, item = "", "I chose "+chosenFrom(over, at)
	}
	switch {
	case len(behind) == 0:
		return []string{item}
	case leaning[behind[0].low]:
		return []string{strings.TrimRight(item, ".") + ", " + rest}
	}
	return []string{item, rest}
}

// chosenFrom writes what was chosen of alternatives: "Redis over Memcached", "to wait rather than retry".
func chosenFrom(all []string, at int) string {
	others := slices.Concat(all[:at], all[at+1:])
	if !slices.ContainsFunc(all, func(one string) bool { return kindOf(cut(one)[0]) != "verb" }) {
		for i := range others {
			others[i] = small(others[i])
		}
		return "to " + small(all[at]) + " rather than " + strings.Join(others, " or ")
	}
	return all[at] + " over " + enumerated(others)
}

// openQuestions begin a question whose answer is no yes or no.
var openQuestions = set("what where when how which who whose")

// shortItems returns the items of a list without what explains them, nil if they are no mere names.
func shortItems(items []string) []string {
	var short []string
	for _, item := range items {
		item = strings.TrimRight(gloss().ReplaceAllString(item, ""), ".,;")
		if words := cut(item); len(words) == 0 || len(words) > maxLabel || len(words) > 1 && finite(words) {
			return nil
		}
		short = append(short, item)
	}
	return short
}

// enumerated writes a list: "a, b and c".
func enumerated(all []string) string {
	last := len(all) - 1
	if last < 1 {
		return strings.Join(all, "")
	}
	return strings.Join(all[:last], ", ") + " and " + all[last]
}
