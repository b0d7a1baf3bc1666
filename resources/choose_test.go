package resources_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"mcp-memory/memory"
	"mcp-memory/resources"
	"mcp-memory/text/tokens"
)

// told stores a fact of ann as a user tells it: with the default importance, so
// many days before now.
func (b *bank) told(days int, content string, edits ...func(*memory.Record)) {
	b.t.Helper()
	b.keep(memory.KindFact, content, append([]func(*memory.Record){func(r *memory.Record) {
		r.Pinned, r.CreatedAt = false, b.now.AddDate(0, 0, -days)
		r.OccurredAt = r.CreatedAt
	}}, edits...)...)
}

func ofProject(name string) func(*memory.Record) {
	return func(r *memory.Record) { r.Project = name }
}

type fact struct {
	days    int
	content string
	edit    func(*memory.Record)
}

// TestChoice: what is on the page of a bank in which nobody said what is
// important. Lines that begin with "!" must not be on it.
func TestChoice(t *testing.T) {
	filler := fact{60, "The team has nine members.", nil}
	// beside stands a fact among so much that is worth a line that none is filled in.
	beside := func(facts ...fact) []fact {
		for _, word := range []string{"hangar", "apron", "tower", "canteen", "fence", "runway"} {
			facts = append(facts, fact{5, "We decided to paint the " + word + ".", nil})
		}
		return facts
	}
	for name, c := range map[string]struct {
		facts []fact
		want  []string
	}{
		"who the user is, by a word that says so": {[]fact{{300, "The user is Odile Varga, pilot in Lyon.", nil}},
			[]string{"## The user\n\n- The user is Odile Varga"}},
		"who the user is, by the first full name": {[]fact{{300, "Odile Varga flies freight from Lyon.", nil}},
			[]string{"## The user\n\n- Odile Varga"}},
		"a full name later is somebody else": {[]fact{filler, filler, {200, "The user is Odile Varga, pilot.", nil},
			{9, "Per Holm flies with her.", nil}}, []string{"!## The user\n\n- Per"}},
		"nor does one after others introduce": {[]fact{filler, filler, {50, "The shed has two doors.", nil},
			{9, "Per Holm flies with her.", nil}}, []string{"!## The user"}},
		"a task that says its day relatively": {beside(fact{1, "The tax report is due next Friday.", nil}),
			[]string{"## Open\n\n- The tax report is due next Friday. (2026-"}},
		"a plain fact with a day to come": {beside(fact{30, "The regatta is on 20 March.", nil}),
			[]string{"## Open\n\n- The regatta"}},
		"what the user says of himself": {[]fact{{300, "I live in Groningen.", nil}},
			[]string{"## The user\n\n- I live in Groningen."}},
		"only the newest of a slot": {[]fact{{300, "I live in Groningen.", nil}, {10, "I have moved to Maastricht.", nil}},
			[]string{"!Groningen", "Maastricht"}},
		"the newer budget, which no word marks": {[]fact{{90, "The budget is 2,000 euros.", nil},
			{10, "The budget is 3,000 euros.", nil}}, []string{"!2,000", "## As it is now\n\n- The budget is 3,000 euros."}},
		"what the user now prefers": {[]fact{{90, "I like tabs", nil}, {10, "I now prefer spaces", nil}},
			[]string{"!tabs", "I now prefer spaces (2026-"}},
		"a correction that names what was wrong": {[]fact{{90, "VAT is rounded per invoice in the billing service", nil},
			{10, "Correction: VAT is rounded per line, not per invoice", nil}}, []string{"!in the billing service", "per line"}},
		"a change of what shares its word": {[]fact{{20, "Rides a steel Torvald.", nil}, {10, "The Torvald is sold.", nil}},
			[]string{"!steel", "is sold"}},
		"another version": {[]fact{{90, "The user and others run Postgres 15.", nil}, {10, "postgres is on 17 since last night", nil}},
			[]string{"!Postgres 15", "is on 17"}},
		"the version of something else": {[]fact{{90, "We run Postgres 15.", nil}, {10, "Redis is on 7 since last night", nil}},
			[]string{"Postgres 15", "is on 7"}},
		"another room": {[]fact{{90, "I work in Room 12.", nil}, {10, "Room 14 is ours since last night.", nil}},
			[]string{"Room 12", "Room 14"}},
		"a pinned record stays": {beside(fact{20, "Rides a steel Torvald.", func(r *memory.Record) { r.Pinned = true }},
			fact{10, "The Torvald is sold.", nil}), []string{"steel", "is sold"}},
		"a diary puts nothing out of date": {[]fact{{20, "The knee was replaced with a Torvald joint, no running until winter.", nil},
			{10, "The Torvald is better now.", func(r *memory.Record) {
				r.Kind, r.Diary = memory.KindDiary, &memory.DiaryDetails{Date: "2026-02-19"}
			}}}, []string{"no running", "!is better"}},
		"how to answer": {[]fact{{300, "Odile Varga flies freight.", nil}, {299, "Odile: no tables.", nil},
			{298, "Answers in French, please, at most ten lines.", nil}},
			[]string{"## How the user likes to work\n\n", "- Odile: no tables.", "- Answers in French"}},
		"a decision": {[]fact{{30, "We decided to keep the old hangar.", nil}},
			[]string{"## Decided\n\n- We decided to keep the old hangar. (2026-01-30)"}},
		"a task with a day to come": {[]fact{{30, "The licence must be renewed by 20 March.", nil}},
			[]string{"## Open\n\n- The licence must be renewed by 20 March.\n"}},
		"a task of last year": {[]fact{{300, "The licence must be renewed by 20 May.", nil},
			{9, "The hangar has a pond.", nil}}, []string{"!licence"}},
		"a task that is done": {[]fact{{30, "The licence form must be sent.", nil}, {9, "The licence form is sent.", nil}},
			[]string{"!must be"}},
		"a plain fact fills a small bank": {[]fact{filler}, []string{"## Also known\n\n- The team has nine members."}},
		"small talk does not": {[]fact{filler, {1, "It rained all day.", nil}, {1, "A fox ran across the car park.", nil}},
			[]string{"!rained", "!fox"}},
		"unless there is nothing else": {[]fact{{1, "It rained all day.", nil}}, []string{"It rained all day."}},
		"nor what was only considered": {[]fact{filler, {1, "She considered a second dog.", nil}}, []string{"!second dog"}},
		"importance makes up for words": {beside(filler,
			fact{1, "A fox ran across the car park.", func(r *memory.Record) { r.Importance = 0.9 }}), []string{"fox", "!nine members"}},
		"low importance takes away": {[]fact{{1, "The team has nine members.", nil},
			{1, "The shed has two doors.", func(r *memory.Record) { r.Importance = 0.1 }}}, []string{"!two doors"}},
		"what the project is": {[]fact{{200, "kite reads wind sensors.", ofProject("kite")},
			{100, "Sensor 4 has a grey case.", ofProject("kite")}}, []string{"## Project kite\n\n- kite reads wind sensors."}},
		"a password stays out": {[]fact{{2, "Decided: the wifi password is swordfish.", nil}, {2, "Decided: no mast.", nil}},
			[]string{"no mast", "!swordfish"}},
		"what is marked stays out": {[]fact{{2, "Decided: the heir is Per.",
			func(r *memory.Record) { r.Tags, r.Pinned = []string{"Confidential"}, true }},
			{2, "Decided: no mast.", nil}}, []string{"no mast", "!heir"}},
		"other projects stay out": {[]fact{{3, "Decided: kite is written in Go.", ofProject("kite")},
			{2, "Decided: mole is written in C.", ofProject("mole")}}, []string{"written in Go", "!written in C"}},
		"and put nothing out of date": {[]fact{{3, "The mast is of oak.", nil},
			{2, "The mast is replaced by a pole now.", ofProject("kite")}}, []string{"of oak"}},
		"not of this project, but of all": {[]fact{{3, "Decided: no mast.", nil}}, []string{"no mast"}},
		"what is to come has no place": {[]fact{{3, "Decided: no mast.",
			func(r *memory.Record) { r.ValidFrom = r.CreatedAt.AddDate(1, 0, 0) }}}, []string{"!no mast", "Nothing stands out yet"}},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBank(t)
			for _, f := range c.facts {
				if f.edit == nil {
					f.edit = func(*memory.Record) {}
				}
				b.told(f.days, f.content, f.edit)
			}
			p, err := b.Read(t.Context(), memory.Scope{Agent: "ann", Project: "kite"}, resources.SessionStart)
			if err != nil {
				t.Fatal(err)
			}
			for _, want := range c.want {
				not, hidden := strings.CutPrefix(want, "!")
				if strings.Contains(p.Text, not) == hidden {
					t.Errorf("%q:\n%s", want, p.Text)
				}
			}
		})
	}
}

