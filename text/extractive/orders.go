package extractive

import (
	"slices"
	"strings"
)

// complains reports whether a sentence is one to the assistant.
func complains(s said) bool {
	return s.listener.assistant && (in("complaints", s.words) || in("complaints", s.opening))
}

// lasting are the words of an order that holds more than once.
var lasting = set("not only never instead always without every each all max maximum most no")

// single are the words before or for one thing, which make an order one for now: "write a text".
var single = set("a an the this that these those it one two three")

// orderVerbs are verbs of what an assistant does in every answer, so that an order with one of them
// may be for good.
var orderVerbs = set("give show send tell write use keep call answer put add name format quote list reply respond explain make")

// lasts reports whether an order to an assistant holds from then on: "write
// texts without exclamation marks", but not "write a text without it".
func lasts(words []word) bool {
	if len(words) < 3 || !orderVerbs[words[0].low] {
		return false
	}
	if inForm(words) {
		return true
	}
	if what := object(words); manner[words[0].low] && strings.HasSuffix(what.low, "s") && !strings.HasSuffix(what.low, "ss") {
		return true // "keep answers short"
	}
	return mentions(words, everyTime) || !single[object(words).low] && mentions(words, lasting)
}

// inForm reports whether an order says in what tongue, unit or form things are
// to be: "write in grams", "keep the examples in R", but not "write it in French".
func inForm(words []word) bool {
	what := words[1:]
	if what[0].low != "in" && (what[0].low == "the" || what[0].low == "your" || what[0].low == "all") {
		what = what[1:]
	}
	if len(what) > 1 && what[0].low != "in" && strings.HasSuffix(what[0].low, "s") && !single[what[0].low] {
		what = what[1:]
	}
	return manner[words[0].low] && len(what) > 1 && len(what) < 4 && what[0].low == "in" && !single[what[1].low] &&
		!determiners[what[1].low] && !lostSubjects[what[1].low]
}

// object returns the first word of what an order is about: "answers" of "give me answers". words
// begins with the verb and has three words at least.
func object(words []word) word {
	if words[1].low == "me" || words[1].low == "us" {
		return words[2]
	}
	return words[1]
}

// manner are verbs of how things are done rather than of what is to be done.
var manner = set("keep use write format answer")

var everyTime = set("every each always never")

// asOrder returns the order in a polite question ("Could you always answer in French?" is "always
// answer in French.") or behind a denial ("No, don't use rm"). An order not to do something from
// then on is made polite, see banned. Other words are returned as they are.
func asOrder(words []word) []word {
	if len(words) > 3 && corrective[words[0].low] && strings.Contains(words[0].post, ",") {
		if ban := banned(words[1:]); ban != nil {
			return ban
		}
	}
	for _, rewrite := range []func([]word) []word{banned, lifted, whenever, toRemember} {
		if order := rewrite(words); order != nil {
			return order
		}
	}
	if len(words) < 5 || !in("wished", words) || !strings.Contains(words[len(words)-1].post, "?") {
		return words
	}
	words = append([]word(nil), words[2:]...)
	words[len(words)-1].post = "."
	return words
}

// bans are verbs of what an assistant may be told never to do.
var bans = set(`use write add give put say call mention suggest include apologise apologize repeat commit push mock log
	format hardcode abbreviate send ask touch change reformat rename amend delete edit start end begin start translate install
	deploy release roll publish merge rebase force upload import overwrite override assume guess skip shorten generate create
	invent book order buy spend invite forward reply answer post squash upgrade downgrade update bump`)

// mentioned are the words before a word that is named, not used ("don't use the word 'leverage'"):
// such an order holds for good, although it is about one thing.
var mentioned = set("word words term terms phrase phrases letter")

