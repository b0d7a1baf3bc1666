package extractive

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"mcp-memory/text/analysis"
)

// renewing are the words of a sentence in which a value may take the place of
// another one that was said of the same.
var renewing = newPhrases(`
	^ hmm|hm|oh|ah|ugh|sorry? hold on
	^ no|nope|wait|actually|correction|sorry|update
	^ one|small|another correction
	now|instead
	from now|today on
	turns|turned out
	^ ~ just? called|wrote|mailed|texted|messaged|confirmed`)

// labelled is a value in a text with what it is the value of: the stems of the
// two words before it that mean something.
type labelled struct {
	at     int // position of the word
	value  string
	labels []string
}

// maxFrame is how many words lie at most between a value and what it is the value of.
const maxFrame = 4

// labelledValues returns the values of a text that have a label in their clause.
func labelledValues(words []word) []labelled {
	var all []labelled
	for i, w := range words {
		if form := shape(w.text); form == "" || form == "weekday" {
			continue
		}
		v := labelled{at: i, value: w.text}
		for j := i - 1; j >= 0 && j >= i-maxFrame && len(v.labels) < 2; j-- {
			if shape(words[j].text) != "" || words[j].ends() && !strings.HasSuffix(words[j].post, ":") {
				break
			}
			if stem := labelStem(words[j]); stem != "" {
				v.labels = append(v.labels, stem)
			}
		}
		if len(v.labels) > 0 {
			all = append(all, v)
		}
	}
	return all
}

// labelStem returns the stem of a word that can name what a value is of, "" of another.
func labelStem(w word) string {
	if analysis.IsStop(w.low) || leaning[w.low] || modals[w.low] || agreement[w.low] != "" || between[w.low] || number(w.low) {
		return ""
	}
	stems := analysis.Content(w.text)
	if len(stems) != 1 || len(stems[0]) < 3 || weak[stems[0]] {
		return ""
	}
	return stems[0]
}

// between are words between a value and what it is of.
var between = set("says said wants asks costs takes charges pays slips stays remains becomes became went goes starts ends begins now instead only about around exactly then user user's others actually")

// reframe puts the values of a sentence that renews something in the place of those
// that earlier facts have of the same: "so region eu-west-1" for "region us-west-2".
// It reports whether it did, and whether the sentence says nothing else.
func (x *extraction) reframe(s said) (done, all bool) {
	content := x.turns[s.turn].Content
	if len(s.words) == 0 {
		return false, false
	}
	if !renewing.in(s.opening) && !renewing.in(s.words) && !news.in(cut(content[:min(len(content), 40)])) {
		return false, false
	}
	for _, v := range labelledValues(s.words) {
		done = x.putInFrame(v, s.words) || done
	}
	if !done {
		done = x.recount(s)
	}
	return done, done && stems(s.words) <= 4
}

// news begin a message that tells what has changed.
var news = newPhrases("^ small|quick|one|another? update|correction|change|news")

// recount puts how many a sentence says there are in the latest fact that says how many of
// the same: "160 guests" for "180 guests". Of money and time there may be several.
func (x *extraction) recount(s said) bool {
	for i, w := range s.words[:len(s.words)-1] {
		what := s.words[i+1]
		if !number(w.low) || w.ends() || !noun(what) || !strings.HasSuffix(what.low, "s") || measures[what.low] {
			continue
		}
		for k := len(x.facts) - 1; k >= 0 && k >= len(x.facts)-maxBack; k-- {
			f := &x.facts[k]
			if f.dropped || has(f.Content, w.text) || f.ofAnother(s.words) {
				continue
			}
			if content, ok := exchangeCount(f.Content, s.words[i:i+2]); ok {
				f.amend(content)
				return true
			}
		}
	}
	return false
}

// measures are what is counted of many things.
var measures = set("euros dollars pounds francs kroner cents minutes hours days weeks months years seconds times metres meters kilos grams miles points degrees steps percents items")

