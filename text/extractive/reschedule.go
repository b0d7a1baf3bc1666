package extractive

import "strings"

// moved are the words of an appointment that gets another date.
var moved = newPhrases(`
	^ change|changes of plan|plans
	^ new plan|date|time
	date|day|time|appointment is now
	is now on|at
	^ plans|things have? changed
	^ i|we? have? just? moved|postponed|rescheduled|delayed|shifted|pushed
	postponed|rescheduled|rebooked|delayed|pushed|shifted|preponed|moved ~ to|until|till|by
	brought forward
	instead of
	slips|slipped to
	can|could only|not ~ start|begin|come|deliver|do
	only starts|begins|comes|arrives`)

var onlyNewDate = newPhrases(`
	^ the? new? date|day|time is? now?`)

// reschedule puts the date of a change of plan in the place of the one in the
// latest fact that is about the same, or else the hour. The sentence itself is kept as
// well: it often says why.
func (x *extraction) reschedule(s said) {
	if moved.in(s.words) && !x.redate(s) {
		x.retime(s)
	}
}

// retime does so with the only hour of a sentence.
func (x *extraction) retime(s said) {
	now := onlyOf(join(s.words), "time")
	for i := len(x.facts) - 1; now != "" && i >= 0 && i >= len(x.facts)-maxBack; i-- {
		f := &x.facts[i]
		if old := onlyOf(f.Content, "time"); !f.dropped && old != "" && old != now && sharesStem(swap(f.Content, old, ""), s.words) {
			f.amend(swap(f.Content, old, now))
			return
		}
	}
}

// sharesStem reports whether a text and words have a word that says something in common.
func sharesStem(text string, words []word) bool {
	says := stemSet(join(words))
	for stem := range stemSet(text) {
		if says[stem] && !weak[stem] && !number(stem) {
			return true
		}
	}
	return false
}

// redate puts the only date of a sentence in the place of the one in the latest
// fact that is about the same; it
// reports whether there was one.
func (x *extraction) redate(s said) bool {
	now, ordinal := onlyDate(absolute(join(s.words), s.at).text), onlyOrdinal(s.words)
	if now == "" && ordinal == "" {
		return false
	}
	bare := onlyNewDate.in(s.words) && len(s.words) < 8 // names only the date
	for i := len(x.facts) - 1; i >= 0 && i >= len(x.facts)-maxBack; i-- {
		f := &x.facts[i]
		old := onlyDate(f.Content)
		if now == "" && old != "" {
			_, month, _ := strings.Cut(old, " ")
			now = ordinal + " " + month
		}
		if f.dropped || old == "" || old == now {
			continue
		}
		if sharesStem(strings.Replace(f.Content, old, "", 1), s.words) || bare && i >= x.talk.from-2 {
			f.amend(strings.Replace(f.Content, old, now, 1))
			return true
		}
	}
	return false
}

// maxBack is how many facts a correction may reach back.
const maxBack = 30
