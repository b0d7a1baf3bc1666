package extractive_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"mcp-memory/memory"
)

// Messages of a user, of which "A:" are answers of the assistant, and what is kept of them.
var stands = []struct {
	turns string
	want  []string
}{
	// A rule is a fact of its own, with the sentence that it needs.
	{"The API listens on 8080. Never restart it without asking.", []string{"The API listens on 8080.",
		"The user wants the assistant to never restart it without asking. [The API listens on 8080.]"}},
	{"We use pnpm in this repo. Don't commit package-lock.json.", []string{"The user and others use pnpm in this repo.",
		"The user wants the assistant not to commit package-lock.json."}},
	{"We run Postgres 16. Migrations must be reviewed by Priya. || A:ok || no wait, we run Postgres 17",
		[]string{"Migrations must be reviewed by Priya.", "The user and others run Postgres 17."}},
	// The end of a rule is kept, what is allowed for once is not.
	{"The audit is over, you can deploy again.", []string{"The user allows the assistant to deploy again."}},
	{"If the audit is over, you can deploy again.", nil},
	{"You can deploy on Fridays again.", []string{"The user allows the assistant to deploy on Fridays again."}},
	{"You don't have to run make lint before committing any more.",
		[]string{"The user no longer wants the assistant to run make lint before committing."}},
	{"You no longer need to tag releases.", []string{"The user no longer wants the assistant to tag releases."}},
	{"You can run the tests again now.", nil},
	// What is to be forgotten is no memory.
	{"Please forget my phone number.", nil},
	{"forget my address please", nil},
	{"Can you please forget our wifi name?", nil},
	{"Vergiss bitte meine Telefonnummer.", nil},
	{"Never forget to tag releases.", []string{"Never forget to tag releases."}},
	{"You don't have to worry about it anymore.", nil},
	// One of two numbers is put right.
	{"The job does 3 retries with 20 seconds in between. || A:ok || no wait, it's 5 retries",
		[]string{"The job does 5 retries with 20 seconds in between."}},
	// An option that is chosen from a list, and a number that chooses none.
	{"A:Which database do you want for the ledger?\n1. MySQL\n2. Postgres\n3. SQLite || 2",
		[]string{"Which database does the user want for the ledger? Postgres."}},
	{"A:A) bcrypt\nB) argon2id\n\nWhich hash should the login use? || option B", []string{"Which hash should the login use? argon2id."}},
	{"A:Two ways:\n1. Keep the cron job\n2. Use a queue\n\nHow should retries work? || Let's go with 2.",
		[]string{"How should retries work? Use a queue."}},
	{"A:Steps:\n1. Build\n2. Deploy\n\nHow many workers do you have? || 2", []string{"How many workers does the user have? 2."}},
	{"A:Steps:\n1. Build\n2. Deploy\n\nWhich day suits you? || the first", []string{"Which day suits the user? The first."}},
	// A name in the place of another behind a no.
	{"A:Do you use Cloudflare? || No, Fastly.", []string{"Does the user use Cloudflare? No, Fastly."}},
	{"A:Is your CDN Cloudflare? || No, Fastly.", []string{"Is the user's CDN Cloudflare? No, Fastly."}},
	// What stands between quotation marks is not about the user, and a title is no speech.
	{`My favourite film is "You, Me and Dupree".`, []string{`The user's favourite film is "You, Me and Dupree".`}},
	{`Our docs say "read me first" on page 1.`, []string{`The user's docs say "read me first" on page 1.`}},
	{"Our kiosk still runs Windows ME.", []string{"The user's kiosk still runs Windows ME."}},
	// What an example follows is so.
	{"We use feature flags for everything, for example checkout_v2.",
		[]string{"The user and others use feature flags for everything, for example checkout_v2."}},
	// A day that comes back, and an order that ends.
	{"Bin day is Monday.", []string{"Bin day is Monday."}},
	{"I don't work on Friday.", []string{"The user doesn't work on Friday."}},
	{"Backups run Sunday at 3am.", []string{"Backups run Sunday at 3am."}},
	{"Deploys freeze from 20 December to 3 January.", []string{"Deploys freeze from 20 December to 3 January."}},
	{"I'll send the contract by Friday.", []string{"The user will send the contract by 6 November 2026."}},
	{"I went to Graz on Saturday.", []string{"The user went to Graz on 31 October 2026."}},
	{"Please don't run migrations yet.", nil},
}

func TestWhatStands(t *testing.T) {
	for _, c := range stands {
		at := time.Date(2026, 11, 3, 9, 0, 0, 0, time.UTC)
		var turns []memory.Turn
		for i, text := range strings.Split(c.turns, " || ") {
			turn := memory.Turn{Index: i, Role: memory.RoleUser, Content: text, SaidAt: at.Add(time.Duration(i) * time.Minute)}
			if said, ok := strings.CutPrefix(text, "A:"); ok {
				turn.Role, turn.Content = memory.RoleAssistant, said
			}
			turns = append(turns, turn)
		}
		if got := contents(extract(t, memory.ExtractRequest{Turns: turns})); !slices.Equal(got, c.want) {
			t.Errorf("%s\n  got  %q\n  want %q", c.turns, got, c.want)
		}
	}
}