// putInFrame puts a value in the latest fact that has one with the same label.
func (x *extraction) putInFrame(v labelled, said []word) bool {
	counted := unit(join(said), v.value)
	for i := len(x.facts) - 1; i >= 0 && i >= len(x.facts)-maxBack; i-- {
		f := &x.facts[i]
		if f.dropped || has(f.Content, v.value) || f.ofAnother(said) {
			continue
		}
		words, found := cut(f.Content), -1
		for _, old := range labelledValues(words) {
			if shape(old.value) != shape(v.value) || !slices.Contains(old.labels, v.labels[0]) {
				continue
			}
			if u := unit(f.Content, old.value); u != "" && counted != "" && u != counted {
				continue
			}
			if found >= 0 {
				found = -1
				break
			}
			found = old.at
		}
		if found >= 0 && !dates().MatchString(join(words[found:min(len(words), found+3)])) {
			words[found].text = v.value
			f.amend(join(words))
			return true
		}
	}
	return false
}

// ofAnother reports whether a fact and words each name somebody or something that the other
// does not: "the cluster in Oslo now has 8 nodes" is no news of that in Turku.
func (f *draft) ofAnother(words []word) bool {
	lacks := func(words []word, text string) bool {
		return slices.ContainsFunc(words[min(1, len(words)):], func(w word) bool {
			return named(w) && w.low != "i" && shape(w.text) == "" && !has(text, w.text)
		})
	}
	return lacks(words, f.Content) && lacks(cut(dates().ReplaceAllString(f.Content, "")), join(words))
}

// closestTime returns the time in a text that a corrected one can only be meant to replace:
// a few minutes from it, and no other is as near. "" if there is none.
func closestTime(text, value string) string {
	wanted, err := time.Parse("15:04", value)
	if err != nil {
		return ""
	}
	best, near, next := "", maxSlip, maxSlip*2
	for _, w := range cut(text) {
		t, err := time.Parse("15:04", w.text)
		if err != nil || w.text == best {
			continue
		}
		switch d := t.Sub(wanted).Abs(); {
		case d < near:
			best, near, next = w.text, d, near
		case d < next:
			next = d
		}
	}
	if best == "" || next < 4*near {
		return ""
	}
	return best
}

// maxSlip is how far from the right time somebody may have misread it.
const maxSlip = 20 * time.Minute

// spelt reports whether a value is one that nothing else is likely to have: an address, a
// version, a name with digits, a number of many digits.
func spelt(value string) bool {
	if _, err := strconv.Atoi(value); err == nil {
		return len(value) > 3
	}
	return len(value) > 4
}

// exchangeValues puts in the latest facts one of two values of the same shape in
// the place of the other, where a correction names both; it reports whether one
// of the facts had one.
func (x *extraction) exchangeValues(words []word) bool {
	var values []string
	for _, w := range words {
		if shape(w.text) != "" && !slices.Contains(values, w.text) {
			values = append(values, w.text)
		}
	}
	var days []string // of the week, for facts that name one of them once
	for _, value := range values {
		if shape(value) == "weekday" {
			value = strings.TrimSuffix(value, "s")
		}
		days = append(days, value)
	}
	found := false
	for i := len(x.facts) - 1; i >= 0 && i >= len(x.facts)-maxBack; i-- {
		f := &x.facts[i]
		if f.dropped {
			continue
		}
		old, now, ok := exchanged(f.Content, values)
		if !ok {
			old, now, ok = exchanged(f.Content, days)
		}
		if ok {
			f.amend(swap(f.Content, old, now))
			if !spelt(old) {
				return true
			}
			found = true
		}
	}
	return found
}

// exchanged finds among the values of a correction one that a fact has and
// one of the same shape that it has not. Both have to be the only ones.
func exchanged(content string, values []string) (old, now string, ok bool) {
	for _, v := range values {
		if has(content, v) {
			if old != "" {
				return "", "", false
			}
			old = v
		}
	}
	if old == "" {
		return "", "", false
	}
	for _, v := range values {
		if v != old && shape(v) == shape(old) && !has(content, v) {
			if now != "" {
				return "", "", false
			}
			now = v
		}
	}
	return old, now, now != ""
}
