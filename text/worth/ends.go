package worth

import (
	"slices"
	"strings"

	"mcp-memory/text/analysis"
)

// Ends reports whether a sentence that was said later says that a rule, a ban or a task is over. It
// is [Rule.Ends] of two sentences.
func Ends(later, rule string) bool { return ReadRule(later).Ends(ReadRule(rule)) }

// Rule is a sentence as [Rule.Ends] compares it. Reading it takes longer than comparing.
type Rule struct {
	clauses  []clause
	all      gist
	words    []string        // as they stand
	ban      bool            // it has one word of refusal
	unclear  bool            // it has several, or an exception of its own
	standing bool            // it has a word of refusal, or one such as "always"
	until    map[string]bool // the words of what it waits for
	task     gist            // what is to be done; no words for nothing
}

// clause is what a clause says of rules.
type clause struct {
	about                                 gist
	instead                               gist     // what it names something else for
	plain                                 []word   // without articles and auxiliaries; nil for what is not so, or not yet
	names                                 []string // the words of about, as they stand
	once                                  []string // words by which it holds once, or under a condition
	spares, refuses, frees, allows, lasts bool
}

// gist is what a clause is about: the stems of its words without those that all rules have.
type gist struct {
	words []string // sorted
	core  []string // those of the object, before "in", "before" and the like; all if the verb says something
	verb  string   // the first word, unless it is one of helpers
	axes  map[string]string
}

// ReadRule reads a sentence, or a text by its first 600 bytes.
func ReadRule(text string) Rule {
	words := whole(head(text))
	var r Rule
	for from := 0; from < len(words); {
		to := from + 1
		for to < len(words) && !words[to-1].ends {
			to++
		}
		r.clauses = append(r.clauses, clauseOf(words[from:to]))
		from = to
	}
	if at := slices.IndexFunc(words, func(w word) bool { return untils[w.text] }); at > 0 {
		r.until = map[string]bool{}
		for _, w := range plain(words[at+1:]) {
			r.until[w.text] = true
		}
		words = words[:at]
	}
	refusals := 0
	for _, w := range words {
		r.words = append(r.words, w.text)
		if refusing[w.text] {
			refusals++
		}
		r.unclear = r.unclear || excepting[w.text]
	}
	r.standing = refusals > 0 || anyOf(words, recurring)
	r.ban, r.unclear = refusals == 1, r.unclear || refusals > 1
	r.all = gistOf(words)
	for i := 0; i+2 < len(words) && !anyOf(words, recurring); i++ {
		if owing[words[i].text] && words[i+1].text == "to" {
			r.task = gistOf(words[i+2:])
			r.task.verb = analysis.Stem(words[i+2].text)
			break
		}
	}
	return r
}

// Names returns the words of the first clause that may end something, without those that all rules
// have: a rule that it ends has them all, but for those of languages and lengths. "" if there are none.
func (r Rule) Names() string {
	for _, c := range r.clauses {
		if len(c.names) > 0 && len(c.instead.words) == 0 && (c.spares || c.frees || c.lasts && (c.allows || c.refuses)) {
			return strings.Join(c.names, " ")
		}
	}
	return ""
}

// Standing reports whether a sentence has a word such as "always" or "never" of a rule.
func (r Rule) Standing() bool { return r.standing }

func clauseOf(words []word) clause {
	c := clause{about: gistOf(words), refuses: refuses(words)}
	if at := phraseIn(words, insteads); at >= 0 {
		c.instead = gistOf(words[at:])
	}
	for _, w := range words {
		if _, axis := axes[w.text]; !axis && has(c.about.words, analysis.Stem(w.text)) || len(c.about.axes) > 0 && answering[w.text] {
			c.names = append(c.names, w.text)
		}
		if once[w.text] {
			c.once = append(c.once, w.text)
		}
	}
	if !anyOf(words, unreal) && !anyOf(words, refusing) {
		c.plain = plain(words)
	}
	c.spares, c.frees = phraseIn(words, sparing) >= 0, phraseIn(words, freeing) >= 0
	c.allows, c.lasts = phraseIn(words, allowing) >= 0, phraseIn(words, lasting) >= 0
	return c
}

// Ends reports whether what was said later, r, says that a rule is over: what was forbidden is
// allowed again, what was wanted is not needed any more or has another in its place, what was to be
// waited for has come, what was to be done is done. It has to be about that rule and nothing
// narrower: its words, but for those that all rules have, are words of the rule, at least two, or
// all that the rule is about. An exception ("this Friday") ends nothing.
func (r Rule) Ends(rule Rule) bool {
	return slices.ContainsFunc(r.clauses, func(c clause) bool { return rule.lifted(c) || rule.waited(c) || rule.finished(c) })
}

