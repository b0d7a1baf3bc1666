package extractive

import (
	"slices"

	"mcp-memory/memory"
	"mcp-memory/text/slots"
)

// goesOn reports whether a sentence may be added to the last fact: it goes on with what that is about, as
// that is little more than a heading or both share a word. Else neither may be of a sort that has a rule (see
// rules) or state what a later sentence may replace, and the sentence may not be about its speaker.
func (x *extraction) goesOn(s said) bool {
	f := x.facts[len(x.facts)-1]
	_, sorted := ruleOf(s)
	return len(f.Content) <= shortFact || shares(f.Content, s.words) ||
		!sorted && f.Type == memory.FactOther && f.added < maxPlainThread && !mentions(s.words, firstPerson) &&
			!changeable(f.Content) && !changeable(join(s.words))
}

// maxPlainThread is how many sentences go with a fact that share no word with it.
const maxPlainThread = 2

// changeable reports whether a text states an attribute that package slots knows, such as a home:
// its value may be another one later.
func changeable(text string) bool {
	return slices.ContainsFunc(slots.Read(text, slots.Options{}), func(s slots.Statement) bool { return s.Attribute != "" })
}

// lean adds a sentence to the last fact, if that is no older than the fact
// from and the thread is short enough.
func (x *extraction) lean(s said, from int) bool {
	f := x.latest(from)
	if f == nil || f.added >= maxThread {
		return false
	}
	content, _, ok := x.content(s)
	return ok && f.join(content)
}

// join adds a sentence to a fact, if there is room.
func (f *draft) join(content string) bool {
	if len(f.Content)+1+len(content) > maxFactBytes {
		return false
	}
	f.ends = append(f.ends, len(f.Content))
	f.Content += " " + content
	f.added++
	return true
}

// shorten takes the sentence back that was added last.
func (f *draft) shorten() {
	if n := len(f.ends) - 1; n >= 0 {
		f.Content, f.ends = f.Content[:f.ends[n]], f.ends[:n]
	}
}
