package extractive

import (
	"context"
	"slices"
	"strings"
	"testing"

	"mcp-memory/memory"
)

// TestAmended: a correction changes what it corrects and nothing else.
func TestAmended(t *testing.T) {
	for name, c := range map[string]struct {
		talk string
		want []string
	}{
		"of the other": {"u I live in Graz.\na The nearest clinic is in Wels.\nu no, Linz",
			[]string{"The user lives in Graz.", "The nearest clinic is in Linz."}},
		"on the way": {"u I live in Graz, no wait, Linz, and I work as a vet.",
			[]string{"The user lives in Linz. The user works as a vet."}},
		"month midway": {"u We move to Oslo in August, no wait, in September.",
			[]string{"The user and others move to Oslo in September."}},
		"another month":   {"u The move is in August.\na OK.\nu Sorry, September.", []string{"The move is in September."}},
		"time on the way": {"u Ingrid from legal joins at 14:00, actually 14:30.", []string{"Ingrid from legal joins at 14:30."}},
		"plan on the way": {"u Our van is a Ford Transit.\nu We take the train, no wait, we rent a boat in Ulm.",
			[]string{"The user's van is a Ford Transit. The user and others rent a boat in Ulm."}},
		"no correction": {"u We like Rome, actually all of Italy suits us well.",
			[]string{"The user and others like Rome, actually all of Italy suits the user and others well."}},
		"address": {"u my mail is ada@a.example\na ok\nu sorry, ada@b.example", []string{"The user's mail is ada@b.example."}},
		"age": {"u My father is in rehab.\na Sorry.\nu He's 74. no, 75 since last Saturday",
			[]string{"The user's father is in rehab. He's 75."}},
		"moved to": {"u My exam is on 9 November. Actually no, it was moved to the 16th.",
			[]string{"The user's exam is on 16th November."}},
		"used to": {"u I use Vim for everything.\na A classic.\nu well, I used to. Since the spring I work in Zed.",
			[]string{"Since the spring the user works in Zed."}},
		"kidding about": {"u My theme is Gruvbox, tabs are 4 spaces wide.\na OK.\nu just kidding about Gruvbox",
			[]string{"Tabs are 4 spaces wide."}},
		"forget about": {"u We launch on 2 June with Klarna, the warehouse is in Gdynia.\na OK.\nu forget what I said about Klarna",
			[]string{"The warehouse is in Gdynia."}},
		"after all": {"u We decided on Kafka.\na OK.\nu We went with NATS after all.",
			[]string{"The user and others went with NATS after all."}},
		"of the guess": {"u The TTL of the session cache is 30 minutes.\na So the limit is 20 requests?\nu No, it's 45 requests.",
			[]string{"The TTL of the session cache is 30 minutes.", "The limit is 45 requests."}},
		"no longer": {"u The doctor is Dr. Adams.\na OK.\nu It's no longer Dr. Adams but Dr. Bauer.",
			[]string{"The doctor is Dr. Bauer."}},
		"went up": {"u The tickets cost 30 euros each.\na OK.\nu update: they went up to 45",
			[]string{"The tickets cost 45 euros each."}},
		"moved us": {"u The kickoff is in room 4.\na Room 4.\nu they moved us to room 7", []string{"The kickoff is in room 7."}},
		"cancels": {"u Marta leads the backend team.\nu Marta cancelled the meeting on Friday.",
			[]string{"Marta leads the backend team.", "Marta cancelled the meeting on 8 May 2026."}},
		"nah": {"u I'm going to buy a Tesla.\na Great.\nu nah, forget the Tesla, too expensive", nil},
		"lie": {"u I eat meat.\na OK.\nu That's a lie, I'm vegan.", []string{"The user is vegan."}},
		"off the table": {"u The launch of the shop is on 2 June.\na OK.\nu The launch is off the table, we wait for the permit.",
			[]string{"The user and others wait for the permit."}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := factsOf(t, c.talk); !slices.Equal(got, c.want) {
				t.Errorf("got\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(c.want, "\n\t"))
			}
		})
	}
}

// TestAmendedDay: the day of what happened goes with the date that is corrected.
func TestAmendedDay(t *testing.T) {
	for _, c := range []struct{ talk, content, day string }{
		{"u We booked the flight on Friday. No wait, Thursday.", "The user and others booked the flight on 7 May 2026.", "2026-05-07"},
		{"u We signed the lease on Tuesday.\na OK.\nu sorry, Monday", "The user and others signed the lease on 4 May 2026.", "2026-05-04"},
	} {
		facts, err := New(Options{}).Extract(context.Background(), memory.ExtractRequest{Turns: talk(c.talk)})
		if err != nil || len(facts) != 1 || facts[0].Content != c.content || facts[0].OccurredAt.Format("2006-01-02") != c.day {
			t.Errorf("%q: %v, %+v", c.talk, err, facts)
		}
	}
}

