package recall_test

import (
	"fmt"
	"slices"
	"testing"

	"mcp-memory/memory"
	"mcp-memory/recall"
)

// of fills a bank with facts, and returns what answers from it.
func of(t *testing.T, without []string, facts ...string) (*bank, *recall.Service) {
	t.Helper()
	b := newBank(t, builtin())
	for _, f := range facts {
		b.pass(1e9)
		b.save(t, b.Store, b.record(f))
	}
	o := b.all.RecallOptions()
	o.Without = without
	return b, recall.New(o)
}

func lenient(r *recall.Request) {
	r.Lenient, r.MinScore, r.Limit = true, recall.Floor, recall.DefaultLimit
}

// In a small bank a question in other words finds what it means by what each word
// is near to; as a whole it is nearer to something else.
func TestAlignInSmallBank(t *testing.T) {
	facts := []string{
		"Peeling onions makes Rufus cry.", "The kiln fires at 1,240 degrees.", "Marble dust ruins the pump of the kiln room.",
		"No calls before ten, please.", "The studio shuts for the whole of August.", "Rufus pays the lease on the first of the month.",
		"The apprentice starts in May.",
	}
	_, s := of(t, nil, facts...)
	_, plain := of(t, []string{"aligned"}, facts...)
	for question, want := range map[string]string{
		"In which month is the workshop closed?": "The studio shuts for the whole of August.",
		"When are you on holiday?":               "The studio shuts for the whole of August.",
	} {
		if got := ask(t, s, question, lenient)[0].Content; got != want {
			t.Errorf("%s: %q", question, got)
		}
		if got := ask(t, plain, question, lenient)[0].Content; got == want {
			t.Errorf("%s: %q without it as well: the test shows nothing", question, got)
		}
	}
}

// In a large one it counts where words found nothing, and what they found stays.
func TestAlignInLargeBank(t *testing.T) {
	facts := []string{
		"Marble dust ruins the pump of the kiln room.", "No calls before ten, please.", "The studio shuts for the whole of August.",
		"Rufus pays the lease on the first of the month.", "The apprentice starts in May.", "Our cat sleeps on the drying rack.", "The van needs diesel.",
		"Visitors leave their shoes at the door.", "The neighbour complains about smoke.", "A customer returned two bowls with cracks.",
		"Prices rise by ten percent in spring.", "We sell mugs on the Saturday market.", "The wheel squeaks when it is wet.", "The dentist moved my appointment to Thursday.",
	}
	for i := range 30 {
		facts = append(facts, fmt.Sprintf("Shelf %d holds jars of %s.", i, []string{"glaze", "slip", "sand", "oxide", "plaster"}[i%5]))
	}
	place := func(s *recall.Service, question string, want string) int {
		return slices.IndexFunc(ask(t, s, question), func(r recall.Result) bool { return r.Content == want })
	}
	_, s := of(t, nil, facts...)
	_, plain := of(t, []string{"aligned"}, facts...)
	for question, want := range map[string]string{"In which month is the workshop closed?": facts[2]} {
		if with, without := place(s, question, want), place(plain, question, want); with >= without {
			t.Errorf("%s: at place %d, %d without", question, with, without)
		}
	}
	if got := place(s, "apprentice May", facts[4]); got != 0 {
		t.Errorf("by its words at place %d", got)
	}
}

// Among few facts, what says where, why or at what hour answers who asks that.
func TestKindsInSmallBank(t *testing.T) {
	_, s := of(t, nil, "The Monday kiln course is full of beginners.", "Bought a kiln that stands in the garage.", "The kiln is slow, because the coil is old.", "The kiln is fired at 6 in the morning.", "The kiln guild has a new treasurer.")
	for question, want := range map[string]string{
		"Where is the kiln?": "Bought a kiln that stands in the garage.", "Why does the kiln take ages?": "The kiln is slow, because the coil is old.", "At what hour is the kiln going?": "The kiln is fired at 6 in the morning.",
	} {
		if got := ask(t, s, question, lenient)[0].Content; got != want {
			t.Errorf("%s: %q", question, got)
		}
	}
}

// What lacks the kind of thing that is asked for comes later, and is not hidden.
func TestUnmet(t *testing.T) {
	facts := []string{"The kiln of the guild cost too much.", "The kiln of the guild cost 900 euros."}
	for range 2 {
		_, s := of(t, nil, facts...)
		got := ask(t, s, "How much did the kiln of the guild cost?", lenient)
		if len(got) < 2 || got[0].Content != facts[1] || got[1].Content != facts[0] {
			t.Errorf("%d records: %d results, %q first", len(facts), len(got), got[0].Content)
		}
		for i := range 60 {
			facts = append(facts, fmt.Sprintf("Shelf %d holds jars.", i))
		}
	}
}

// Of a small bank that is longer than an answer, three are shown at least.
func TestLeastShown(t *testing.T) {
	var facts []string
	for i := range 20 {
		facts = append(facts, fmt.Sprintf("Jar %d is on shelf %d.", i, i))
	}
	_, s := of(t, nil, facts...)
	if got := ask(t, s, "quarterly submarine revenue", lenient); len(got) < 3 || len(got) == recall.DefaultLimit {
		t.Errorf("%d results", len(got))
	}
	if got := ask(t, s, "quarterly submarine revenue", func(r *recall.Request) { r.MinScore = recall.Floor }); len(got) != 0 {
		t.Errorf("strict: %d results", len(got))
	}
	if got := ask(t, s, "quarterly submarine revenue", lenient, func(r *recall.Request) { r.Filter = memory.Filter{Kinds: []memory.Kind{memory.KindFact}} }); len(got) != recall.DefaultLimit {
		t.Errorf("an explicit filter: %d results", len(got))
	}
}

// Of two records of a small bank that say as much the newer comes first, the older
// if it is asked how things were.
func TestTilt(t *testing.T) {
	nearer, other := "Zorvin varnish, some coats for the gate of the guild.", "Balmuk varnish, some thin coats for the gate of the guild."
	_, now := of(t, nil, nearer, other, "Jars are on the shelf.")
	if got := ask(t, now, "How is the gate of the guild coated?", lenient)[0].Content; got != other {
		t.Errorf("as it is: %q", got)
	}
	_, then := of(t, nil, other, nearer, "Jars are on the shelf.")
	if got := ask(t, then, "How was the gate of the guild originally coated?", lenient)[0].Content; got != other {
		t.Errorf("as it was: %q", got)
	}
}