// banned writes what an assistant is told not to do from then on ("Don't use
// emojis", "no emojis please") as a polite order; nil of any other, such as what
// it is not to do to one thing, now.
func banned(words []word) []word {
	last := len(words) - 1
	if last < 2 || strings.Contains(words[last].post, "?") {
		return nil
	}
	if words[0].low == "no" && !words[0].ends() && (words[last].low == "please" || words[last].low == "ever") && last < 7 {
		return append(cut("please use no"), words[1:last]...)
	}
	rest := words
	if rest[0].low == "do" && rest[1].low == "not" {
		rest = append(cut("don't"), rest[2:]...)
	}
	if rest[0].low != "don't" || len(rest) < 3 || !bans[rest[1].low] || rest[1].ends() {
		return nil
	}
	what := object(rest[1:])
	if hasAny([]word{what}, "it", "that", "this", "them", "these") {
		return nil
	}
	if single[what.low] && !mentions(rest, everyTime) && !mentions(rest, mentioned) && !general(rest) || mentions(rest, nowWords) {
		return nil
	}
	return append(cut("please"), rest...)
}

// general reports whether words say where something holds: "in tests".
func general(words []word) bool {
	for i := 3; i < len(words)-1; i++ {
		if (words[i].low == "in" || words[i].low == "for" || words[i].low == "during" || words[i].low == "when") &&
			!single[words[i+1].low] {
			return true
		}
	}
	return false
}

var nowWords = set("now yet today again here")

// nickname writes "call me Tom" as what the user wants; nil of any other order.
func nickname(words []word) []word {
	if len(words) > 3 && words[0].low == "just" {
		words = words[1:]
	}
	if len(words) < 3 || len(words) > 9 || words[0].low != "call" || words[1].low != "me" || words[1].ends() || !named(words[2]) ||
		weekdays[words[2].low] {
		return nil
	}
	words = slices.Clone(words[2:])
	for i := 1; i < len(words); i++ {
		if words[i].low == "please" {
			words[i-1].post = words[i].post
			words = slices.Delete(words, i, i+1)
			break
		}
	}
	return append(cut("I want to be called"), words...)
}

// running are verbs of running programs. If the means is named, such an order holds from then on:
// "run migrations with make migrate".
var running = set("run start build deploy test lint launch restart release publish")

var byMeans = set("with via using through")

// ordered writes an order to an assistant that holds from then on as a wish of the user, so that it
// stands alone: "Always answer in French" becomes "I want you to always answer in French". Other
// words, such as an order for now, are returned as they are.
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
	if name := nickname(bare); name != nil {
		return name
	}
	everyDay := everyTime[bare[0].low] && len(bare) > 1 && leaning[bare[1].low] // "never on Fridays"
	if everyDay || len(bare) == 1 || hasAny(bare, "yet") || aboutRuns(bare) {
		return words
	}
	byCommand := len(bare) > 3 && running[bare[0].low] && !single[object(bare).low] &&
		!leaningOn[object(bare).low] && mentions(bare, byMeans)
	once := orderVerbs[bare[0].low] && len(bare) > 2 && single[object(bare).low] && !mentions(bare, everyTime) && !inForm(bare) &&
		!in("onwards", bare)
	stops := len(bare) > 1 && bare[0].low == "stop" && gerund(bare[1].low) && // what is done again and again: "stop adding emojis"
		!slices.ContainsFunc(bare[2:], func(w word) bool { return pointers[head(w.low)] }) && !mentions(bare[2:], nowWords) &&
		!(len(bare) > 2 && single[bare[2].low])
	placed := len(bare) > 5 && orderVerbs[bare[0].low] && strings.HasSuffix(object(bare).low, "s") && // "put helpers in lib, not in utils"
		mentions(bare[2:], refusals)
	if once || !byCommand && !in("standing", words) && !in("reminders", words) && !stops && !placed &&
		!(polite && lasts(bare)) {
		return words
	}
	words = append([]word(nil), words...)
	if first := words[0].low; (first == "let's" || first == "lets") && len(words) > 2 {
		words = words[1:]
	}
	if in("reminders", words) {
		return reminder(words)
	}
	if words[0].low == "please" {
		words = words[1:]
	}
	words[0].text = strings.ToLower(words[0].text)
	switch words[0].low {
	case "don't":
		return append(cut("I want you not to"), words[1:]...)
	case "from", "next", "make":
		return append(cut("I want you to do this:"), words...)
	}
	return append(cut("I want you to"), words...)
}

