package extractive

import (
	"iter"
	"slices"
	"strings"
	"time"
	"unicode"

	"mcp-memory/text/analysis"
	"mcp-memory/text/lazyregexp"
)

// replace reads a correction ("make that 20:30, at 21:30 I'm asleep") and writes the right value
// into the fact that has the wrong one, whose first version is gone. It reports whether it did.
// first is set while nothing of the turn was taken yet: then a value alone may be an answer to the
// assistant, and counts only if the correction is explicit or names the wrong value too.
func (x *extraction) replace(s said, first bool) bool {
	if x.exchangeNames(s.words) {
		return true
	}
	if !in("revision", s.opening) && !in("revision", s.words) ||
		corrective[s.opening[0].low] && !denying(s.opening) && !in("noMore", s.opening) {
		return false
	}
	if !first || in("explicit", s.opening) || in("explicit", s.words) { // else it answers the assistant
		if lead := pointed(leading(s.words)); len(lead) < 6 && (len(lead) < len(s.words) || len(lead) < 5) &&
			x.exchange(lead, s.at, x.talk.from) {
			return true
		}
	}
	return x.exchangeValues(s.opening)
}

// leading returns the first clause of a correction, which has the value, as "20:30," of "20:30, at
// 21:30 I'm asleep". What follows only tells why.
func leading(words []word) []word {
	for i, w := range words {
		if w.ends() && !strings.HasSuffix(w.post, ":") {
			return words[:i+1]
		}
	}
	return words
}

// unit returns the word behind a value, which tells what the value counts: "euros" of "45 euros".
// It is "" if there is none.
func unit(text, value string) string {
	words := cut(text)
	for i, w := range words {
		if w.text == value && i+1 < len(words) && !w.ends() && !analysis.IsStop(words[i+1].low) {
			return words[i+1].low
		}
	}
	return ""
}

// only returns the one word of words that fits, "" if none does, or several do.
func only(words []word, fits func(word) bool) string {
	one := ""
	for _, w := range words {
		switch {
		case !fits(w):
		case one != "" && one != w.text:
			return ""
		default:
			one = w.text
		}
	}
	return one
}

// onlyOf returns the only word of a shape (see shape) in a text.
func onlyOf(text, form string) string {
	return only(cut(text), func(w word) bool { return shape(w.text) == form })
}

// onlyValue returns the only word with a shape in a text.
func onlyValue(text string) string {
	return only(cut(text), func(w word) bool { return shape(w.text) != "" })
}

// counted returns the only number in a text that counts what a unit names: "3" of "3 retries with 20
// seconds in between" and "retries".
func counted(text, of string) string {
	return only(cut(text), func(w word) bool { return of != "" && shape(w.text) == "number" && unit(text, w.text) == of })
}

// onlyOrdinal returns the only day in words: "27th" of "the 27th".
func onlyOrdinal(words []word) string {
	return only(words, func(w word) bool {
		day := strings.TrimRight(w.low, "sthnrd")
		return day != w.low && len(day) <= 2 && number(day) && !numberWords[day]
	})
}

// exchange replaces the value in the last fact by the one in rest, the words of a correction: "The
// call is on Tuesday. Wait, Wednesday." Both have to be of one sort. The last fact counts only if
// its index is at least from; said is when the correction was said. It reports whether a value was
// replaced.
func (x *extraction) exchange(rest []word, said time.Time, from int) bool {
	f := x.latest(from)
	return f != nil && f.exchange(rest, said)
}

