package extractive_test

import (
	"strings"
	"testing"

	"mcp-memory/memory"
)

// Sentences that begin with a participle or a gerund which belongs to their subject: nobody did
// anything, and to write "The user" in front of them would be false.
var ownSubjects = []string{
	"Deleted rows stay in orders_archive for 90 days.", "Billing runs on Stripe.", "Expired tokens return 401 since version 3.",
	"Failed jobs go to the queue retry_dead.", "Cached pages live in Redis for 10 minutes.", "Staging deploys from the branch develop.",
	"Shipping costs 4.90 euros in Austria.", "Parking costs 12 euros at the Graz office.", "Merged branches get deleted by Janitor.",
	"Signed builds land in the bucket releases-eu.", "Nested transactions use savepoints in Postgres.", "Generated code lives in internal/gen.",
	"Logging goes to Loki, not to stdout.", "Testing happens on Thursdays with Mara.", "Closed tickets reopen when a customer replies to Zendesk.",
	"Stored procedures are owned by the team Delta.", "Archived projects count against the quota of 50.",
	"Encoded uploads need a Content-Type header.", "Dropped frames show up in the Grafana board.", "Shared drives sync to NAS2 at night.",
	"Hiring stops in December at Acme.", "Onboarding takes Priya two weeks.", "Invoicing moved to Xero in May.",
	"Used laptops go to the school in Leoben.", "Unused licences cost us 300 euros a month.", "Frozen accounts keep their 5 euros of balance.",
	"Broken links redirect to /404 at Netlify.", "Left joins are slow on table events of Postgres.", "Fixed costs are 4,000 euros a month.",
	"Pinned versions live in go.mod.", "Scheduled exports run at 02:00 UTC.", "Rejected parcels return to Linz.",
	"Training starts at 7 in Eggenberg.", "Pricing changed on 1 May 2025.", "Rotated keys work for another 24 hours.",
	"Skipped migrations block the pipeline of Kraken.", "Streaming replies needs HTTP/2.", "Building the image takes 14 minutes.",
	"Running the suite needs Docker 27.", "Staging broke after the 4.2 upgrade.", "Deploying without a tag fails at Kraken.",
	"Training ended on 3 November 2025.", "Renamed columns break the export of Tableau.",
}

// Sentences whose "I" was left out.
var lacksSubject = []struct{ text, want string }{
	{"Moved to Graz in May 2021.", "moved to Graz"},
	{"Just signed up for a pottery class.", "just signed up"},
	{"Booked the flights to Porto.", "booked the flights"},
	{"Ordered shoes from Zalando.", "ordered shoes"},
	{"Finished the migration of table orders.", "finished the migration"},
	{"Working on the billing service of Kraken.", "is working on the billing"},
	{"Looking for a new flat in Udine.", "is looking for"},
	{"Bought a cargo bike for the kids.", "bought a cargo bike"},
	{"Got a new job at Siemens.", "got a new job"},
	{"Switched to Neovim last week.", "switched to Neovim"},
	{"Started with Portuguese in March 2024.", "started with Portuguese"},
	{"Met Priya at the conference.", "met Priya"},
	{"Renting a garage from Herr Huber.", "is renting a garage"},
	{"Cancelled my gym membership.", "cancelled their gym"},
	{"Adopted two cats from the shelter.", "adopted two cats"},
	{"Fixed the flaky test in CI.", "fixed the flaky test"},
	{"Replaced Redis with Valkey.", "replaced Redis"},
	{"Upgraded Postgres to 17.", "upgraded Postgres"},
	{"Deployed version 2.4 to production.", "deployed version 2.4"},
	{"Migrated billing to Stripe.", "migrated billing"},
	{"Renamed orders to purchases in Kraken.", "renamed orders"},
	{"Running every morning before work in the Augarten.", "is running every morning"},
	{"Planning a trip to Lisbon in June.", "is planning a trip"},
	{"Learned to sail on the Neusiedler See.", "learned to sail"},
}

func TestOnlyALeftOutSubjectIsAdded(t *testing.T) {
	for _, text := range ownSubjects {
		for _, f := range extract(t, memory.ExtractRequest{Turns: talk("assistant: So.", "user: "+text)}) {
			if !strings.HasPrefix(f.Content, text[:strings.Index(text, " ")]) {
				t.Errorf("%q became %q", text, f.Content)
			}
		}
	}
	for _, c := range lacksSubject {
		facts := extract(t, memory.ExtractRequest{Turns: talk("assistant: So.", "user: "+c.text)})
		if len(facts) != 1 || !strings.Contains(facts[0].Content, "The user "+c.want) {
			t.Errorf("%q became %q", c.text, contents(facts))
		}
	}
}
