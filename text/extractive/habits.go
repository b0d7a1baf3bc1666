package extractive

import (
	"slices"
	"strings"

	"mcp-memory/text/analysis"
)

// idle reports whether a sentence consists of words that say nothing: "Ok, perfect".
func idle(words []word) bool {
	return !slices.ContainsFunc(words, func(w word) bool {
		return !interjections[w.low] && !idleWords[w.low] && (len(analysis.Content(w.text)) > 0 || number(w.low))
	})
}

var idleWords = set("please exactly well good fine done final example perfect seriously yes yeah noted correct fair bye nah god day night later")

// ungreeted removes a greeting from the start of a sentence, and what else stands there only by
// habit: "note:", "so" before a subject. "Tom here" becomes "I am Tom".
func ungreeted(words []word) []word {
	for i := 1; i < min(4, len(words)); i++ {
		if (i+1 < len(words) && verbal(words[i:]) || !in("acceptance", words)) && words[i-1].ends() && // not "good idea, thanks"
			greetings[words[0].low] && !greetings[words[i].low] {
			words = words[i:]
			break
		}
	}
	for i := 0; i < min(3, len(words)-1) && notes[words[i].low]; i++ {
		if strings.ContainsAny(words[i].post, ":") {
			words = words[i+1:]
			break
		}
	}
	for len(words) > 2 && fillers[words[0].low] && (firstPerson[words[1].low] || determiners[words[1].low]) {
		words = words[1:]
	}
	if len(words) > 0 && words[0].low == "then" && acting(words[1:]) &&
		!slices.ContainsFunc(leading(words), inPast) {
		words = words[1:] // "Then we stay with Hetzner" tells what was decided, "then we went home" a story
	}
	if len(words) > 1 && words[1].low == "here" && words[1].ends() && !lostSubjects[words[0].low] && !interjections[words[0].low] &&
		len(words[0].low) > 2 {
		name := words[0]
		name.text, name.post = capital(name.text), words[1].post
		words = slices.Concat(cut("I am"), []word{name}, words[2:])
	}
	return words
}

var (
	notes       = set("one more another thing update quick also ps fyi note last next btw")
	greetings   = set("good morning evening afternoon day hi hello hey there again everyone")
	fillers     = set("ok okay yes yeah yep btw anyway meanwhile right well so sure oh alright")
	determiners = set("the a an my our his her their this that these those no all")
)

// listed writes a list into the line above it that ends with a colon, so that it is one sentence:
// "Toppings:" with the items olives and basil becomes "Toppings: olives; basil".
func listed(text string) string {
	if number, rest, ok := strings.Cut(text, ". "); ok && len(number) < 4 && strings.Trim(number, "0123456789") == "" &&
		!strings.Contains(text, "\n") {
		text = number + ".\n" + rest // an answer, not the first of a list
	}
	if !strings.Contains(text, ":\n") {
		return text
	}
	var out []string
	open := false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n ")
		item := listMarks().ReplaceAllString(strings.TrimSpace(line), "")
		last := len(out) - 1
		if open && item != strings.TrimSpace(line) && len(out[last])+len(item) < maxSentenceBytes-2 {
			separator := "; "
			if strings.HasSuffix(out[last], ":") {
				separator = " "
			}
			out[last] = strings.TrimRight(out[last], ".;,") + separator + strings.TrimRight(item, ".;,")
			continue
		}
		open = strings.HasSuffix(line, ":")
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}