// A bank of thousands of plain facts does not keep what is new, and what is
// pinned, off the page, nor do records that are no longer true.
func TestChoiceFromALargeBank(t *testing.T) {
	b := newBank(t)
	b.write("ann", func(tx memory.Tx) error {
		for i := range 600 {
			r := memory.Record{
				ID: b.ids.New(), Agent: "ann", Kind: memory.KindFact, Category: memory.CategoryOther, Importance: memory.DefaultImportance,
				Source: memory.SourceUser, Confirmations: 1,
				CreatedAt: b.now.AddDate(0, 0, -100), Content: fmt.Sprintf("Drawer %d holds %d screws.", i, 7*i),
			}
			if i < 300 {
				r.Pinned, r.Importance, r.ValidUntil = true, 1, b.now.Add(-time.Hour)
				r.Content = "Formerly " + r.Content
			}
			if err := tx.InsertRecord(r, nil); err != nil {
				return err
			}
		}
		return nil
	})
	b.told(1, "We decided to sell the workshop.")
	b.told(50, "The key is under the blue pot.", func(r *memory.Record) { r.Pinned = true })
	b.shows(resources.SessionStart, "sell the workshop", "blue pot")
	b.hides(resources.SessionStart, "Formerly")
	if text := b.briefing(1000); !strings.Contains(text, "sell the workshop") || !strings.Contains(text, "blue pot") ||
		strings.Contains(text, "Formerly") {
		t.Errorf("the briefing is\n%s", text)
	}
	if n := tokens.NewCounter("").Count(b.page(resources.SessionStart)); n > resources.DefaultBudget {
		t.Errorf("%d tokens", n)
	}
}

// TestPeople: what is known of people stands together, whatever it says.
func TestPeople(t *testing.T) {
	b := newBank(t)
	b.told(2, "We decided to use Postgres.")
	for _, content := range []string{"Relationship to Ida: ally, trust 0.8. Why: decided against MySQL.",
		"Relationship to Ole: neutral, trust 0.5. Notes: The root cause was his."} {
		b.keep(memory.KindRelationship, content, func(r *memory.Record) {
			r.Relationship = &memory.RelationshipDetails{Party: content[16:19], Type: "ally"}
		})
	}
	page := b.page(resources.SessionStart)
	_, people, _ := strings.Cut(page, "\n## People\n")
	if people, _, _ = strings.Cut(people, "\n## "); strings.Count(people, "- Relationship to ") != 2 ||
		strings.Count(page, "Relationship to ") != 2 {
		t.Errorf("the page is\n%s", page)
	}
}