// TestMonthIsNoNumber: the year of a month takes the place of no number.
func TestMonthIsNoNumber(t *testing.T) {
	if got, ok := exchangeIn("The port is 8080.", "In June 2026.", cut("in June")); ok {
		t.Error(got)
	}
}

// TestUntangled: a correction may begin with what was wrong, and go on with something else.
func TestUntangled(t *testing.T) {
	for _, c := range []struct {
		talk string
		want []string
	}{
		{"u I weigh 82 kilos.\na OK\nu Typo, I meant 92 kilos.", []string{"The user weighs 92 kilos."}},
		{"u I weigh 82 kilos.\na OK\nu Sorry, typo, 92 kilos.", []string{"The user weighs 92 kilos."}},
		{"u The meeting is at 3.\na OK\nu Typo, I meant 4.", []string{"The meeting is at 4."}},
		{"a The port is 5432.\nu no, it's 5433, and the user is called heron_dev",
			[]string{"The port is 5433. The user is called heron_dev."}},
		{"a The limit is 100 requests per minute.\nu that's not correct. it's 250", []string{"The limit is 250 requests per minute."}},
		{"a The limit is 100 requests per minute.\nu Incorrect, it's 250", []string{"The limit is 250 requests per minute."}},
		{"a You work as a nurse at St. Anna.\nu that's not right, I'm a midwife", []string{"The user is a midwife."}},
		{"u The limit is 100.\na Ok, noted.\nu That's not right, it's 250", []string{"The limit is 250."}},
		{"a Your dog is called Bruno.\nu not quite, Brunello", []string{"The user's dog is called Brunello."}},
		{"a The build took 3 minutes.\nu 2 questions: why, and can we cache it?", []string{"2 questions."}},
		{"a You live with Anna.\nu not anymore", []string{`The user corrected "You live with Anna.": Not anymore.`}},
		{"a Your favourite editor is Vim, right?\nu it used to be. Helix these days",
			[]string{`The user corrected "Your favourite editor is Vim.": It used to be. Helix these days.`}},
		{"a I assume you're on macOS.\nu no, linux", []string{`The user corrected "I assume you're on macOS.": Linux.`}},
		{"a The build works.\nu not any more", nil},
		{"a I ran 3 tests.\nu 5", nil},
		{"a Is the review on Friday?\nu not quite, Saturday", []string{"Is the review on Friday? No, Saturday."}},
		{"a I'd cc Marek, as he leads the platform team.\nu not quite. he used to, since january it's Adaeze",
			[]string{`The user corrected "I'd cc Marek, as he leads the platform team.": No, he used to, since january it's Adaeze.`}},
		{"a It prints 42.\nu that's wrong. It should print 43.", nil},
		{"a Here is the summary.\nu Sounds good, but we stay with MariaDB 11.", []string{"The user and others stay with MariaDB 11."}},
		{"a Here is the summary.\nu That's great but my wife is allergic to nuts.", []string{"The user's wife is allergic to nuts."}},
		{"u Sorry for the late reply, I was in hospital until Wednesday, they took out my appendix.",
			[]string{"The user was in hospital until 6 May 2026, they took out the user's appendix."}},
		{"u Great, I'll test it.", nil},
		{"u Sorry for the confusion, I mean the 3rd line", nil},
		{"a Here is the summary.\nu Looks good but the second test is red", nil},
		{"a Here is the summary.\nu I appreciate it but I already sent it yesterday", nil},
		{"a MariaDB 12 has it.\nu Interesting, but we stay with MariaDB 11.", []string{"The user and others stay with MariaDB 11."}},
		{"a Staging runs Redis 6.\nu That's wrong, staging runs Valkey 8.", []string{"Staging runs Valkey 8."}},
		{"a Staging runs Redis 6 according to docker-compose.yml.\nu That file is outdated, staging has been on Valkey 8 since the summer.",
			[]string{"Staging has been on Valkey 8 since the summer."}},
		{"u fix the typo in README.md", nil},
		{"u That's wrong, the tests still fail.", nil},
		{"u You can try again.", nil},
		{"u That's wrong, use it with care.", nil},
		{"a Tea or coffee?\nu Tea, always green.", nil},
	} {
		if got := factsOf(t, c.talk); !slices.Equal(got, c.want) {
			t.Errorf("%s\n got %q\nwant %q", c.talk, got, c.want)
		}
	}
}
