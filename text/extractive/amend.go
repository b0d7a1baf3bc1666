package extractive

import (
	"slices"
	"strings"
	"time"
)

// amend gives a fact another text, whose parts cannot be taken back any more. The
// day on which it was goes with the date in the text.
func (f *draft) amend(content string) {
	was, err := time.Parse(dayLayout, onlyDate(f.Content))
	f.Content, f.ends = content, nil
	if f.OccurredAt.IsZero() || err != nil {
		return
	}
	if now, err := time.Parse(dayLayout, onlyDate(content)); err == nil {
		f.OccurredAt = f.OccurredAt.AddDate(0, 0, int(now.Sub(was).Hours()/24))
	}
}

// inPassing are the words within a sentence before a value that takes the place
// of the one before them, and how many they are.
var inPassing = []phrase{
	compile("^ no wait|sorry|rather"), compile("^ wait no"), compile("^ actually no"), compile("^ hmm no"), compile("^ or rather"),
	compile("^ i mean|meant"), compile("^ make that"), compile("^ scratch|scrap that"),
	compile("^ actually|sorry|rather|no|nope|wait|correction"),
}

// midway takes a sentence that corrects itself on its way: "I live in Graz, no
// wait, Linz, and I work as a vet". Only the value is exchanged; what comes
// behind it is taken, too. It reports whether the sentence was one.
func (m *message) midway(words []word) bool {
	for i := 2; i < len(words)-1; i++ {
		if !words[i-1].ends() || retraction.in(words[:i]) {
			continue
		}
		rest := words[i:]
		n := 0
		for _, p := range inPassing {
			if n = p.length(rest); n > 0 {
				break
			}
		}
		if n == 0 || n >= len(rest) {
			continue
		}
		rest = rest[n:]
		surely := wait.in(words[i:])
		if n == 1 && !surely && len(leading(rest)) > 4 {
			continue
		}
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
		if surely && !retraction.in(rest) {
			m.sentence(anew(rest))
			return true
		}
	}
	return false
}

// pointing are the words before the value of what was said just before.
var pointing = compile("^ it|that|it's|that's is|was? actually|now?")

// amended puts a value that the user denies with ("no, Linz") in the place of
// the one in what the user said just before: where the assistant only repeated
// it or said nothing of the sort. It reports whether there was one.
func (x *extraction) amended(m *message, s said) bool {
	if !m.first || m.asked != "" || len(s.words) == 0 || !denies(x.turns[s.turn].Content) || corrective[s.opening[0].low] && !s.opening[0].ends() {
		return false
	}
	words := s.words
	if corrective[words[0].low] {
		words = words[1:]
	}
	lead := leading(words)
	if says := pointing.length(lead); says > 0 && onlyValue(join(lead[says:])) != "" {
		lead = lead[says:]
	}
	if len(lead) == 0 || len(lead) > 4 || lostSubjects[head(lead[0].low)] {
		return false
	}
	echo := x.lastSentences(s.turn, s.speaker, 3)
	if n := len(echo); n > 0 && strings.HasSuffix(echo[n-1], "?") {
		return false
	}
	told := strings.Join(echo, " ")
	for i := len(x.facts) - 1; i >= 0 && i >= x.talk.from; i-- {
		f := x.facts[i]
		if x.facts[i].dropped {
			continue
		}
		if x.exchangeAt(i, lead, s.at) {
			if old := gone(f.Content, x.facts[i].Content); len(echo) == 0 || has(told, old) || !telling(told) || sameDay(onlyDate(f.Content), told, s.at) {
				return true
			}
			x.facts[i] = f
			continue
		}
		if name := onlyName(lead); name != "" {
			if old := repeatedName(f.Content, told); old != "" && old != name {
				x.facts[i].amend(swap(f.Content, old, name))
				return true
			}
		}
	}
	return false
}

// gone returns the first word of a text that another has not.
func gone(before, after string) string {
	for _, w := range cut(before) {
		if !has(after, w.text) {
			return w.text
		}
	}
	return ""
}

// sameDay reports whether a text names a date, or the day of the week that it is.
func sameDay(date, told string, said time.Time) bool {
	day, err := time.Parse(dayLayout, date)
	return err == nil && (onlyDate(absolute(told, said).text) == date || has(strings.ToLower(told), strings.ToLower(day.Weekday().String())))
}

// repeatedName returns the only name in a text that another says again.
func repeatedName(content, told string) string {
	only := ""
	for i, w := range cut(content) {
		if i == 0 || !named(w) || !has(told, w.text) || w.text == only {
			continue
		}
		if only != "" {
			return ""
		}
		only = w.text
	}
	return only
}

// exchangeCount puts how many a correction says in the place of how many a text
// says there are of the same: "sixty goats" in that of "forty goats".
func exchangeCount(content string, rest []word) (string, bool) {
	for i := 0; i+1 < len(rest); i++ {
		if !number(rest[i].low) || rest[i].ends() || !noun(rest[i+1]) {
			continue
		}
		words := cut(content)
		for j := 0; j+1 < len(words); j++ {
			if number(words[j].low) && words[j].low != rest[i].low && words[j+1].low == rest[i+1].low {
				counted := words[j].text + " " + words[j+1].text
				if strings.Count(content, counted) == 1 {
					return strings.Replace(content, counted, strings.ToLower(rest[i].text)+" "+words[j+1].text, 1), true
				}
			}
		}
	}
	return "", false
}

