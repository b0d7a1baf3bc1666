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
		"half":            {"u I live in Graz and I work as a vet.\nu no, Linz", []string{"The user lives in Linz and works as a vet."}},
		"repeated":        {"u I live in Graz and I work with Petra.\na Graz is lovely.\nu no, Linz.", []string{"The user lives in Linz and works with Petra."}},
		"of the other":    {"u I live in Graz.\na The nearest clinic is in Wels.\nu no, Linz", []string{"The user lives in Graz.", "The nearest clinic is in Linz."}},
		"on the way":      {"u I live in Graz, no wait, Linz, and I work as a vet.", []string{"The user lives in Linz. The user works as a vet."}},
		"time on the way": {"u Ingrid from legal joins at 14:00, actually 14:30.", []string{"Ingrid from legal joins at 14:30."}},
		"plan on the way": {"u Our van is a Ford Transit.\nu We take the train, no wait, we rent a boat in Ulm.", []string{"The user's van is a Ford Transit. The user and others rent a boat in Ulm."}},
		"no correction":   {"u We like Rome, actually all of Italy suits us well.", []string{"The user and others like Rome, actually all of Italy suits the user and others well."}},
		"how many":        {"u My brother Jonas keeps forty goats, and my sister Petra makes cheese.\na A family business!\nu sorry, sixty goats", []string{"The user's brother Jonas keeps sixty goats, and the user's sister Petra makes cheese."}},
		"number denied":   {"u My budget is 5000 euros and I want a red bike.\na Understood.\nu wrong, 6000", []string{"The user's budget is 6000 euros and the user wants a red bike."}},
		"denied apart":    {"u The API key is in vault and the port is 8080.\na Port 8080.\nu no. 8081.", []string{"The API key is in vault and the port is 8081."}},
		"day denied":      {"u We fly at 9:40 on Friday.\na Friday 9:40.\nu no, Thursday", []string{"The user and others fly at 9:40 on 14 May 2026."}},
		"address":         {"u my mail is ada@a.example\na ok\nu sorry, ada@b.example", []string{"The user's mail is ada@b.example."}},
		"word":            {"u We use npm. Sorry, pnpm.", []string{"The user and others use pnpm."}},
		"of two":          {"u Tim is 12, Ida is 9.\na Cute.\nu Sorry, Ida is 10.", []string{"Tim is 12, Ida is 10."}},
		"age":             {"u My father is in rehab.\na Sorry.\nu He's 74. no, 75 since last Saturday", []string{"The user's father is in rehab. He's 75."}},
		"moved to":        {"u My exam is on 9 November. Actually no, it was moved to the 16th.", []string{"The user's exam is on 16 November 2026."}},
		"used to":         {"u I use Vim for everything.\na A classic.\nu well, I used to. Since the spring I work in Zed.", []string{"Since the spring the user works in Zed."}},
		"kidding about":   {"u My theme is Gruvbox, tabs are 4 spaces wide.\na OK.\nu just kidding about Gruvbox", []string{"Tabs are 4 spaces wide."}},
		"forget about":    {"u We launch on 2 June with Klarna, the warehouse is in Gdynia.\na OK.\nu forget what I said about Klarna", []string{"The warehouse is in Gdynia."}},
		"after all":       {"u We decided on Kafka.\na OK.\nu We went with NATS after all.", []string{"The user and others went with NATS after all."}},
		"it is":           {"u The TTL of the session cache is 30 minutes. I like tea.\na Noted, 30 minutes.\nu No, it's 45 minutes.", []string{"The TTL of the session cache is 45 minutes. The user likes tea."}},
		"of the guess":    {"u The TTL of the session cache is 30 minutes.\na So the limit is 20 requests?\nu No, it's 45 requests.", []string{"The TTL of the session cache is 30 minutes.", "The limit is 45 requests."}},
		"over at first":   {"u The TTL of the session cache is 30 minutes.\na OK.\nu Actually no longer in Lyon, I moved to Nice.", []string{"The TTL of the session cache is 30 minutes.", "The user is no longer in Lyon, the user moved to Nice."}},
		"over, a verb":    {"u I like tea.\na OK.\nu No longer eat fish, by the way.", []string{"The user likes tea.", "The user no longer eats fish."}},
		"no longer":       {"u The doctor is Dr. Adams.\na OK.\nu It's no longer Dr. Adams but Dr. Bauer.", []string{"The doctor is Dr. Bauer."}},
		"is now":          {"u The budget is 300 euros.\na OK.\nu the budget is 400 now", []string{"The budget is 400 euros."}},
		"went up":         {"u The tickets cost 30 euros each.\na OK.\nu update: they went up to 45", []string{"The tickets cost 45 euros each."}},
		"moved us":        {"u The kickoff is in room 4.\na Room 4.\nu they moved us to room 7", []string{"The kickoff is in room 7."}},
		"cancelled":       {"u The caterer is Lindner.\na OK.\nu Lindner cancelled, we now have Moser.", []string{"Lindner cancelled, the user and others now have Moser."}},
		"cancels":         {"u Marta leads the backend team.\nu Marta cancelled the meeting on Friday.", []string{"Marta leads the backend team.", "Marta cancelled the meeting on 8 May 2026."}},
		"nah":             {"u I'm going to buy a Tesla.\na Great.\nu nah, forget the Tesla, too expensive", nil},
		"lie":             {"u I eat meat.\na OK.\nu That's a lie, I'm vegan.", []string{"The user is vegan."}},
		"off the table":   {"u The launch of the shop is on 2 June.\na OK.\nu The launch is off the table, we wait for the permit.", []string{"The user and others wait for the permit."}},
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
		{"u I met Ana on 3 April.\na Nice.\nu no, 2 April", "The user met Ana on 2 April 2026.", "2026-04-02"},
	} {
		facts, err := New(Options{}).Extract(context.Background(), memory.ExtractRequest{Turns: talk(c.talk)})
		if err != nil || len(facts) != 1 || facts[0].Content != c.content || facts[0].OccurredAt.Format("2006-01-02") != c.day {
			t.Errorf("%q: %v, %+v", c.talk, err, facts)
		}
	}
}
