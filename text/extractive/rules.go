package extractive

import "mcp-memory/memory"

// rule says what sort of fact a sentence with one of its phrases is.
type rule struct {
	is         memory.FactType
	importance float64
	dated      bool // only with a date or a time
	assistant  bool // counts in an assistant's words, too
	phrases    phrases
}

// rules are tried from the top; the first that fits counts. Sentences that
// none fits are facts of little importance, or none.
var rules = []rule{
	{memory.FactCorrection, 0.85, false, false, table("correction 1")},
	{memory.FactDecision, 0.85, false, true, table("decision 1")},
	{memory.FactDecision, 0.8, false, false, table("decision 2")},
	{memory.FactCommitment, 0.8, true, true, table("commitment 1")},
	{memory.FactCommitment, 0.8, true, false, table("commitment 2")},
	{memory.FactCommitment, 0.75, false, true, table("commitment 3")},
	{memory.FactPreference, 0.75, false, false, table("preference 1")},
	{memory.FactIdentity, 0.9, false, false, table("identity 1")},
	{memory.FactIdentity, 0.75, false, false, table("identity 2")},
	{memory.FactPreference, 0.55, false, false, table("preference 2")},
	{memory.FactPreference, 0.75, false, false, table("preference 3")},
	{memory.FactIdentity, 0.7, false, false, table("identity 3")},
	{memory.FactOther, 0.6, false, false, table("other 1")},
}

// ownAnswer are phrases of an assistant that look like a commitment and are only the
// start of an answer.
var ownAnswer = table("ownAnswer")

// orders are what text says that wants to be obeyed rather than remembered.
var orders = table("orders")

// unasked is what an order may have that its giver is to be passed over.
var unasked = newPhrases("^ without asking|telling the|me|user")

// obeyed reports whether words want to be obeyed rather than remembered. "Never push
// without asking me" does not.
func obeyed(words []word) bool {
	if orders.in(words) {
		return true
	}
	refused := false
	for i, w := range words {
		if w.low == "without" && !refused && unasked.in(words[i:]) {
			return true
		}
		refused = (refused || refusals[w.low]) && !w.ends()
	}
	return false
}

var refusals = set("never not don't no stop avoid")

const (
	eventImportance = 0.65 // of what happened at a known time
	pastImportance  = 0.5  // of what happened at some time
	plainImportance = 0.4
	thirdImportance = 0.35 // of what is not about the speaker
	orderImportance = 0.1  // of what looks like an attempt to give orders
	detailBonus     = 0.05 // for a number or a name
)
