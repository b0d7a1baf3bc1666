package extractive

import "strings"

// standing are orders that hold from then on.
var standing = newPhrases(`
	^ please? always|never
	^ from now on
	^ please give|show|send|tell|write|use|keep|call|answer ... not|only|never|instead|always|without|short|shorter|no
	^ please don't|avoid|stop
	^ please? make sure you|to always|never`)

// ordered writes a standing order to an assistant as what the user wants of
// it: "Always answer in French" says nothing about whom by itself.
func ordered(words []word, s said) []word {
	if !s.listener.assistant || !standing.in(words) && !reminders.in(words) {
		return words
	}
	words = append([]word(nil), words...)
	if reminders.in(words) {
		return reminder(words)
	}
	if words[0].low == "please" {
		words = words[1:]
	}
	words[0].text = strings.ToLower(words[0].text)
	from := []word{{text: "I", low: "i"}, {text: "want", low: "want"}, {text: "you", low: "you"}, {text: "to", low: "to"}}
	if words[0].low == "from" || words[0].low == "make" {
		from[3] = word{text: "to do this", low: "to do this", post: ":"}
	}
	return append(from, words...)
}

// reminders ask to be told something when the time has come.
var reminders = newPhrases("^ please? remind me|us")

// reminder writes "remind me on Friday" as what the user wants.
func reminder(words []word) []word {
	for words[0].low != "remind" {
		words = words[1:]
	}
	who := word{text: "I", low: "i"}
	if words[1].low == "us" {
		who = word{text: "We", low: "we"}
	}
	return append([]word{who, {text: "want", low: "want"}, {text: "to", low: "to"}, {text: "be", low: "be"}, {text: "reminded", low: "reminded", post: words[1].post}}, words[2:]...)
}