// noun reports whether a word can be what is counted.
func noun(w word) bool { return len(w.low) > 2 && !leaning[w.low] && !adverb(w.low) && !number(w.low) }

// pointed returns the words of "it was moved to the 16th" that say the value:
// those behind the last preposition.
func pointed(rest []word) []word {
	if i := slices.IndexFunc(rest, func(w word) bool { return w.low == "since" }); i > 1 {
		rest = ofValue(rest[:i]) // "it's Mollie since June"
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

// withoutClause returns what is left of a text without the clause that has a
// name; "" if that does not stand alone.
func withoutClause(content, name string) string {
	var kept []string
	taken := false
	for _, clause := range strings.FieldsFunc(strings.ReplaceAll(strings.ReplaceAll(content, ". ", ";"), ", ", ";"), func(r rune) bool { return r == ';' }) {
		clause = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(clause), "and "))
		if clause == "" || has(clause, name) {
			taken = taken || clause != ""
			continue
		}
		words := cut(clause)
		if taken && (lostSubjects[head(words[0].low)] || subordinators[words[0].low]) {
			continue // goes on with what is taken out
		}
		if len(words) < 3 || !verbal(words) || lostSubjects[head(words[0].low)] || leaning[words[0].low] || subordinators[words[0].low] {
			return ""
		}
		kept = append(kept, finish(clause))
	}
	return strings.Join(kept, " ")
}

// takeBack drops what a retraction names ("just kidding about Gruvbox") from the
// latest fact that has it, and reports whether one had.
func (x *extraction) takeBack(words []word) bool {
	i := slices.IndexFunc(words, func(w word) bool { return w.low == "about" })
	if i < 0 || i+1 >= len(words) {
		return false
	}
	name := onlyName(append([]word{{text: "about", low: "about"}}, leading(words[i+1:])...))
	if name == "" {
		return false
	}
	for i := len(x.facts) - 1; i >= 0 && i >= len(x.facts)-maxBack; i-- {
		if f := &x.facts[i]; !f.dropped && has(f.Content, name) {
			f.without(name)
			return true
		}
	}
	return false
}

// without takes the clause that has a name from a fact, or drops it.
func (f *draft) without(name string) {
	rest := withoutClause(f.Content, name)
	if rest == "" {
		f.dropped = true
		return
	}
	f.amend(rest)
}

// exchangeLast puts the only word of a correction in the place of the word that a
// short text ends with: "We use npm. Sorry, pnpm."
func exchangeLast(content string, rest []word) (string, bool) {
	words := cut(content)
	last := len(words) - 1
	if len(rest) != 1 || last < 2 || last > 8 || !plainWord(rest[0]) || !plainWord(words[last]) || rest[0].low == words[last].low {
		return "", false
	}
	words[last].text = rest[0].text
	return join(words), true
}

// plainWord reports whether a word is one that means something, in lower case.
func plainWord(w word) bool {
	return w.text == w.low && shape(w.text) == "" && len(stemSet(w.text)) == 1 && !idleWords[w.low] && !interjections[w.low] && !called[w.low] && !adverb(w.low)
}

// renewClause puts a value in the place of the one of its shape in the only clause
// of a text that has the same name: "Sorry, Ida is 10" for "Tim is 12, Ida is 9".
func renewClause(content, value string, words []word) (string, bool) {
	for _, clause := range strings.Split(content, ", ") {
		old := onlyOf(clause, shape(value))
		if old == "" || old == value || !slices.ContainsFunc(words, func(w word) bool { return named(w) && w.low != "i" && has(clause, w.text) }) {
			continue
		}
		return strings.Replace(content, clause, swap(clause, old, value), 1), true
	}
	return "", false
}

// exchangeNames puts in the latest fact that has it one name in the place of
// another: "it's no longer Dr. Adams but Dr. Bauer".
func (x *extraction) exchangeNames(words []word) bool {
	from := slices.IndexFunc(words, func(w word) bool { return w.low == "not" || w.low == "longer" || strings.HasSuffix(w.low, "n't") })
	but := slices.IndexFunc(words, func(w word) bool { return w.low == "but" })
	if from < 0 || but < from || len(words)-but > 6 {
		return false
	}
	old, now := lastName(words[from+1:but]), lastName(words[but+1:])
	if old == "" || now == "" || old == now {
		return false
	}
	for i := len(x.facts) - 1; i >= 0 && i >= len(x.facts)-maxBack; i-- {
		if f := &x.facts[i]; !f.dropped && has(f.Content, old) && !has(f.Content, now) {
			f.amend(swap(f.Content, old, now))
			return true
		}
	}
	return false
}

// lastName returns the last name in words that is no day, "" if there is none.
func lastName(words []word) string {
	for _, w := range slices.Backward(words) {
		if named(w) && w.low != "i" && shape(w.text) == "" {
			return w.text
		}
	}
	return ""
}
