package dbtest

import (
	"reflect"
	"testing"

	"mcp-memory/memory"
)

var toldTests = map[string]func(*testing.T, *env){
	"pages":  pagesOfTold,
	"erased": toldIsErased,
	"pruned": toldIsPruned,
}

// told stores one entry for each query, a day apart.
func (e *env) told(t *testing.T, agent string, queries ...string) []memory.Told {
	t.Helper()
	var list []memory.Told
	for i, query := range queries {
		list = append(list, memory.Told{
			ID: e.ids.New(), Project: "barn", Session: "s" + query, Via: "memory_recall", Query: query, Tokens: i, At: day(i),
			Results: []memory.ToldResult{{ID: "a", Score: 0.5}, {ID: "b"}}[:i%3],
		})
	}
	if err := e.NoteTold(t.Context(), agent, list); err != nil {
		t.Fatal(err)
	}
	return list
}

func (e *env) toldTo(t *testing.T, agent, before string, limit int) []memory.Told {
	t.Helper()
	list, err := e.Told(t.Context(), agent, before, limit)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func queriesOf(list []memory.Told) (queries []string) {
	for _, one := range list {
		queries = append(queries, one.Query)
	}
	return queries
}

func pagesOfTold(t *testing.T, e *env) {
	e.save(t, nil, e.record("A bank."))
	changes, err := e.Changes(t.Context(), agent)
	if err != nil {
		t.Fatal(err)
	}
	all := e.told(t, agent, "one", "two", "three", "four", "'; --")
	e.told(t, "nobody", "of nobody")
	if after, err := e.Changes(t.Context(), agent); err != nil || after != changes {
		t.Errorf("telling counts as a change of the bank: %v, %v, %v", changes, after, err)
	}
	first := e.toldTo(t, agent, "", 2)
	if got, want := queriesOf(first), []string{"'; --", "four"}; !reflect.DeepEqual(got, want) {
		t.Errorf("first page: %q", got)
	}
	rest := e.toldTo(t, agent, first[1].ID, 9)
	if got, want := queriesOf(rest), []string{"three", "two", "one"}; !reflect.DeepEqual(got, want) {
		t.Errorf("the rest: %q", got)
	}
	if got := rest[0]; asJSON(got) != asJSON(all[2]) {
		t.Errorf("got %s\nwant %s", asJSON(got), asJSON(all[2]))
	}
	if got := e.toldTo(t, "nobody", "", 9); len(got) != 0 {
		t.Errorf("of nobody: %q", queriesOf(got))
	}
}

// toldIsErased tests that entries are erased whose query contains an erased text, those of an
// erased session, and with a bank all of them.
func toldIsErased(t *testing.T, e *env) {
	e.save(t, nil, e.record("A bank."))
	e.told(t, agent, "plain", "is it true that the gate is red?", "of a session")
	err := e.Write(t.Context(), agent, func(tx memory.Tx) error { return tx.EraseTraces([]string{"the gate is red", "something else"}) })
	if got := queriesOf(e.toldTo(t, agent, "", 9)); err != nil || !reflect.DeepEqual(got, []string{"of a session", "plain"}) {
		t.Errorf("after its text was erased: %q, %v", got, err)
	}
	err = e.Write(t.Context(), agent, func(tx memory.Tx) error { _, err := tx.EraseSession("sof a session"); return err })
	if got := queriesOf(e.toldTo(t, agent, "", 9)); err != nil || !reflect.DeepEqual(got, []string{"plain"}) {
		t.Errorf("after its session was erased: %q, %v", got, err)
	}
	err = e.Write(t.Context(), agent, func(tx memory.Tx) error { return tx.EraseBank() })
	if got := e.toldTo(t, agent, "", 9); err != nil || len(got) != 0 {
		t.Errorf("after the bank was erased: %q, %v", queriesOf(got), err)
	}
}

func toldIsPruned(t *testing.T, e *env) {
	e.save(t, nil, e.record("A bank."))
	e.told(t, agent, "one", "two", "three", "four")
	for _, want := range []int{2, 1, 0} {
		if n, err := e.PruneTold(t.Context(), agent, day(3), 2); n != want || err != nil {
			t.Errorf("%d, %v; want %d", n, err, want)
		}
	}
	if got := queriesOf(e.toldTo(t, agent, "", 9)); !reflect.DeepEqual(got, []string{"four"}) {
		t.Errorf("left: %q", got)
	}
}
