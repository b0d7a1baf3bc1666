package extractive

import (
	"slices"
)

// Words by which somebody other than the speaker states what may be wrong. With a clause behind
// them they decide whether a sentence is kept:
//   - alleging verbs mark a claim, whoever makes it: "Gunnar claims he beat Carlsen" is not kept;
//   - pressing verbs do so unless a demand follows: "Ann insists we test first" is kept (but no
//     demand of people who need not know);
//   - assured adjectives do so behind a form of be: "Jo is sure the key is lost" is not kept;
//   - speaking verbs do so only of people who need not know, see remote and unnamed;
//   - opining verbs begin a clause that certainPart cuts off.
var (
	alleging = set("claims claim claimed swears swear swore reckons reckon bets jokes joked alleges alleged boasts boasted brags pretends")
	pressing = set("insists insist insisted argues argued maintains assures assured convinced")
	assured  = set("sure convinced certain positive adamant")
	speaking = set("says say said tells told tell thinks thought believes wrote writes keeps promises promised warned warns suggests suggested")
	opining  = set("thinks believes reckons suspects guesses fears hopes claims swears figures assumes supposes")
)

// written are the speaking verbs that a thing can be the subject of as well. Behind "a" or "an"
// they mark no claim: "an alert tells me when the disk is full" is kept.
var written = set("tells tell writes wrote keeps suggests suggested warned warns")

// selling are the words that make the "agent" behind them somebody who sells, and so need not know:
// "the letting agent says the heating is new" is not kept.
var selling = set("estate letting sales insurance travel rental")

// unnamed are subjects without a name, of whom nothing says that they know: "someone says the shop
// is closed" is not kept.
var unnamed = set("someone somebody everyone everybody people folks some many most others nobody")

// remote are people who need not know what they talk about, or want to sell something: "my
// neighbour says the road will close" is not kept.
var remote = set(`aunt uncle neighbour neighbor neighbours neighbors grandma grandpa grandmother grandfather barber hairdresser broker dealer cabbie in-laws
	mother-in-law father-in-law brother-in-law sister-in-law salesman saleswoman salesperson salespeople seller sellers influencer influencers
	youtuber youtubers blogger bloggers redditor redditors stranger internet astrologer`)

// ought are words that make a clause a demand: "must" in "he insists it must be tested".
var ought = set("must should shall have has need needs never always no only")

// alleged reports whether a sentence only passes on a claim of somebody else ("Gunnar claims he
// beat Carlsen"), or the words of somebody who is not said to know ("someone on reddit insists that
// …"). The verb has to be among the first nine words and in the first clause.
func alleged(words []word) bool {
	if len(words) < 4 || words[0].low == "i" || words[0].low == "we" {
		return false
	}
	indefinite := words[0].low == "a" || words[0].low == "an"
	vague := remote[words[0].low] || unnamed[words[0].low] || indefinite || words[0].low == "one" && words[1].low == "of"
	for i := 1; i < min(9, len(words)-1); i++ {
		w, next := words[i], words[i+1]
		if words[i-1].low == "i" || words[i-1].low == "we" || words[i-1].low == "not" || w.ends() || i > 1 && words[i-1].ends() {
			return false
		}
		vague = vague || i < 6 && remote[w.low] || w.low == "sales" || w.low == "law" && words[i-1].low == "in" ||
			w.low == "agent" && selling[words[i-1].low]
		if w.low == "to" && i > 1 {
			return false
		}
		switch claim := clauseStart(next); {
		case alleging[w.low] && claim:
			return true
		case pressing[w.low] && claim && (vague || !firstPerson[next.low] && !mentions(words[i+1:], ought) &&
			!(next.low == "that" && mentions(words[i+2:min(i+3, len(words))], firstPerson))):
			return true
		case w.low == "keeps" && !gerund(next.low):
			return false // "my neighbour keeps hens"
		case speaking[w.low] && vague && !(indefinite && written[w.low]):
			if hasAny(words[i+1:i+2], "he", "she", "they") && !unnamed[words[0].low] && !indefinite {
				return false // "grandma says she comes on Sunday" should know
			}
			return unnamed[words[0].low] || !(i+2 < len(words) && words[i+2].low == "to") // "told me to call"
		case beForms[w.low] && assured[next.low] && i+2 < len(words) && clauseStart(words[i+2]):
			return true
		case modals[w.low] || agreement[w.low] != "" && !pressing[next.low]:
			return false
		}
	}
	return false
}

// clauseStart reports whether a word can begin the clause behind a verb of saying: "that", a
// pronoun, an article, a name or a number.
func clauseStart(w word) bool {
	return lostSubjects[head(w.low)] || determiners[w.low] || firstPerson[w.low] || secondPerson[w.low] || named(w) || number(w.low) ||
		w.low == "hundreds" || w.low == "thousands" || w.low == "millions"
}

// unsure are adverbs before an addition without a verb that is not certain: of "We fly on Monday,
// allegedly from Graz" only "We fly on Monday." is kept.
var unsure = set("allegedly supposedly apparently reportedly possibly probably maybe perhaps")

// certainPart returns a sentence without the clause at its end that tells what somebody thinks or
// what is guessed: of "Amara is blocked, thinks IT forgot the ticket" it returns
// "Amara is blocked." A sentence without such a clause is returned as it is.
func certainPart(words []word) []word {
	for i := 3; i+1 < len(words); i++ {
		w := words[i]
		if !words[i-1].ends() && words[i-1].low != "and" && words[i-1].low != "but" {
			continue
		}
		doubted := words[i-1].ends() && i+2 < len(words) && !connectors[w.low] && w.low != "which" && w.low != "if" &&
			(in("guess", words[i:]) || wouldDo(words[i:])) ||
			opining[w.low] && clauseStart(words[i+1]) || unsure[w.low] && words[i-1].ends() && !verbal(words[i:]) ||
			w.low == "says" && words[i-1].low == "and" &&
				slices.ContainsFunc(words[:i], func(w word) bool { return remote[w.low] || unnamed[w.low] })
		if !doubted {
			continue
		}
		if low := words[i-1].low; low == "and" || low == "but" {
			i--
		}
		rest := slices.Clone(words[:i])
		rest[i-1].post = "."
		return rest
	}
	return words
}

// doubts reads a sentence that doubts what the one before reports of others ("She always says
// that"), or leaves a suggestion open ("We haven't decided"). It takes that sentence back if it
// reports a suggestion, a claim or an opinion, and reports whether there is nothing else to keep in
// this one.
func (m *message) doubts(words []word) bool {
	doubted, open := in("discredits", words), in("undecided", words)
	if !m.open || !doubted && !open || len(m.x.facts) == 0 {
		return false
	}
	f := &m.x.facts[len(m.x.facts)-1]
	told := cut(f.Content)
	if n := len(f.ends) - 1; n >= 0 {
		told = cut(f.Content[f.ends[n]:])
	}
	if !in("suggested", told) && !in("claims", told) && !in("opinions", told) {
		return doubted
	}
	f.undo()
	m.open = !f.dropped
	return true
}

// undo removes the sentence that was added to a fact last. It drops a fact from which none can be
// taken.
func (f *draft) undo() {
	f.dropped = f.dropped || len(f.ends) == 0
	f.shorten()
}
