package extractive_test

import (
	"strings"
	"testing"
	"time"

	"mcp-memory/memory"
)

// putRight are answers of an assistant, what the user says to that, and words that what is
// kept has to have.
var putRight = [][3]string{
	{"The database listens on port 5432.", "No, that's wrong: the port is 5433, not 5432.", "5433"},
	{"Here is a long summary of the meeting with many details.", "Keep your answers short.", "short"},
	{"I have sent the offer to the client by mail.", "You must not email clients.", "not email clients"},
	{"I pushed the change to main.", "Never push to main without asking me.", "push to main"},
	{"I added the helper with lodash.", "Don't use lodash, we have our own utils in src/util.", "lodash src/util"},
	{"The meeting is on Tuesday.", "It's on Wednesday, not Tuesday.", "Wednesday"},
	{"I used npm to install it.", "We use pnpm here, not npm.", "pnpm"},
	{"Your sister Clara lives in Bonn.", "Clara is my cousin, not my sister.", "cousin"},
	{"I rewrote money/legacy.go to use decimals.", "Don't touch money/legacy.go, Svenja's cousin maintains it.", "money/legacy.go"},
	{"The tests passed, so I deployed.", "Next time ask before you deploy.", "ask deploy"},
	{"Prices are shown with VAT.", "Actually prices are net, without VAT.", "net"},
	{"I formatted everything with four spaces.", "Use tabs, please.", "tabs"},
	{"The API returns 404 for a missing parcel.", "That's not right, it returns 410.", "410"},
	{"I wrote the commit message in German.", "Commit messages have to be in English.", "English"},
	{"I deleted the old migrations.", "You should never delete migrations.", "delete migrations"},
	{"You work at Nordfracht.", "I don't work there anymore, I'm at Seehafen now.", "Seehafen"},
	{"The build takes about three minutes.", "More like ten minutes.", "ten minutes"},
	{"I created the branch feature/foo.", "Branches start with the ticket number in this team.", "ticket number"},
	{"I explained each step in detail.", "Stop explaining things I already know.", "explaining"},
	{"The release is planned for March.", "Wrong, the release is in April.", "April"},
	{"I used the staging key for the test.", "Please never use the staging key in tests.", "staging key"},
	{"The customer is called Meyer.", "It's spelled Meier, with an i.", "Meier"},
	{"I put the config into config.json.", "Config belongs in config.toml, always.", "config.toml"},
	{"The function is in utils.go.", "No, it's in helpers.go.", "helpers.go"},
	{"I wrote the tests with unittest.", "I told you to use pytest instead of unittest.", "pytest"},
	{"Your flight leaves at 7:40.", "My flight leaves at 8:40.", "8:40"},
	{"I answered in English.", "Answer me in German from now on.", "German"},
	{"I rounded the totals.", "Don't round the totals, the accountants need the cents.", "round totals"},
	{"Redis is used for the queue.", "We replaced Redis with NATS last year.", "NATS"},
	{"I ran the migration on production.", "Never run migrations on production on a Friday.", "Friday"},
	{"I booked a table for four.", "There are five of us, not four.", "five"},
	{"The retry limit is 3.", "The retry limit should be 5.", "5"},
	{"I used emojis in the changelog.", "No emojis in the changelog, please.", "emojis changelog"},
	{"Your daughter is eight.", "She's nine.", "nine"},
	{"I removed the TODO comments.", "Leave TODO comments alone.", "TODO comments"},
	{"I created a mock for the database.", "We don't mock the database, we use testcontainers.", "testcontainers"},
	{"I logged the request body.", "Request bodies must not be logged, they contain addresses.", "logged"},
	{"The invoice is due in 30 days.", "14 days, not 30.", "14 days"},
	{"I used var everywhere.", "Prefer const over var.", "const"},
	{"I assumed the euro.", "The currency is Danish kroner.", "kroner"},
}

// TestPutRight: what a user puts right or asks for leaves something.
func TestPutRight(t *testing.T) {
	left := 0
	for _, c := range putRight {
		at := time.Date(2026, 11, 3, 9, 0, 0, 0, time.UTC)
		turns := []memory.Turn{
			{Index: 0, Role: memory.RoleUser, Content: "Can you take care of it?", SaidAt: at},
			{Index: 1, Role: memory.RoleAssistant, Content: c[0], SaidAt: at.Add(time.Minute)},
			{Index: 2, Role: memory.RoleUser, Content: c[1], SaidAt: at.Add(2 * time.Minute)},
		}
		facts := strings.Join(contents(extract(t, memory.ExtractRequest{Turns: turns, Max: 20})), "\n")
		right := facts != ""
		for w := range strings.FieldsSeq(c[2]) {
			right = right && strings.Contains(strings.ToLower(facts), strings.ToLower(w))
		}
		if strings.Contains(facts, "2026") {
			t.Errorf("%s\n  has a date that nobody said: %q", c[1], facts)
		}
		if right {
			left++
		} else {
			t.Logf("%s\n  %q", c[1], facts)
		}
	}
	t.Logf("%d of %d leave what is right", left, len(putRight))
	if left < 36 {
		t.Error("too few")
	}
}
