package extractive

import "strings"

// standing are orders that hold from then on.
var standing = newPhrases(`
	^ please? always|never
	^ from now on
	^ please give|show|send|tell|write|use|keep|call|answer ... not|only|never|instead|always|without|short|shorter|no
	^ please don't|avoid|stop
	^ please? make sure you|to always|never`)

// complaints are what a user says of something that an assistant did, and
// should not do again.
var complaints = newPhrases(`
	you keep|kept *ing
	you always|again forget|forgot|ignore|ignored|break|broke|skip|skipped|change|changed
	^ you forgot|misunderstood|misread|ignored|missed|skipped|broke
	i already? told|asked you already|before|to|not|twice
	i already told|asked|said
	^ stop *ing
	don't|never do|say|use|write|change|call|ask|touch|delete ... again
	not what i asked|meant|wanted|said
	you did that|it|this again|last`)

// complains reports whether a sentence is one to the assistant.
func complains(s said) bool {
	return s.listener.assistant && (complaints.in(s.words) || complaints.in(s.opening))
}

// lasting are the words of an order that holds more than once.
var lasting = set("not only never instead always without every each all max maximum most no")

// single are the words by which an order asks for one thing, now.
var single = set("a an the this that these those it one two three")

// orderVerbs are what an assistant does again and again.
var orderVerbs = set("give show send tell write use keep call answer put add name format quote list reply respond explain make")

// lasts reports whether an order to an assistant holds from then on: "write
// texts without exclamation marks", but not "write a text without it".
func lasts(words []word) bool {
	if len(words) < 4 || !orderVerbs[words[0].low] {
		return false
	}
	if what := object(words); manner[words[0].low] && strings.HasSuffix(what.low, "s") && !strings.HasSuffix(what.low, "ss") {
		return true // "keep answers short"
	}
	return mentions(words, everyTime) || !single[object(words).low] && mentions(words, lasting)
}

// object is the first word behind the verb of an order of three words or more,
// and behind "me".
func object(words []word) word {
	if words[1].low == "me" || words[1].low == "us" {
		return words[2]
	}
	return words[1]
}

// manner are verbs of how things are done rather than of what is to be done.
var manner = set("keep use write format answer")

var everyTime = set("every each always never")

// wished are the questions that are rather orders: "Could you always …?"
var wished = newPhrases("^ can|could|would|will you please? always|never|only|stop|avoid|from")

// asOrder returns the order that a polite question is, or the words as they are.
func asOrder(words []word) []word {
	if len(words) < 5 || !wished.in(words) || !strings.Contains(words[len(words)-1].post, "?") {
		return words
	}
	words = append([]word(nil), words[2:]...)
	words[len(words)-1].post = "."
	return words
}

// ordered writes a standing order to an assistant as what the user wants of
// it: "Always answer in French" says nothing about whom by itself.
func ordered(words []word, s said) []word {
	if !s.listener.assistant || len(words) == 0 {
		return words
	}
	polite := words[0].low == "please"
	if last := len(words) - 1; last > 2 && words[last].low == "please" {
		words, polite = words[:last], true
	}
	bare := words
	if bare[0].low == "please" && len(bare) > 1 {
		bare = bare[1:]
	}
	once := orderVerbs[bare[0].low] && len(bare) > 2 && single[object(bare).low] && !mentions(bare, everyTime)
	if once || !standing.in(words) && !reminders.in(words) && !(polite && lasts(bare)) {
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