// exchange does what [extraction.exchange] does, in one fact.
func (f *draft) exchange(rest []word, said time.Time) bool {
	if len(rest) > 5 {
		rest = leading(rest)
	}
	rest = pointed(rest[opening("meant", rest):])
	if len(rest) > 1 && shape(rest[0].text) == "number" && subordinators[rest[1].low] {
		rest = rest[:1]
	}
	if len(rest) == 0 || len(rest) > 5 {
		return false
	}
	now := finish(join(rest))
	if date := onlyDate(f.Content); date != "" { // the day is one to come, or past, as that is
		tense := "It was "
		if at, err := time.Parse(dayLayout, date); err == nil && !at.Before(said.Truncate(24*time.Hour)) {
			tense = "It is "
		}
		now = absolute(tense+join(rest), said).text
	}
	if n := len(f.ends); n > 0 { // the sentence that was added last, before all of them
		head, tail := f.Content[:f.ends[n-1]], f.Content[f.ends[n-1]:]
		if mended, ok := exchangeIn(tail, now, rest); ok {
			if old := onlyValue(tail); old != "" && onlyValue(head) == old { // said twice
				if same, ok := exchangeIn(head, now, rest); ok {
					head = same
				}
			}
			f.amend(head + mended)
			return true
		}
	}
	content, ok := exchangeIn(f.Content, now, rest)
	if ok {
		f.amend(content)
	}
	return ok
}

// exchangeIn returns content with its value replaced by that of a correction; false if that is not
// possible. rest are the words of the correction, now is their text with dates written out. A value
// is replaced only by one of its sort (a date, a month, a name, a shape), and both have to be
// unmistakable.
func exchangeIn(content, now string, rest []word) (string, bool) {
	if negations[rest[0].low] && (rest[0].low != "no" || len(rest) > 1 && rest[1].low == "longer") {
		return "", false // "never on Fridays" is another thing, not another day
	}
	a := onlyDate(content)
	if b := onlyDate(now); a != "" && b != "" {
		return strings.Replace(content, a, b, 1), true
	}
	if day := onlyOrdinal(rest); a != "" && day != "" {
		return strings.Replace(content, a, dayNumber().ReplaceAllString(a, day), 1), true
	}
	if b := onlyMonth(now); b != "" { // whose year is no number to put in the place of another
		a := onlyMonth(content)
		return strings.Replace(content, a, b, 1), a != ""
	}
	old, value := onlyValue(content), onlyValue(now)
	if old == "" && value != "" {
		old = counted(content, unit(now, value))
	}
	if name := onlyName(rest); value == "" && name != "" && shape(name) == "" && (!verbal(rest) || in("renamed", rest)) {
		if old = onlyName(cut(dates().ReplaceAllString(content, ""))); old != "" && old != name { // no month of a date
			return swap(content, old, name), true
		}
	}
	if form := shape(value); old == "" && (form == "time" || form == "weekday" || form == "url" || form == "mail") {
		old = onlyOf(content, form)
	}
	if shape(value) == "weekday" && old != "" {
		if value = strings.ToLower(value); !strings.HasSuffix(old, "s") {
			value = strings.TrimSuffix(value, "s")
		}
		value = likeCase(value, old)
	}
	if hour := sameHour(content, old, value); hour != "" {
		return hour, true
	}
	if old == "" || value == "" || shape(old) != shape(value) {
		return "", false
	}
	if u := unit(now, value); u != "" && u != "now" && u != unit(content, old) {
		return "", false
	}
	return swap(content, old, value), true
}

// sameHour returns content with a time of day in place of another one, of which one is only an hour ("at
// 10" and "9:45"), "" if they are not.
func sameHour(content, old, value string) string {
	times := map[string]string{"time": "number", "number": "time"}
	for _, preposition := range []string{"at ", "at about ", "until ", "from ", "um "} {
		if old != "" && times[shape(old)] == shape(value) && len(value) < 6 && len(old) < 6 && strings.Contains(content, preposition+old) {
			return swap(content, old, value)
		}
	}
	return ""
}

// dates are days with their months, with or without a year.
var dates = lazyregexp.New(`\b(?:\d{1,2}(?:st|nd|rd|th)?(?: of)? (?:` + monthNames + `)(?:,? \d{4})?|(?:` + monthNames +
	`) \d{1,2}(?:st|nd|rd|th)?(?:,? \d{4})?)\b`)

const monthNames = `January|February|March|April|May|June|July|August|September|October|November|December`

// dayNumber is the day in one of dates.
var dayNumber = lazyregexp.New(`\b\d{1,2}(?:st|nd|rd|th)?\b`)

// onlyDate returns the only date in a text, "" if there is none or more.
func onlyDate(text string) string {
	if found := dates().FindAllString(text, 2); len(found) == 1 {
		return found[0]
	}
	return ""
}