// lifted reports whether a clause allows what a rule forbids, spares what it wants, or names
// something else in its place.
func (r Rule) lifted(c clause) bool {
	all := r.all
	if r.unclear || len(all.words) == 0 || slices.ContainsFunc(c.once, func(w string) bool { return !slices.Contains(r.words, w) }) {
		return false
	}
	if x := c.instead.words; len(x) > 0 {
		return !r.ban && within(x, all.words) && within(all.core, x)
	}
	about := c.about
	if len(about.words) == 0 || !within(about.words, all.words) || all.verb != "" && !has(about.words, all.verb) {
		return false
	}
	same := true
	for axis, value := range all.axes {
		same = same && about.axes[axis] == value
	}
	switch {
	case c.spares, c.refuses && c.lasts:
		return !r.ban && same && (len(about.words) > 1 || within(all.core, about.words))
	case c.refuses:
		return !r.ban && same && within(all.words, about.words)
	case c.frees, c.allows && c.lasts:
		return r.ban == same && (within(all.words, about.words) || all.verb != "" && len(about.words) > 1)
	}
	return false
}

// waited reports whether a clause says that what a rule waits for has come.
func (r Rule) waited(c clause) bool {
	if len(r.until) == 0 {
		return false
	}
	found := map[string]bool{}
	for _, w := range c.plain {
		if r.until[w.text] {
			found[w.text] = true
		} else if !has(r.all.words, analysis.Stem(w.text)) {
			return false
		}
	}
	return len(found) == len(r.until)
}

// finished reports whether a clause says that what is to be done is done.
func (r Rule) finished(c clause) bool {
	if len(r.task.words) == 0 || len(c.plain) < 2 {
		return false
	}
	var about []string
	ready := false
	for _, w := range c.plain {
		stem, past := analysis.Stem(w.text), strings.HasSuffix(w.text, "ed")
		if base, ok := participles[w.text]; ok {
			stem, past = analysis.Stem(base), true
		}
		switch {
		case fillers[w.text] || analysis.IsStop(w.text):
		case finishing[w.text] || past && stem == r.task.verb && (w.passive || doers[c.plain[0].text]):
			ready = true
		default:
			about = append(about, stem)
		}
	}
	slices.Sort(about)
	about = slices.Compact(about)
	objects := slices.DeleteFunc(slices.Clone(r.task.words), func(stem string) bool { return stem == r.task.verb })
	return ready && len(about) > 0 && within(about, objects) && (len(about) > 1 || within(objects, about))
}

// whole returns the words of a text, of which no mark inside a word, as in "TL;DR", ends a clause,
// without "The user:" before what was said.
func whole(text string) []word {
	words := split(strings.TrimPrefix(text, "The user: "))
	for i := range words {
		if end := words[i].end; i+1 < len(words) && words[i+1].at == end+1 && text[min(end, len(text)-1)] != '\n' {
			words[i].ends = words[i].ends && i+1 == len(words)
		}
	}
	return words
}

func gistOf(words []word) (g gist) {
	scoped, first, answers := false, true, slices.ContainsFunc(words, func(w word) bool { return answering[w.text] })
	for i, w := range words {
		if scopes[w.text] && !first {
			scoped = true
		}
		stem := analysis.Stem(w.text)
		if a, ok := axes[w.text]; ok && (a.axis != "length" || answers) {
			if g.axes == nil {
				g.axes = map[string]string{}
			}
			g.axes[a.axis], stem = a.value, a.axis
		} else if fillers[w.text] || analysis.IsStop(w.text) || refusing[w.text] || finishing[w.text] && i > 0 && being[words[i-1].text] {
			continue
		} else if (helpers[w.text] || answering[w.text]) && (i+1 == len(words) || !targets[words[i+1].text]) {
			first = false
			continue
		} else if first {
			g.verb = stem
		}
		if first = false; !scoped {
			g.core = append(g.core, stem)
		}
		g.words = append(g.words, stem)
	}
	slices.Sort(g.words)
	g.words = slices.Compact(g.words)
	if g.verb != "" || len(g.core) == 0 {
		g.core = g.words
	}
	return g
}

// plain returns the words of a clause without articles and auxiliaries.
func plain(words []word) (list []word) {
	passive := false
	for _, w := range words {
		if being[w.text] {
			passive = true
		}
		if w.passive = passive; !small[w.text] {
			list = append(list, w)
		}
		if w.ends {
			break
		}
	}
	return list
}

func has(sorted []string, stem string) bool {
	_, ok := slices.BinarySearch(sorted, stem)
	return ok
}

// within reports whether all stems are in a sorted list.
func within(stems, sorted []string) bool {
	return !slices.ContainsFunc(stems, func(stem string) bool { return !has(sorted, stem) })
}

// refuses reports whether a clause says what is not to be done, and not only what is not so.
func refuses(words []word) bool {
	first := 0
	if words[0].text == "please" && len(words) > 1 {
		first = 1
	}
	return refusing[words[first].text] ||
		anyOf(words, refusing) && slices.ContainsFunc(words, func(w word) bool { return w.text == "assistant" })
}

func anyOf(words []word, set map[string]bool) bool {
	return slices.ContainsFunc(words, func(w word) bool { return set[w.text] })
}

// phraseIn returns the index of the word behind the first of the phrases in a clause, -1 for none.
// What somebody else than the user and the assistant can do or does not have to do is none.
func phraseIn(words []word, phrases map[string][][]string) int {
	for i, w := range words {
		for _, rest := range phrases[w.text] {
			if follow(words[i+1:], rest) && (i == 0 || !doing[w.text] || fillers[words[i-1].text] || analysis.IsStop(words[i-1].text)) {
				return i + 1 + len(rest)
			}
		}
	}
	return -1
}
