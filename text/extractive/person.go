package extractive

import (
	"slices"
	"strings"
	"unicode"

	"mcp-memory/text/analysis"
)

// person is somebody who takes part in a conversation.
type person struct {
	name string // as it stands within a sentence
	// assistant is set for an assistant, whose words are no facts about itself.
	assistant bool
}

// company is what "we" means: the speaker and whoever was meant as well.
func (p person) company() string { return p.name + " and others" }

// resolve rewrites a sentence, its contractions expanded, so that it no longer depends on who says
// it to whom: "I drive your car", said by Ann to Bo, becomes "Ann drives Bo's car". A zero listener
// stands for several or for nobody; ok is false if the sentence speaks to them all the same.
func resolve(words []word, speaker, listener person) (resolved []word, ok bool) {
	out := make([]word, len(words))
	copy(out, words)
	ok = true
	together := false // "we" was the subject
	literal := literals(words)
	opens := len(words) > 1 && (words[0].low == "i" || words[1].low == "i" && adverb(words[0].low))
	for i := range out {
		switch low := words[i].low; {
		case literal[i], words[i].text == "US", words[i].text == "ME" && i > 0 && named(words[i-1]): // a country, a version of Windows
		case low == "i":
			out[i].set(speaker.name)
			agree(out, words, i)
			if opens && out[i].post == "" && repeated(words[:i]) {
				out[i].text = "" // "Caroline paints and (Caroline) sings"
			}
		case low == "my" && opens && clear(words[:i]):
			out[i].set("their")
		case low == "we":
			out[i].set(speaker.company())
			together = true
		case low == "our" && together && i > 0 && !words[i-1].ends():
			out[i].set("their")
		case firstPerson[low]:
			out[i].set(objectForm(low, speaker))
		case secondPerson[low] && listener.assistant && anybody(words):
		case secondPerson[low]:
			if listener.name == "" {
				ok = ok && low == "you" && i > 0 && clauseOpeners[words[i-1].low] // anybody: "when you run"
				continue
			}
			out[i].set(objectForm(low, listener))
			if low == "you" && subjectYou(words, i) {
				agree(out, words, i)
			}
		}
	}
	return out, ok
}

// anybody reports whether the "you" of a sentence is whoever does it ("you need VPN to reach the
// cluster", "to get in you have to call Herr Lutz") rather than the assistant.
func anybody(words []word) bool {
	return in("anybody", words) && !(len(words) > 2 && words[1].low == "need" && words[2].low == "to")
}

// literals reports which words stand between two backticks or two quotation marks: they are code, a
// title or a message, in which "I" and "my" are others'.
func literals(words []word) []bool {
	in := make([]bool, len(words))
	for _, mark := range []string{"`", `"`} {
		from := -1
		for i, w := range words {
			for range strings.Count(w.pre+w.text+w.post, mark) {
				if from < 0 {
					from = i
					continue
				}
				for k := from; k <= i; k++ {
					in[k] = true
				}
				from = -1
			}
		}
	}
	return in
}

// repeated reports whether an "I" behind these words only repeats the subject of the sentence: in
// "I paint and I sing", not in "I was late, Ann and I left".
func repeated(words []word) bool {
	last := len(words) - 1
	if last < 1 || words[last].low != "and" && words[last].low != "but" || words[last].ends() {
		return false
	}
	for i := last - 1; i >= 0; i-- {
		if words[i].ends() {
			return i == last-1
		}
		if words[i].low == "i" {
			return true
		}
	}
	return false
}

// clear reports whether "their" behind these words can only mean their subject, because nobody else
// was named and nothing is in the plural: then "my" is written so.
func clear(words []word) bool {
	for i, w := range words {
		if i > 0 && (words[i-1].ends() || clauseOpeners[w.low] || named(w) && w.low != "i" || lostSubjects[w.low] || secondPerson[w.low] ||
			len(w.low) > 3 && strings.HasSuffix(w.low, "s") || w.low == "we" || w.low == "us") {
			return false
		}
	}
	return true
}

// objectForm returns what is written for a pronoun of a person that is not the subject: "Ann's" for
// "my".
func objectForm(low string, p person) string {
	switch {
	case low == "us":
		return p.company()
	case low == "let's" || low == "lets":
		return p.company() + " will"
	case strings.HasSuffix(low, "self") || strings.HasSuffix(low, "selves"):
		return "themselves"
	case low == "me" || low == "you":
		return p.name
	}
	return p.name + "'s"
}

// subjectYou reports whether the "you" at i has a verb behind it.
func subjectYou(words []word, i int) bool {
	next, ok := following(words, i)
	if !ok {
		return false
	}
	low := words[next].low
	if agreement[low] != "" || modals[low] {
		return true
	}
	return (i == 0 || words[i-1].ends() || clauseOpeners[words[i-1].low]) && !analysis.IsStop(low)
}

