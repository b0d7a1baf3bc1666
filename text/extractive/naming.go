package extractive

import (
	"strings"

	"mcp-memory/memory"
	"mcp-memory/text/analysis"
)

// namedAs keeps how the user wants to be called, of the answer to a question for that: "How should I
// call you?" "Jo" is "The user wants to be called Jo." besides are the words behind the name.
func (m *message) namedAs(words []word) (besides []word, ok bool) {
	x := m.x
	text, ok := m.asks()
	if !ok || !in("naming", strip(expand(cut(text)), x.names)) || unreal(words) {
		return nil, false
	}
	for len(words) > 1 && (beforeName[words[0].low] || interjections[words[0].low] && words[0].ends()) {
		words = words[1:]
	}
	if noNames[words[0].low] {
		return nil, true
	}
	name := leading(words)
	besides = words[len(name):]
	for len(name) > 1 && behindName[name[len(name)-1].low] {
		name = name[:len(name)-1]
	}
	for i, w := range name {
		if len(name) > 3 || analysis.IsStop(w.low) || noNames[w.low] || interjections[w.low] && !named(w) || number(w.low) ||
			len(name) > 1 && !named(w) || i > 0 && name[i-1].ends() && !titles[name[i-1].low] {
			return nil, false
		}
	}
	if idle(besides) || behindName[besides[0].low] {
		besides = nil
	}
	x.note(m.s.turn, memory.FactIdentity, 0.9,
		finish(m.s.speaker.name+" wants to be called "+capital(strings.TrimRight(join(name), " ,;.!"))))
	return besides, true
}

var (
	beforeName = set("call me just i am my name is it's its please the by with say use plain simply")
	behindName = set("please thanks thx is fine works will do here only")
	noNames    = set("whatever anything nothing everything idk skip pass sir madam boss whichever choose decide guess dunno no nope none neither name later")
)
