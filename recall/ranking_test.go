package recall_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"mcp-memory/memory"
	"mcp-memory/recall"
)

// of fills a bank with facts, a day apart, and returns what answers from it.
func of(t *testing.T, without []string, facts ...string) (*bank, *recall.Service) {
	t.Helper()
	b := newEncodedBank(t)
	for _, f := range facts {
		b.pass(24 * time.Hour)
		b.save(t, b.Store, b.record(f))
	}
	if err := b.all.Encode(t.Context()); err != nil {
		t.Fatal(err)
	}
	o := b.all.RecallOptions()
	o.Without = without
	return b, recall.New(o)
}

func lenient(r *recall.Request) {
	r.Lenient, r.MinScore, r.Limit = true, recall.Floor, recall.DefaultLimit
}

// answerTo asks leniently.
func answerTo(t *testing.T, s *recall.Service, question string) recall.Answer {
	t.Helper()
	a, err := s.Recall(t.Context(),
		recall.Request{Query: question, Scope: memory.Scope{Agent: "ann"}, MinScore: recall.Floor, Lenient: true, Explain: true})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// sayings are what a random bank is made of: some are versions of one fact, most are not.
var sayings = []string{
	"I live in Lugano.", "I have moved to Trieste.", "My sister lives in Graz.", "We left Trieste for Bergen.", "My editor is Vim.",
	"Switched from Vim to Helix.", "The API runs on Python 3.9.", "The API was upgraded to Python 3.12.", "Our dentist is Dr. Coppola.",
	"Dr. Coppola retired, Dr. Bell took over.", "The rent is 940 euros.",
	"The rent went up to 1,015 euros.", "Guests may use the staff kitchen.",
	"Guests may not use the staff kitchen.", "Never deploy on Fridays.", "Lunch on Friday is pizza.", "I was best man at Rupert's wedding.",
	"My favourite tea is rooibos.", "My favourite player was sold.", "The deploy takes 14 minutes.",
}

// The law of the ranking: versions order what is of one fact in the places that relevance
// gave it, and move nothing else.
func TestVersionsMoveOnlyVersions(t *testing.T) {
	questions := []string{
		"Where do I live?", "Where did I live before Trieste?",
		"Which editor do I use?", "What Python does the API run on?", "Who is our dentist?",
		"How high is the rent?", "May guests use the staff kitchen?",
		"How has my address changed over time?", "What is my favourite tea?", "What was decided on Friday?",
	}
	after := []string{"certainty", "floor", "duplicates"} // which would hide places
	moved := 0
	for seed := range uint64(6) {
		random := rand.New(rand.NewPCG(seed, 1))
		facts := slices.Clone(sayings)
		random.Shuffle(len(facts), func(i, j int) { facts[i], facts[j] = facts[j], facts[i] })
		facts = facts[:6+random.IntN(len(facts)-6)]
		if seed%3 == 0 { // a bank that is not small
			for i := range 40 {
				facts = append(facts, fmt.Sprintf("Shelf %d holds jars of glaze.", i))
			}
		}
		b, with := of(t, after, facts...)
		o := b.all.RecallOptions()
		o.Without = append(slices.Clone(after), "versions")
		without := recall.New(o)
		for _, question := range questions {
			all := func(r *recall.Request) { r.Lenient, r.Limit, r.Explain = true, recall.MaxLimit, true }
			got, plain := ask(t, with, question, all), ask(t, without, question, all)
			place := map[string]int{}
			for i, r := range plain {
				place[r.ID] = i
			}
			for i, r := range got {
				if place[r.ID] == i {
					continue
				}
				moved++
				if !inGroup(got, r, plain[i].ID) {
					t.Errorf("seed %d, %s: %q is at %d instead of %q, which is no version of it", seed, question, r.Content, i,
						plain[i].Content)
				}
				if r.Why.MovedBy == "" {
					t.Errorf("seed %d, %s: nothing says what moved %q", seed, question, r.Content)
				}
			}
		}
	}
	if moved == 0 {
		t.Error("nothing moved: the test shows nothing")
	}
}

// inGroup reports whether a record is linked with a result, by way of others too.
func inGroup(results []recall.Result, of recall.Result, id string) bool {
	seen := []string{of.ID}
	for i := 0; i < len(seen); i++ {
		k := slices.IndexFunc(results, func(r recall.Result) bool { return r.ID == seen[i] })
		if k < 0 {
			continue
		}
		for _, v := range results[k].Why.Versions {
			if !slices.Contains(seen, v) {
				seen = append(seen, v)
			}
		}
	}
	return slices.Contains(seen, id)
}

func TestVersions(t *testing.T) {
	for name, c := range map[string]struct {
		question string
		facts    []string // in order of time
		first    string
	}{
		"the newest of a slot": {"Where do I live?", []string{"I live in Lugano.", "I like jazz.", "I have moved to Trieste."},
			"I have moved to Trieste."},
		"as it was": {"Where did I live before?",
			[]string{"I live in Lugano.", "I like jazz.", "I have moved to Trieste."}, "I live in Lugano."},
		"what tells both of what was": {"Where did I work before Brightloom?",
			[]string{"I take the 7:42 train to work.", "My dentist is on Mill Street.", "I left Acme for Brightloom in 2024."},
			"I left Acme for Brightloom in 2024."},
		"what was, told with its end": {"What did we use before Zustand?",
			[]string{"The rent is paid by card.", "My piano teacher uses a metronome.", "We replaced Redux with Zustand in the shop."},
			"We replaced Redux with Zustand in the shop."},
		"what was, in other words": {"What did we ship with before Parcelbot?",
			[]string{"We ship on Tuesdays.", "The printer is out of labels.", "We gave up the courier and ship with Parcelbot."},
			"We gave up the courier and ship with Parcelbot."},
		"what was, before its end": {"Where did I live before Trieste?",
			[]string{"I live in Lugano.", "I moved from Lugano to Trieste."}, "I live in Lugano."},
		"a past of what ended it": {"Where did I work before Ombra?",
			[]string{"I'm an accountant at Tressel.", "First day at Ombra today.", "My old boss at Ombra was Mrs. Lind."},
			"I'm an accountant at Tressel."},
		"a change in other words": {"What does the web shop run on?",
			[]string{"The web shop runs on PHP.", "The warehouse app is in .NET.", "The web shop is on Shopify now."},
			"The web shop is on Shopify now."},
		"its end, in another phrase": {"What is my favourite restaurant?",
			[]string{"My favourite restaurant is Da Gigi.", "I like jazz.", "Da Gigi has closed; my favourite place is Limoncello now."},
			"Da Gigi has closed; my favourite place is Limoncello now."},
		"news of what is asked about": {"Where does Mum live?",
			[]string{"Mum lives in Helston.", "The kitchen tap drips.", "Mum no longer drives at night."}, "Mum lives in Helston."},
		"the opposite": {"May guests use the staff kitchen?",
			[]string{"Guests may use the staff kitchen.", "Guests may not use the staff kitchen."},
			"Guests may not use the staff kitchen."},
		"others do not override": {"Where do I live?", []string{"I live in Lugano.", "Bettina has moved to Trieste."},
			"I live in Lugano."},
		"another thing of one kind": {"What is my favourite tea?",
			[]string{"My favourite tea is rooibos.", "My favourite player was sold."}, "My favourite tea is rooibos."},
		"the same of somebody else": {"Who was the best man at my wedding?",
			[]string{"Anders was best man at our wedding.", "I was best man at Rupert's wedding."}, "Anders was best man at our wedding."},
		"a name is a place, too": {"Where do I work?",
			[]string{"My dentist is on Mill Street.", "I work for Brightloom.", "I take the 7:42 train to work."},
			"I work for Brightloom."},
		"a rule, not what shares it": {"What should I not do on Fridays?",
			[]string{"Never deploy on Fridays.", "Lunch on Friday is pizza."}, "Never deploy on Fridays."},
	} {
		_, s := of(t, nil, c.facts...)
		if got := ask(t, s, c.question, lenient)[0].Content; got != c.first {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// What a question names is asked for, also if it is no longer so: not whom a fact is about,
// nor where yes or no is asked for or what came after it.
func TestNamedVersions(t *testing.T) {
	lugano, trieste := "I moved to Lugano in 2019.", "I moved to Trieste in 2023."
	petra, samir := "My boss is Petra Vos, she came from Philips.", "My boss is Samir Haddad now, he came from Bosch."
	for question, c := range map[string]struct{ older, newer, first string }{
		"When did I move to Lugano?":        {lugano, trieste, lugano},
		"When did I move to Trieste?":       {lugano, trieste, trieste},
		"Where do I live?":                  {lugano, trieste, trieste},
		"Do I still live in Lugano?":        {lugano, trieste, trieste},
		"Where did I move to after Lugano?": {lugano, trieste, trieste},
		"Where did Petra Vos come from?":    {petra, samir, petra},
		"Who is Petra Vos?":                 {petra, samir, petra},
		"When did the rent go up to 900?": {"The rent went up to 900 euros in January 2023.",
			"The rent went up to 950 euros in January 2025.", "The rent went up to 900 euros in January 2023."},
		"Where does Anna live?":      {"Anna lives in Oslo.", "Anna has moved to Bergen.", "Anna has moved to Bergen."},
		"when did i move to lugano?": {lugano, trieste, lugano},
		"What CI do we use?": {"Our CI is Jenkins.", "We switched to Buildkite in March.",
			"We switched to Buildkite in March."},
		"what is our ci?": {"Our CI is Jenkins.", "We switched to Buildkite in March.",
			"We switched to Buildkite in March."},
		"What does Jana like?": {"Jana is our team lead, she likes short stand-ups.",
			"Priya is our team lead now, she wants written updates.", "Jana is our team lead, she likes short stand-ups."},
		"What does Ruben charge?": {"Ruben cuts the hedge for us, he charges 25 an hour.",
			"Emil cuts the hedge for us now, he charges 30 an hour.", "Ruben cuts the hedge for us, he charges 25 an hour."},
		"How much memory does the ThinkPad have?": {"Laptop: ThinkPad X1, 16 GB.", "New laptop: Framework 13, 64 GB.",
			"Laptop: ThinkPad X1, 16 GB."},
		"Since when is the rent 800 euros?": {"The rent is 800 euros since March 2020.",
			"The rent is 950 euros since January 2025.", "The rent is 800 euros since March 2020."},
		"What does Admiral eat?": {"Admiral gets sunflower seeds.",
			"Vet Dr. Pakulski says no seeds at all for the bird: pellets and greens.",
			"Vet Dr. Pakulski says no seeds at all for the bird: pellets and greens."},
		"Wann ist das Training?": {"Wir haben Training am Dienstag.", "Wir haben jetzt am Freitag Übungsstunde.",
			"Wir haben jetzt am Freitag Übungsstunde."},
		"Wo ist unser Lager?": {"Wir haben ein Lager in Kassel.", "Wir sind mit den Sachen nach Erfurt umgezogen.",
			"Wir sind mit den Sachen nach Erfurt umgezogen."},
		"How many seats does the Tarn licence have?": {"We have a Tarn licence with 10 seats.", "The licence has 25 seats now.",
			"The licence has 25 seats now."},
		"How much Cardivet does Tripod get?": {"Tripod gets half a tablet of Cardivet.",
			"Dr. Szalai doubled it, Tripod gets a whole tablet of Cardivet now.",
			"Dr. Szalai doubled it, Tripod gets a whole tablet of Cardivet now."},
		"Wo hat Dr. Wenzel seine Praxis?": {"Unser Hausarzt ist Dr. Wenzel in der Lindenstraße.",
			"Unser Hausarzt ist jetzt Dr. Amiri in der Poststraße.", "Unser Hausarzt ist Dr. Wenzel in der Lindenstraße."},
		"Welches Auto fährt unser Hausarzt jetzt?": {"Unser Hausarzt fährt einen Golf.", "Unser Hausarzt fährt jetzt einen Zoe.",
			"Unser Hausarzt fährt jetzt einen Zoe."},
	} {
		_, s := of(t, nil, c.older, "The cat is called Bento.", c.newer)
		if got := ask(t, s, question, lenient)[0].Content; got != c.first {
			t.Errorf("%s: %q", question, got)
		}
	}
}

// A sentence that takes the place of another one is known where no word of it is one of a change; what
// is other news of the same name stays behind.
func TestSentencesThatReplaceOthers(t *testing.T) {
	for question, c := range map[string]struct {
		older, newer string
		changed      bool
	}{
		"How many days do I work?":         {"I work four days a week.", "Back to full time.", true},
		"What gym do I go to?":             {"My gym is FitBox.", "I switched to the climbing hall.", true},
		"When does the library open?":      {"The library opens at 8.", "Staff shortage: library opens at 10.", true},
		"What is my rating?":               {"My rating is 1540.", "After Pilsen my rating is 1615.", true},
		"How slow is the search API?":      {"p99 of the search API is 900 ms.", "After the index rebuild p99 is 240 ms.", true},
		"How often do I go to the office?": {"I'm in the office every day.", "I'm fully remote, gave back desk and badge.", true},
		"What is the backend written in?":  {"The backend is in Ruby.", "The Go rewrite of the backend went live today.", true},
		"Where does Mum live?":             {"Mum lives in Helston.", "Mum gave up driving at night.", false},
		"What does the search API return?": {"The search API returns JSON.",
			"After the index rebuild the search API is quicker.", false},
		"Who is the librarian of the school?": {"Ines is the librarian of the school.",
			"Staff shortage: the school's canteen opens at 10.", false},
	} {
		b, s := of(t, nil, c.older, "The cat is called Bento.", "My sister plays the oboe.", c.newer)
		without := b.all.RecallOptions()
		models := recall.Fitted()
		models.Sentences = ""
		without.Models = &models
		if got := ask(t, recall.New(without), question, lenient)[0].Content; got != c.older {
			t.Errorf("%s: %q without directions", question, got)
		}
		want := c.older
		if c.changed {
			want = c.newer
		}
		if got := ask(t, s, question, lenient)[0].Content; got != want {
			t.Errorf("%s: %q", question, got)
		}
	}
}

// What is superseded and named is found; else it stays history.
func TestSupersededAndNamed(t *testing.T) {
	for _, c := range []struct {
		older, newer string
		named, rest  []string // questions
	}{
		{"Nell's piano teacher is Mrs Oduya, an organist.", "Nell's piano teacher is Mr Brandt now.",
			[]string{"What does Mrs Oduya play?", "Who is Mrs Oduya?"},
			[]string{"Who teaches Nell the piano?", "Is Mrs Oduya still Nell's teacher?"}},
		{"Jana is our team lead, she likes short stand-ups.", "Priya is our team lead now, she wants written updates.",
			[]string{"What does Jana like?"}, []string{"Who is our team lead?", "What does Priya want?"}},
	} {
		b, s := of(t, nil, "The cat is called Bento.", "Nell is nine.", "Swimming is on Saturdays.")
		b.pass(time.Hour)
		older := b.record(c.older)
		b.pass(time.Hour)
		newer := b.record(c.newer)
		b.save(t, b.Store, older, newer)
		b.change(t, older.ID, func(r *memory.Record) { r.SupersededBy, r.SupersededAt = newer.ID, b.clock() })
		for _, question := range c.named {
			if got := ask(t, s, question, lenient)[0].Content; got != c.older {
				t.Errorf("%s: %q", question, got)
			}
		}
		for _, question := range c.rest {
			if got := contents(ask(t, s, question, lenient)); got[0] != c.newer || slices.Contains(got, c.older) {
				t.Errorf("%s: %q", question, got)
			}
		}
	}
}

// In a bank that is no small one, what changed a fact is found by what the two have and
// hardly anything else has, whatever the question says.
func TestVersionsAmongMany(t *testing.T) {
	facts := []string{"I take the Halvorsen ferry to work.", "Logs go to Quillbase."}
	for i := range 60 {
		facts = append(facts, fmt.Sprintf("%s %d is kept on shelf %d.", []string{"Parcel", "Binder", "Crate", "Sample"}[i%4], 3*i+100, i%7))
	}
	facts = append(facts, "Halvorsen no longer runs, I cycle.", "Quillbase was switched off, logs go to Tarn.",
		"Had the wisdom tooth pulled, two stitches.", "Wisdom tooth stitches are out, everything healed now.")
	_, s := of(t, nil, facts...)
	for question, want := range map[string]string{
		"How do I get to work?": "Halvorsen no longer runs, I cycle.", "Where do logs go?": "Quillbase was switched off, logs go to Tarn.",
		"When was the wisdom tooth pulled?": "Had the wisdom tooth pulled, two stitches.", // what came later is another event
	} {
		if got := ask(t, s, question, lenient)[0].Content; got != want {
			t.Errorf("%s: %q", question, got)
		}
	}
}

// Before the sentences of what was saved are encoded, words tell versions.
func TestVersionsByWords(t *testing.T) {
	facts := []string{"I take the 7:42 train.", "Our CI is Jenkins.", "The cat is called Bento."}
	for i := range 30 {
		facts = append(facts, fmt.Sprintf("%s %d is kept on shelf %d.", []string{"Parcel", "Binder", "Crate", "Sample"}[i%4], 3*i+100, i%7))
	}
	facts = append(facts, "The 7:42 no longer runs, I get the 8:05.", "CI moved to Buildkite last month.",
		"The cat is afraid of the parcels.")
	b, _ := of(t, nil, facts...)
	o := b.all.RecallOptions()
	o.Encoder = nil
	s := recall.New(o)
	for question, want := range map[string]string{
		"Which train do I take?": "The 7:42 no longer runs, I get the 8:05.", "What is our CI?": "CI moved to Buildkite last month.",
		"What is the cat called?": "The cat is called Bento.",
	} {
		if got := ask(t, s, question, lenient)[0].Content; got != want {
			t.Errorf("%s: %q", question, got)
		}
	}
}

// Somebody who undid that one replaces another has said that they are no versions.
func TestEveryStageCanBeLeftOut(t *testing.T) {
	for _, name := range recall.Signals() {
		_, s := of(t, []string{name}, "I live in Lugano.", "I have moved to Trieste.", "My sister lives in Graz.")
		if got := ask(t, s, "Where do I live?", lenient); len(got) == 0 {
			t.Errorf("without %s nothing is found", name)
		}
	}
}

// What lacks the kind of thing that is asked for comes later, and is not hidden.
func TestUnmet(t *testing.T) {
	facts := []string{"The kiln of the guild was expensive.", "The kiln of the guild cost 900 euros."}
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

// What is asked for and is not there lowers confidence and the score, and hides nothing.
func TestNoAnswer(t *testing.T) {
	_, s := of(t, nil, "The kiln of the guild is red.", "Irma fires the kiln of the guild.", "Jars are on the shelf.", "The cat sleeps.")
	there, missing := answerTo(t, s, "Who fires the kiln of the guild?"), answerTo(t, s, "How many bricks does the kiln of the guild have?")
	if !there.Confidence.Sure() || missing.Confidence == recall.High {
		t.Errorf("there %s, missing %s", there.Confidence, missing.Confidence)
	}
	if len(missing.Results) != 4 || missing.Results[0].Score >= there.Results[0].Score {
		t.Errorf("%d results, the first with %.2f", len(missing.Results), missing.Results[0].Score)
	}
}

// Of a small bank that is longer than an answer, some are shown at least.
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
	if got := ask(t, s, "quarterly submarine revenue", lenient,
		func(r *recall.Request) { r.Filter = memory.Filter{Kinds: []memory.Kind{memory.KindFact}} }); len(got) != recall.DefaultLimit {
		t.Errorf("an explicit filter: %d results", len(got))
	}
}

// TestNoiseIsNotReinforced: beside what answers there is noise, where no score is asked for. It counts as no recall.
func TestNoiseIsNotReinforced(t *testing.T) {
	b, _ := of(t, nil, "My manager is Petra Vos.", "The cat is called Whiskerino.", "Invoices are kept for ten years.",
		"The manager of the bakery sells bread.", "The port of Hamburg is foggy.")
	o := b.all.RecallOptions()
	var counted []string
	o.Recalled = func(_ memory.Scope, ids []string) { counted = append(counted, ids...) }
	a, err := recall.New(o).Recall(t.Context(), recall.Request{Query: "Who is my manager?", Scope: memory.Scope{Agent: "ann"}})
	if err != nil || !a.Confidence.Sure() {
		t.Fatalf("%+v, %v", a, err)
	}
	var answers []string
	for _, r := range a.Results {
		if r.Score >= recall.Floor {
			answers = append(answers, r.ID)
		}
	}
	if len(answers) == 0 || len(answers) == len(a.Results) || !slices.Equal(counted, answers) {
		t.Errorf("of %d results %d are answers, and counted are %q", len(a.Results), len(answers), counted)
	}
}