// lifted writes the end of a rule as what the user wants: "You can deploy on Fridays again" becomes "I
// allow you to deploy on Fridays again", "You don't have to run lint any more" "I no longer want you
// to run lint". Nil of any other sentence, such as what is allowed for once.
func lifted(words []word) []word {
	if rest := behind(words); opening("allowing", rest) > 0 && !supposing[words[0].low] { // "The audit is over, you can deploy again"
		words = rest
	}
	words = leading(words)
	end := len(words)
	for end > 0 && lastly[words[end-1].low] {
		end--
	}
	if len(words) < 4 || len(words) == 4 && !bans[words[2].low] || end == len(words) && words[2].low != "longer" ||
		strings.Contains(words[len(words)-1].post, "?") {
		return nil
	}
	table, wish := "sparing", "I no longer want you to"
	if end < len(words) && words[end].low == "again" {
		table, wish, end = "allowing", "I allow you to", end+1
	}
	n := opening(table, words)
	if n == 0 || n+2 > end || single[words[n+1].low] || mentions(words[n:], referring) {
		return nil
	}
	out := append(cut(wish), words[n:end]...)
	out[len(out)-1].post = "."
	return out
}

var (
	// referring are words for what was named before: with them it is about one thing.
	referring = set("it them that those")
	lastly    = set("again anymore any more longer now")
)

// reminder writes "remind me on Friday" as a wish: "I want to be reminded on Friday".
func reminder(words []word) []word {
	for words[0].low != "remind" {
		words = words[1:]
	}
	wish := cut("I want to be reminded")
	if words[1].low == "us" {
		wish[0].set("We")
	}
	wish[len(wish)-1].post = words[1].post
	return append(wish, words[2:]...)
}

// isOrdered reports whether words are what [ordered] makes of an order.
func isOrdered(words []word) bool {
	return len(words) > 3 && words[0].low == "i" && words[1].low == "want" && words[2].low == "you"
}

// standing reports whether a sentence says how things are to be done. Such a rule outlives the fact
// that it was said with, so it is one of its own.
func standing(words []word) bool {
	return isOrdered(words) || mentions(words, obliging) && !number(words[0].low)
}

var obliging = set("must never always should")

// about adds to the last fact, an order, the sentence that it is about, in brackets.
func (x *extraction) about() {
	n := len(x.facts) - 1
	if n < 1 || x.facts[n-1].dropped {
		return
	}
	if f, about := &x.facts[n], x.facts[n-1].Content; len(f.Content)+len(about)+3 <= maxFactBytes {
		f.Content += " [" + about + "]"
	}
}

// reasonOf returns the clause behind a request that tells how things are, and so why:
// "call it mv_sales, all our views begin with mv_". Nil if there is none.
func reasonOf(words []word) []word {
	rest := behind(words)
	if len(rest) < 4 || !determiners[rest[0].low] && !firstPerson[rest[0].low] && !named(rest[0]) || !verbal(rest[1:]) || unreal(rest) ||
		in("noise", rest) {
		return nil
	}
	return rest
}

// request reports whether a sentence wants something done now.
func request(words []word) bool {
	if words[0].low == "please" && len(words) > 1 {
		words = words[1:]
	}
	return !aboutRuns(words) && (advice(words) || requests[words[0].low])
}

// aboutRuns reports whether the verb that words begin with is a noun: "run 16 was stable",
// "run names: lower case".
func aboutRuns(words []word) bool {
	return len(words) > 2 && running[words[0].low] && (number(words[1].low) || strings.HasSuffix(words[1].post, ":"))
}

// errand reports whether a sentence tells an assistant what to do now, which is over when
// it is done; what has to be done by a day is not.
func errand(words []word) bool {
	if words[0].low == "please" {
		words = words[1:]
	}
	return oneTime[words[0].low] && !in("dueLater", words)
}

// oneTime are verbs of such errands. What is also said of how things are to be done in
// general, such as use, keep, prefer, call, is not among them.
var oneTime = set(`explain show tell describe summarize summarise translate generate rewrite refactor rename
	look find check search print investigate analyze analyse inspect debug reproduce trace profile measure
	add update remove delete move replace change convert split extract merge create implement fix
	install bump upgrade downgrade revert undo redo retry rebase reformat simplify optimize optimise
	document port migrate scaffold clean review continue proceed resume finish
	compare design draft suggest recommend book`)

var requests = set(`explain show help describe summarize summarise translate suggest list compare fix implement generate
	provide rewrite refactor draft please now`)
