package tools

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// observed are what an agent noted, what is asked, and a word of the answer.
var observed = [][3]string{
	{"Mira the smith promised to deliver twelve lanterns before the harvest fair.", "What did Mira promise?", "lanterns"},
	{"Trader Oskar sells salt for four copper a bag at the north gate.", "What does Oskar ask for salt?", "four copper"},
	{"The bridge at Elmford collapsed after the spring flood.", "What happened at Elmford?", "collapsed"},
	{"Councillor Jana voted against the new tax on grain.", "How did Jana vote on the grain tax?", "against"},
	{"Experiment 12 showed that the blue dye fades after nine days in sunlight.", "How long does the blue dye last in sunlight?",
		"nine days"},
	{"Pavel owes me two silver coins for the repaired boat.", "What does Pavel owe me?", "two silver"},
	{"The healer Ines collects yarrow on the eastern ridge at dawn.", "Where does Ines collect yarrow?", "eastern ridge"},
	{"Wolves took three sheep from Bertram's pasture in the night.", "What did Bertram lose?", "three sheep"},
	{"The mill wheel needs a new axle made of ash wood.", "What does the mill wheel need?", "axle"},
	{"Tomas asked for a share of the fishing rights in exchange for his nets.", "What did Tomas ask for?", "fishing rights"},
	{"Our alliance with the river clan holds until the first snow.", "Until when does the alliance with the river clan hold?",
		"first snow"},
	{"Lena found copper ore under the old chapel.", "What did Lena find?", "copper ore"},
	{"The inn raised the price of a bed to six copper.", "What does a bed cost at the inn?", "six copper"},
	{"Gregor lied about the number of barrels in the cellar.", "What did Gregor lie about?", "barrels"},
	{"A storm damaged the roof of the granary on the ninth day.", "What damaged the granary?", "storm"},
	{"Nadia plants beans between the rows of maize and gets more of both.", "What does Nadia plant between the maize?", "beans"},
	{"The ferryman takes nobody across after dusk.", "When does the ferryman stop?", "dusk"},
	{"Ulf trained two young hawks for the hunt.", "What did Ulf train?", "hawks"},
	{"We learned that clay from the south bank cracks in the kiln.", "Which clay cracks in the kiln?", "south bank"},
	{"Ruta offered shelter to the refugees from Karst.", "Who offered shelter to the refugees?", "Ruta"},
	{"The well behind the temple has gone dry.", "Which well has gone dry?", "temple"},
	{"Simon traded his mule for eight sacks of barley.", "What did Simon get for his mule?", "barley"},
	{"Captain Vera plans to sail to Ostmark in the second moon.", "Where does Vera plan to sail?", "Ostmark"},
	{"Old Henrik knows the path through the marsh.", "Who knows the path through the marsh?", "Henrik"},
	{"The market on Thursdays is the best place to sell wool.", "Where is wool sold best?", "Thursdays"},
	{"Agnes broke her promise to guard the gate.", "What did Agnes promise to guard?", "gate"},
	{"The river rose two hands in a single night.", "How much did the river rise?", "two hands"},
	{"Falk the miller keeps the scales one stone too heavy.", "What is wrong with Falk's scales?", "heavy"},
	{"I traded three loaves with Dora for a bundle of arrows.", "What did Dora give me?", "arrows"},
	{"The elders decided that nobody may cut oaks in the grove.", "What may nobody cut?", "oaks"},
	{"Kasimir teaches children to read on market days.", "What does Kasimir teach?", "read"},
}

// TestSelfCareLosesNothing: what summaries leave out is found in the archive, and says that it
// comes from there; what was forgotten is not brought up again.
func TestSelfCareLosesNothing(t *testing.T) {
	r := newFullRig(t)
	recalled := func(question string) (out recallOutput) {
		r.must("memory_recall", fmt.Sprintf(`{"query":%q}`, question), &out)
		return out
	}
	keep := func(content string) (out struct{ ID string }) {
		given, err := json.Marshal(map[string]string{"content": content})
		if err != nil {
			t.Fatal(err)
		}
		r.must("add_to_longterm_memory", string(given), &out)
		return out
	}
	for _, one := range observed {
		keep(one[0])
	}
	gone := keep("The miller hid a golden spoon in the flour.")
	r.must("memory_forget", fmt.Sprintf(`{"ids":[%q]}`, gone.ID), &struct{}{})
	var care struct {
		MemoriesArchived int `json:"memories_archived"`
	}
	r.must("self_care", `{}`, &care)
	if care.MemoriesArchived != len(observed) {
		t.Fatalf("%d archived", care.MemoriesArchived)
	}
	fromArchive := 0
	for _, one := range observed {
		results := recalled(one[1]).Results
		first := results[:min(5, len(results))]
		if !slices.ContainsFunc(first, func(x recallResult) bool { return strings.Contains(x.Content, one[2]) }) {
			t.Errorf("%s: %+v", one[1], first)
		}
		if slices.ContainsFunc(first, func(x recallResult) bool { return x.Archived && x.Content == one[0] }) {
			fromArchive++
		}
	}
	if fromArchive < len(observed)/2 {
		t.Errorf("%d come from the archive", fromArchive)
	}
	if slices.ContainsFunc(recalled("Where did the miller hide the golden spoon?").Results,
		func(x recallResult) bool { return x.ID == gone.ID }) {
		t.Error("what was forgotten came back")
	}
}
