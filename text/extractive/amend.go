package extractive

import (
	"slices"
	"strings"
	"time"

	"mcp-memory/text/lazyregexp"
	"mcp-memory/text/timex"
)

// amend replaces the text of a fact, whose sentences cannot be taken back one by one after that. If
// the date in the text moves, the day on which the event took place moves by as many days.
func (f *draft) amend(content string) {
	year := f.OccurredAt.Year()
	was, then := dateOf(onlyDate(f.Content), year)
	f.Content, f.ends, f.amended = content, nil, true
	if now, ok := dateOf(onlyDate(content), year); ok && then && !f.OccurredAt.IsZero() {
		f.OccurredAt = f.OccurredAt.AddDate(0, 0, int(now.Sub(was).Hours()/24))
	}
}

// dateOf returns the day of one of dates, in a year if it names none.
func dateOf(date string, year int) (time.Time, bool) {
	spans := timex.Find(date, time.Date(year, time.December, 31, 12, 0, 0, 0, time.UTC))
	if len(spans) != 1 {
		return time.Time{}, false
	}
	return spans[0].From, true
}

// goesFurther is a correction that goes on with something else: "No, it's 5433, and the user is heron_dev."
var goesFurther = lazyregexp.New(`(?i)^((?:no|nope|wrong|actually)[,.]? [^,;]{1,60}), and ((?:the|my|our|we|i)\b.{8,})$`)

// untangled takes corrections apart from the values that they go on with.
func untangled(sentences []string) (all []string) {
	for _, text := range sentences {
		if both := goesFurther().FindStringSubmatch(text); both != nil {
			all, text = append(all, both[1]+"."), capital(both[2])
		}
		all = append(all, text)
	}
	return all
}

// midway reads a sentence in which a value is put right on the way: "I live in Graz, no wait, Linz,
// and I work as a vet". The first part becomes a fact, its value is exchanged, and what follows is
// read as a sentence of its own. If no value can be exchanged, a clear restart ("no wait") drops
// the first part. It reports whether the sentence was one of these.
func (m *message) midway(words []word) bool {
	for i := 2; i < len(words)-1; i++ {
		if !words[i-1].ends() || in("retraction", words[:i]) {
			continue
		}
		n := opening("inPassing", words[i:])
		if n == 0 {
			continue
		}
		rest := words[i+n:]
		surely := in("wait", words[i:])
		facts, before := slices.Clone(m.x.facts), *m
		head := slices.Clone(words[:i])
		head[i-1].post = "."
		m.sentence(head)
		lead := leading(rest)
		if m.open && m.x.exchange(lead, m.s.at, 0) {
			tail := rest[len(lead):]
			for len(tail) > 0 && connectors[tail[0].low] {
				tail = tail[1:]
			}
			if len(tail) > 1 {
				m.sentence(tail)
			}
			m.open = true
			return true
		}
		m.x.facts, *m = facts, before
		if surely && !in("retraction", rest) {
			m.sentence(rest)
			return true
		}
	}
	return false
}

// pointed returns the words of a correction that name the new value: of "it was moved to the 16th"
// those behind the last preposition. Without a pronoun at their start the words stay as they are,
// up to "since".
func pointed(rest []word) []word {
	if i := indexOf(rest, "since"); i > 1 {
		rest = rest[:i] // "it's Mollie since June"
	}
	if len(rest) <= 2 || len(rest) > 9 || !lostSubjects[head(rest[0].low)] {
		return rest
	}
	for i := len(rest) - 2; i > 0; i-- {
		if leaning[rest[i].low] && !rest[i].ends() && len(rest)-i-1 <= 4 {
			return rest[i+1:]
		}
	}
	return rest
}

// takeBack drops what a retraction names ("just kidding about Gruvbox") from the
// latest fact that has it, and reports whether one had.
func (x *extraction) takeBack(words []word) bool {
	if i := indexOf(words, "about"); i >= 0 {
		name := onlyName(leading(words[i:]))
		for f := range x.recent() {
			if has(f.Content, name) {
				f.without(name)
				return true
			}
		}
	}
	return false
}

// without removes from a fact the clauses that contain a name: without "Gruvbox", "The user uses Zed; the
// theme is Gruvbox" is "The user uses Zed." If nothing is left that stands alone, it drops the fact.
func (f *draft) without(name string) {
	var kept []string
	for _, clause := range strings.FieldsFunc(strings.ReplaceAll(strings.ReplaceAll(f.Content, ". ", ";"), ", ", ";"),
		func(r rune) bool { return r == ';' }) {
		clause = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(clause), "and "))
		words := cut(clause)
		if len(words) == 0 || has(clause, name) {
			continue
		}
		if len(words) < 3 || !verbal(words) || lostSubjects[head(words[0].low)] || leaning[words[0].low] || subordinators[words[0].low] {
			f.dropped = true
			return
		}
		kept = append(kept, finish(clause))
	}
	if f.dropped = kept == nil; !f.dropped {
		f.amend(strings.Join(kept, " "))
	}
}

// exchangeNames reads a correction that names both the old and the new name ("it's no longer Dr.
// Adams but Dr. Bauer"). It writes the new one in the latest fact that has the old one, and reports
// whether there is such a fact.
func (x *extraction) exchangeNames(words []word) bool {
	from := slices.IndexFunc(words, func(w word) bool { return w.low == "not" || w.low == "longer" || strings.HasSuffix(w.low, "n't") })
	but := indexOf(words, "but")
	if from < 0 || but < from || len(words)-but > 6 {
		return false
	}
	old, now := lastName(words[from+1:but]), lastName(words[but+1:])
	if old == "" || now == "" || old == now {
		return false
	}
	for f := range x.recent() {
		if has(f.Content, old) && !has(f.Content, now) {
			f.amend(swap(f.Content, old, now))
			return true
		}
	}
	return false
}

// lastName returns the name that stands last in words ("Bauer" of "Dr. Bauer"), leaving out
// weekdays and other values; "" if there is none.
func lastName(words []word) string {
	for _, w := range slices.Backward(words) {
		if named(w) && w.low != "i" && shape(w.text) == "" {
			return w.text
		}
	}
	return ""
}
