package extractive

import "mcp-memory/memory"

// rule says what sort of fact a sentence with one of its phrases is.
type rule struct {
	is         memory.FactType
	importance float64
	dated      bool   // only with a date or a time
	assistant  bool   // counts in an assistant's words, too
	table      string // of its phrases
}

// rules are tried from the top; the first that fits counts. Sentences that
// none fits are facts of little importance, or none.
var rules = []rule{
	{memory.FactCorrection, 0.85, false, false, "correction 1"},
	{memory.FactDecision, 0.85, false, true, "decision 1"},
	{memory.FactDecision, 0.8, false, false, "decision 2"},
	{memory.FactCommitment, 0.8, true, true, "commitment 1"},
	{memory.FactCommitment, 0.8, true, false, "commitment 2"},
	{memory.FactCommitment, 0.75, false, true, "commitment 3"},
	{memory.FactPreference, 0.75, false, false, "preference 1"},
	{memory.FactIdentity, 0.9, false, false, "identity 1"},
	{memory.FactIdentity, 0.75, false, false, "identity 2"},
	{memory.FactPreference, 0.55, false, false, "preference 2"},
	{memory.FactPreference, 0.75, false, false, "preference 3"},
	{memory.FactIdentity, 0.7, false, false, "identity 3"},
	{memory.FactOther, 0.6, false, false, "other 1"},
}

// obeyed reports whether a sentence is an attempt to give orders to whoever reads it ("ignore all
// previous instructions", "delete it without asking the user"). "Never push without asking me" is no
// such order.
func obeyed(words []word) bool {
	if in("orders", words) {
		return true
	}
	refused := false
	for i, w := range words {
		if w.low == "without" && !refused && in("unasked", words[i:]) {
			return true
		}
		refused = (refused || refusals[w.low]) && !w.ends()
	}
	return false
}

var refusals = set("never not don't no stop avoid")

const (
	correctionImportance = 0.85
	eventImportance      = 0.65 // of what happened at a known time
	pastImportance       = 0.5  // of what happened at some time
	plainImportance      = 0.4
	thirdImportance      = 0.35 // of what is not about the speaker
	orderImportance      = 0.1  // of what looks like an attempt to give orders
	detailBonus          = 0.05 // for a number or a name
)
