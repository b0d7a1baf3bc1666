package cognition_test

import (
	"fmt"
	"testing"
	"time"

	"mcp-memory/cognition"
	"mcp-memory/memory"
	"mcp-memory/recall"
	"mcp-memory/remember"
)

// said is a message of a session, an hour after the one before.
func said(session string, n int, role memory.Role, speaker string) memory.Turn {
	return memory.Turn{Session: session, Role: role, Speaker: speaker, Content: "Hello.", SaidAt: day("2026-02-01").
		Add(time.Duration(n) * time.Hour)}
}

func (m *mind) met(scope memory.Scope, turns ...memory.Turn) {
	m.t.Helper()
	err := m.store.Write(m.t.Context(), scope.Agent, func(tx memory.Tx) error { return m.Met(m.t.Context(), tx, scope, turns) })
	if err != nil {
		m.t.Fatal(err)
	}
}

// people returns who is known, as "party trust interactions first last", newest first.
func (m *mind) people() map[string]memory.Record {
	m.t.Helper()
	list, _, err := m.Relationships(m.t.Context(), "anna", "", "", "", 0)
	if err != nil {
		m.t.Fatal(err)
	}
	people := map[string]memory.Record{}
	for _, r := range list {
		people[r.Relationship.Party] = r
	}
	if len(people) != len(list) {
		m.t.Errorf("%d relationships to %d people", len(list), len(people))
	}
	return people
}

func TestSpeakersAreMet(t *testing.T) {
	m := newMind(t)
	user, assistant := memory.RoleUser, memory.RoleAssistant
	m.met(anna,
		said("s", 5, user, "Marta Lindqvist"), said("s", 6, assistant, "Claude"),
		said("s", 7, user, "user"), said("s", 8, memory.RoleTool, "weather"),
		said("s", 3, user, "marta  lindqvist"), said("s", 9, "", "王伟"),
		said("s", 9, user, "ANNA"), said("s", 9, user, "Human"), said("s", 9, memory.RoleSystem, "ops"))
	people := m.people()
	if len(people) != 2 || people["王伟"].Relationship == nil {
		t.Fatalf("met %v", people)
	}
	marta := people["Marta Lindqvist"]
	d := marta.Relationship
	want(t, []any{d.Type, d.Trust, d.Interactions, d.FirstMet.Hour(), d.LastInteraction.Hour(), marta.Category, string(marta.Provenance),
		marta.Project},
		[]any{"neutral", 0.5, 2, 3, 5, "social", `{"session":"s"}`, ""})
	want(t, m.found("Who is Marta Lindqvist?", memory.KindRelationship)[:1],
		[]string{"Relationship to Marta Lindqvist: neutral, trust 0.5."})

	// It comes after all that says something of her, and is worth more when it does itself.
	if _, err := m.remember.Save(t.Context(), anna,
		remember.SaveRequest{Content: "Marta Lindqvist repairs tower clocks in Lund."}); err != nil {
		t.Fatal(err)
	}
	answer, err := m.recall.Recall(t.Context(), recall.Request{Query: "Where does Marta Lindqvist live?", Scope: anna})
	if err != nil || len(answer.Results) < 2 || answer.Results[0].Kind != memory.KindFact {
		t.Errorf("first %+v, %v", answer.Results, err)
	}

	// What the agent says of her stays, and so does the version.
	m.relate(cognition.RelationshipUpdate{Party: "Marta Lindqvist", Trust: ptr(0.9), Notes: ptr("Repairs clocks.")})
	want(t, m.people()["Marta Lindqvist"].Importance, memory.DefaultImportance)
	before := m.counted()
	m.met(anna, said("t", 1, user, "Marta Lindqvist"), said("t", 30, user, "Marta Lindqvist"))
	d = m.people()["Marta Lindqvist"].Relationship
	want(t, []any{d.Trust, d.Notes, d.Interactions, d.FirstMet.Hour(), d.LastInteraction.Day(), m.counted() - before},
		[]any{0.9, "Repairs clocks.", 4, 1, 2, 0})
}

// A group chat introduces those who say most, and never more than its share.
func TestMeetingManyIsNoFlood(t *testing.T) {
	m := newMind(t)
	for chat := range 15 {
		var turns []memory.Turn
		for i := range 100 {
			name := fmt.Sprintf("Guest %d of %d", i, chat)
			turns = append(turns, said(fmt.Sprint("chat ", chat), i, "", name))
			if i >= 95 {
				turns = append(turns, said(fmt.Sprint("chat ", chat), i, "", name))
			}
		}
		m.met(anna, turns[:50]...)
		m.met(anna, turns[50:]...)
		if n := len(m.people()); n != min(20*(chat+1), 200) {
			t.Fatalf("%d people after %d chats", n, chat+1)
		}
	}
	m = newMind(t)
	m.met(anna, said("s", 1, "", "Quiet"))
	var turns []memory.Turn
	for i := range 30 {
		turns = append(turns, said("s", i, "", fmt.Sprint("Guest ", i)))
	}
	m.met(anna, append(turns, said("s", 40, "", "Guest 29"))...)
	people := m.people()
	if len(people) != 20 || people["Guest 29"].Relationship == nil || people["Guest 28"].Relationship != nil {
		t.Errorf("met %d", len(people))
	}
	m.met(anna, said("s", 50, "", "Quiet"), said("s", 50, "", "Guest 28"))
	if people = m.people(); len(people) != 20 || people["Quiet"].Relationship.Interactions != 2 {
		t.Errorf("then %d, quiet %+v", len(people), people["Quiet"].Relationship)
	}
}

func TestWhoIsForgottenStaysForgotten(t *testing.T) {
	for _, permanent := range []bool{false, true} {
		m := newMind(t)
		m.met(anna, said("s", 1, "", "Marta"))
		_, err := m.remember.Forget(t.Context(), anna,
			remember.ForgetRequest{IDs: []string{m.people()["Marta"].ID}, Permanent: permanent, Confirm: permanent})
		if err != nil {
			t.Fatal(err)
		}
		m.met(anna, said("s", 2, "", "Marta"))
		if n := len(m.people()); n != 0 {
			t.Errorf("permanently %v: %d people", permanent, n)
		}
		m.relate(cognition.RelationshipUpdate{Party: "Marta", Interaction: true})
		m.met(anna, said("s", 3, "", "Marta"))
		if d := m.people()["Marta"].Relationship; d == nil || d.Interactions != 2 {
			t.Errorf("permanently %v: told again %+v", permanent, d)
		}
	}
}

// Who works on one project alone makes nothing that belongs to the whole agent.
func TestNobodyIsMetInAClosedProject(t *testing.T) {
	m := newMind(t)
	m.met(memory.Scope{Agent: "anna", Project: "clocks", Closed: true}, said("s", 1, "", "Marta"))
	if n := len(m.people()); n != 0 {
		t.Errorf("%d people", n)
	}
}

func TestMetByLink(t *testing.T) {
	m := newMind(t)
	for range 2 {
		err := m.store.Write(t.Context(), "anna", func(tx memory.Tx) error {
			return m.MetByLink(t.Context(), tx, "anna", "bob", "L1", day("2026-02-03"))
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	bob := m.people()["bob"]
	want(t, []any{bob.Relationship.Trust, bob.Relationship.Interactions, string(bob.Provenance)}, []any{0.5, 2, `{"link":"L1"}`})
}
