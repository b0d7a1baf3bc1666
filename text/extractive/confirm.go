package extractive

import (
	"strings"

	"mcp-memory/memory"
	"mcp-memory/text/analysis"
)

const (
	// restated is the share of the words of an assistant's sentence that the user has to have said
	// before for the sentence to count as a repetition.
	restated = 0.6
	// maxEchoBytes is the length of such a sentence at most.
	maxEchoBytes = 140
	// maxConfirmation is the length of a turn that may only confirm: what is
	// longer explains.
	maxConfirmation = 300
)

// hear remembers what the user said.
func (d *dialogue) hear(content string) {
	if d.heard == nil {
		d.heard = map[string]bool{}
	}
	d.just = stemSet(content)
	for stem := range d.just {
		d.heard[stem] = true
	}
}

// confirm adds to the user's last fact the words by which the assistant says
// it again, where they complete it: "And for all other trips" is nothing
// without "Seats by the window on all trips, noted".
func (x *extraction) confirm(position int, who, user person) {
	t := x.turns[position]
	if x.talk.turn < 0 || x.talk.turn < position-1 || x.talk.unreal || len(t.Content) > maxConfirmation ||
		x.turns[x.talk.turn].Session != t.Session {
		return
	}
	all := sentences(t.Content)
	for _, text := range all[:min(2, len(all))] {
		words := unlabelled(strip(expand(cut(text)), x.names))
		if len(text) > maxEchoBytes || len(words) == 0 || strings.Contains(text, "?") || foreign(text) || in("doubtful", words) ||
			in("noise", words) || len(cut(text)) < maxUpdate && updates[cut(text)[0].low] ||
			mentions(words, firstPerson) || lostSubjects[head(words[0].low)] {
			continue
		}
		if x.echo(position, words, who, user) {
			return
		}
	}
}

// unlabelled removes the "Noted:" that a confirmation begins with.
func unlabelled(words []word) []word {
	for i, w := range words[:min(4, len(words))] {
		if strings.HasSuffix(w.post, ":") && i+1 < len(words) && labels[words[0].low] {
			return words[i+1:]
		}
	}
	return words
}

// labels are words that begin a confirmation before a colon: "Noted:".
var labels = set("noted so good i ok okay got right agreed understood recorded booked saved done")

// updates are the words by which an assistant says that it has put something right.
var updates = set("updated corrected changed fixed adjusted")

// maxUpdate is below how many words that says no more than the new value.
const maxUpdate = 5

// echo keeps a sentence of the assistant that says again what the user said and adds some words:
// with the user's last fact, or as a fact of its own if the user's turn gave none. It reports
// whether it did.
func (x *extraction) echo(position int, words []word, who, user person) bool {
	last := len(x.facts) - 1
	fresh := (x.talk.open || last >= x.talk.from) && last >= 0 && !x.facts[last].dropped
	had := map[string]bool{}
	if fresh {
		had = stemSet(x.facts[last].Content)
	}
	known, just, more, shared, total := 0, 0, 0, 0, 0
	for _, stem := range analysis.Content(join(words)) {
		if len(stem) < 3 && !number(stem) {
			continue
		}
		total++
		if x.talk.heard[stem] {
			known++
		}
		if x.talk.just[stem] {
			just++
		}
		if had[stem] {
			shared++
		} else {
			more++
		}
	}
	if shared == 0 && strings.Contains(x.turns[x.talk.turn].Content, "?") {
		return false // it answers what the user asked
	}
	if total < 2 || just == 0 || more == 0 || float64(known) < restated*float64(total) {
		return false
	}
	s := said{words: words, opening: words, speaker: who, listener: user, at: x.turns[position].SaidAt, turn: position, brief: true}
	content, _, ok := x.content(s)
	if !ok {
		return false
	}
	if fresh {
		x.talk.echoed = x.facts[last].join(content)
		return x.talk.echoed
	}
	if total < minPlain || len(x.facts) > x.talk.from {
		return false
	}
	x.note(x.talk.turn, memory.FactOther, thirdImportance, content)
	return true
}
