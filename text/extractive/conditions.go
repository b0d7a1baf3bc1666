package extractive

import (
	"slices"
	"strings"

	"mcp-memory/text/analysis"
)

// whenever writes an order under a condition that may be met again and again as what the user wants:
// "If the build fails with exit 137, restart runner 3." Nil of any other sentence, such as "If the
// tests pass, commit", which is about what is at hand.
func whenever(words []word) []word {
	if len(words) < 5 || words[0].low != "if" || lostSubjects[head(words[1].low)] {
		return nil
	}
	start := slices.IndexFunc(words, word.ends) + 1
	if start == 0 || start == len(words) {
		start = slices.IndexFunc(words, func(w word) bool { return calling[w.low] })
	}
	if start < 3 {
		start = indexOf(words[2:], "you") + 2
	}
	if start < 3 {
		return nil
	}
	condition, order := words[1:start], words[start:]
	for len(order) > 1 && (order[0].low == "then" || order[0].low == "please") {
		order = order[1:]
	}
	if n := opening("owed", order); n > 0 {
		condition, order = slices.Clone(condition), order[n:]
		condition[len(condition)-1].post = ","
	}
	verb := order[0].low
	errands := oneTime[verb] || finishing[verb]
	done := mentions(condition, failing) && len(order) > 1 && !analysis.IsStop(verb) && order[0].text == verb && // "kill the worker"
		!strings.HasSuffix(verb, "s") && (determiners[order[1].low] || shape(order[1].text) != "" || named(order[1]))
	if !errands && !done && !calling[verb] && !imperatives[verb] && !requests[verb] && !orderVerbs[verb] && !bans[verb] ||
		mentions(condition, wishing) || mentions(condition, atHand) {
		return nil
	}
	specific := slices.ContainsFunc(words[1:], func(w word) bool { return named(w) || number(w.low) || shape(w.text) != "" })
	recurs := mentions(order, enduring) || mentions(condition, anyOf) || mentions(condition, failing) ||
		secondPerson[condition[0].low] && len(condition) > 1
	if !recurs && (errands || !specific && condition[0].low != "i") {
		return nil
	}
	first := word{pre: words[0].pre, text: "if", low: "if", post: words[0].post}
	return slices.Concat(cut("I want you to do this:"), []word{first}, condition, order)
}

var (
	atHand = set("these this those still again now today tomorrow")
	// calling are verbs of what is done when something happens.
	calling = set("call ask tell restart use run never always don't stop ping page notify escalate wait mark warn")
	// finishing are verbs of what ends a task.
	finishing = set("commit push merge tag open publish release deploy submit try")
	// enduring are words of an order that is for good.
	enduring = set("never always ask tell instead every")
	anyOf    = set("a an any someone anyone something anything somebody every")
	// failing are words of what goes wrong now and then.
	failing = set("fails breaks crashes hangs gets corrupted down stuck")
	// wishing are words of a condition that is mere politeness, or not so.
	wishing = set("can could like want wish prefer need had were would possible easy")
)

// toRemember writes "remember to run gofmt before you show me code" as what the user wants; nil if it
// says of nothing when.
func toRemember(words []word) []word {
	if len(words) > 3 && words[0].low == "please" {
		words = words[1:]
	}
	if len(words) < 5 || words[0].low != "remember" || words[1].low != "to" || !mentions(words[2:], recurring) {
		return nil
	}
	words = slices.Clone(words)
	words[0].text = "remember"
	return append(cut("I want you to"), words...)
}

// recurring are words that say at which times.
var recurring = set("before after when whenever every each always while")