var clauseOpeners = set("that when if what as because how where and but while since so than until whenever which who before after")

// following returns the index of the next word of the same clause that is not
// an adverb.
func following(words []word, i int) (int, bool) {
	for ; i+1 < len(words); i++ {
		if words[i].ends() {
			return 0, false
		}
		if words[i+1].low == "no" && i+3 < len(words) && words[i+2].low == "longer" {
			i++ // "no longer"
			continue
		}
		if !adverb(words[i+1].low) {
			return i + 1, true
		}
	}
	return 0, false
}

// agree puts the verb of the subject at i into the third person: that behind
// it, that before it in an inverted order ("so am I"), and those that "and"
// adds.
func agree(out, words []word, i int) {
	if i > 0 && !words[i-1].ends() {
		if form := agreement[words[i-1].low]; form != "" && words[i-1].low != "are" {
			out[i-1].text = likeCase(form, words[i-1].text)
		}
	}
	v, ok := following(words, i)
	verbs := slices.ContainsFunc(words[:i], func(w word) bool {
		return modals[w.low] || agreement[w.low] != "" || past(w.low) || w.low == "i"
	})
	if !ok || i > 1 && words[i-1].low == "and" && !verbs {
		return // "My friends and I enjoy"
	}
	form, changed := thirdPerson(words[v])
	if v > i+1 && habitual[words[i+1].low] && ambiguous[words[v].low] {
		form, changed = words[v].low+"s", true
	}
	if changed {
		out[v].set(form)
	}
	if changed && agreement[words[v].low] == "" || words[v].low == "am" || words[v].low == "have" {
		agreeSecond(out, words, v+1)
	}
}

// ambiguous are verbs whose past looks like the present. Behind an adverb of habitual they are in
// the present: "I always put" becomes "Ann always puts".
var (
	ambiguous = set("put set cut hit let quit read cost hurt shut spread bet split")
	habitual  = set("always usually often never normally typically generally sometimes rarely")
)

// agreeSecond puts verbs that share the subject of the verb before from into the third person too:
// "Ann loves hiking and hate running" becomes "and hates running".
func agreeSecond(out, words []word, from int) {
	for i := from; i+1 < len(words); i++ {
		low := words[i].low
		if low == "to" || modals[low] || firstPerson[low] && low != "my" || low == "you" || strings.ContainsAny(words[i].post, ".;:!?") {
			return
		}
		if low != "and" && low != "but" && low != "or" {
			continue
		}
		v, ok := following(words, i)
		if !ok {
			return
		}
		next := ""
		if v+1 < len(words) {
			next = words[v+1].low
		}
		if secondVerbs[words[v].low] || words[v].low == "don't" || doubtfulVerbs[words[v].low] && afterVerb[next] {
			if form, changed := thirdPerson(words[v]); changed {
				out[v].set(form)
			}
		}
	}
}

// thirdPerson returns the form of a verb that follows a singular name, and
// whether it differs. A word that is no verb in the present stays.
func thirdPerson(w word) (string, bool) {
	low := w.low
	if form := agreement[low]; form != "" {
		return form, true
	}
	if modals[low] || past(low) || analysis.IsStop(low) || strings.HasSuffix(low, "ing") && !verbsInIng[low] || len(low) < 2 ||
		strings.ContainsFunc(w.text, func(r rune) bool { return r < 'a' || r > 'z' }) || notVerbs[low] {
		return low, false
	}
	switch last := low[len(low)-1]; {
	case strings.HasSuffix(low, "ch"), strings.HasSuffix(low, "sh"), strings.HasSuffix(low, "ss"), last == 'x', last == 'z', last == 'o':
		return low + "es", true
	case last == 'y' && !strings.ContainsRune("aeiou", rune(low[len(low)-2])):
		return low[:len(low)-1] + "ies", true
	case last == 's':
		return low, false
	}
	return low + "s", true
}

// verbsInIng end like a participle.
var verbsInIng = set("bring sing ring swing cling")

// notVerbs may follow a subject without being its verb.
var notVerbs = set(`personally like-minded else alone together back well anyway yesterday tomorrow tonight myself me
	whose although though unless whether within without upon per via ran kind everyone everybody someone sort unable`)

// named reports whether a word in the middle of a sentence is a name by its
// capital.
func named(w word) bool {
	for _, r := range w.text {
		return unicode.IsUpper(r) && w.low != "i" && contractions[w.low] == "" && !strings.HasPrefix(w.low, "i'")
	}
	return false
}