var monthsNamed = lazyregexp.New(`\b(?:` + monthNames + `)(?: \d{4})?\b`)

// onlyMonth returns the only month, with its year if it has one, in a text without days, "" if there
// is none or more.
func onlyMonth(text string) string {
	if found := monthsNamed().FindAllString(text, 2); len(found) == 1 && !dates().MatchString(text) {
		return found[0]
	}
	return ""
}

// shape returns the sort of a value by its form: "time" ("20:30"), "number", "code" (digits with
// letters, "PB-123"), "weekday", "mail" or "url"; "" for a plain word.
func shape(text string) string {
	digits := strings.ContainsFunc(text, unicode.IsDigit)
	switch {
	case strings.Contains(text, "@") && strings.Contains(text, "."):
		return "mail"
	case strings.Contains(text, "://"):
		return "url"
	case digits && strings.Contains(text, ":"):
		return "time"
	case digits && strings.ContainsFunc(text, unicode.IsLetter):
		return "code"
	case digits:
		return "number"
	case weekdays[strings.ToLower(text)] || weekdays[strings.TrimSuffix(strings.ToLower(text), "s")]:
		return "weekday"
	}
	return ""
}

// has reports whether a value stands in a text as a word of its own.
func has(content, value string) bool { return at(content, value) >= 0 }

// at returns where a value stands in a text as a word of its own, -1 if it
// does not or is empty.
func at(content, value string) int {
	for from := 0; value != ""; {
		i := strings.Index(content[from:], value)
		if i < 0 {
			return -1
		}
		i += from
		end := i + len(value)
		if (i == 0 || !inWord(content[i-1])) &&
			(end == len(content) || !inWord(content[end]) || content[end] == '.' || content[end] == ',') &&
			!(end+1 < len(content) && (content[end] == '.' || content[end] == ',') && inWord(content[end+1])) {
			return i
		}
		from = end
	}
	return -1
}

func inWord(b byte) bool {
	return b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= 0x80 || b == '.' || b == ','
}

// swap replaces a value in a text wherever it stands as a word of its own, unless the new value
// contains the old one.
func swap(content, old, now string) string {
	for i := at(content, old); i >= 0 && !has(now, old); i = at(content, old) {
		content = content[:i] + now + content[i+len(old):]
	}
	return content
}

// exchangeValues reads a correction that names both the wrong and the right value ("8081, not
// 8080"). In each of the latest facts that has one of them it writes the other, and it reports
// whether there was such a fact.
func (x *extraction) exchangeValues(words []word) bool {
	var values []string
	denied := map[string]bool{} // by "not" right before it: never what takes a place
	for i, w := range words {
		if shape(w.text) == "" {
			continue
		}
		if !slices.Contains(values, w.text) {
			values = append(values, w.text)
		}
		denied[w.text] = i > 0 && words[i-1].low == "not" && !words[i-1].ends()
	}
	found := false
	for f := range x.recent() {
		without := func(v string) bool { return !has(f.Content, v) }
		there := slices.DeleteFunc(slices.Clone(values), without)
		if len(there) != 1 {
			continue
		}
		others := slices.DeleteFunc(slices.Clone(values), func(v string) bool { return !without(v) || shape(v) != shape(there[0]) })
		if len(others) == 1 && !denied[others[0]] {
			f.amend(swap(f.Content, there[0], others[0]))
			found = true
		}
	}
	return found
}

// maxBack is how many facts a correction may reach back.
const maxBack = 30

// recent yields the latest facts that were not dropped, the latest first.
func (x *extraction) recent() iter.Seq[*draft] {
	return func(yield func(*draft) bool) {
		for i := len(x.facts) - 1; i >= 0 && i >= len(x.facts)-maxBack; i-- {
			if f := &x.facts[i]; !f.dropped && !yield(f) {
				return
			}
		}
	}
}

// latest returns the last fact, nil if it was dropped or is older than the fact from.
func (x *extraction) latest(from int) *draft {
	last := len(x.facts) - 1
	if last < 0 || last < from || x.facts[last].dropped {
		return nil
	}
	return &x.facts[last]
}
