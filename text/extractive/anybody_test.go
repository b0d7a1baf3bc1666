package extractive

import (
	"slices"
	"testing"
)

// A "you" that is anybody is not the assistant, a rule stays with its exception, and what is said in
// jest, in passing or by the assistant alone is left out.
func TestAnybody(t *testing.T) {
	for _, c := range []struct {
		talk string
		want []string
	}{
		{"u to get into the building you have to call Herr Lutz", []string{"To get into the building you have to call Herr Lutz."}},
		{"u you need VPN to reach the staging cluster", []string{"You need VPN to reach the staging cluster."}},
		{"u you can only deploy from the bastion host", []string{"You can only deploy from the bastion host."}},
		{"u According to the README you need Node 22.", []string{"According to the README you need Node 22."}},
		{"u you need to fix the tests", nil},

		{"u No force pushes. Well, on your own feature branches it's fine.",
			[]string{"No force pushes; on the assistant's own feature branches it's fine."}},
		{"u No new dependencies. Except dev dependencies, those are ok.", []string{"No new dependencies; except dev dependencies, those are ok."}},
		{"u No problems. It's fine.", nil},

		{"u Never use sleep in tests. Only in the e2e folder that's allowed.",
			[]string{"The user wants the assistant to never use sleep in tests; only in the e2e folder that's allowed."}},
		{"u Don't worry. It's fine.", nil},
		{"u never use tabs, ok?", []string{"The user wants the assistant to never use tabs."}},
		{"u The deadline is on Friday, right?", nil},

		{"u I'd rather have small PRs than one big one", []string{"The user would rather have small PRs than one big one."}},
		{"u I would move to Rome.", nil},

		{"a Would you like me to explain the diff?\nu no, we're in a hurry, demo is at 3pm with Vattenfall",
			[]string{"The user and others are in a hurry, demo is at 3pm with Vattenfall."}},
		{"u is this ok for commercial use? \"You must not use the name of the author. You may always copy it.\"", nil},
		{"u My screen is 27\" and my desk is oak.", []string{"The user's screen is 27\" and the user's desk is oak."}},
		{"u just for this session, don't run the linter", nil},
		{"u because obviously we love having 4 different date libraries...", nil},
		{"u We were going to move to GCP in March but that's off, we're staying on AWS.", []string{"The user and others are staying on AWS."}},
		{"u We wanted to hire a designer but that's off.", nil},
		{"u I've got a job interview at Zalando on Monday", []string{"The user has got a job interview at Zalando on 11 May 2026."}},
		{"u my code is so old it was committed by my grandfather on punch cards lol", nil},
		{"u not much, just tired, long weekend. nice weather though", nil},
		{"a Which Python version do you target?\nu no idea honestly, check the Dockerfile", nil},
		{"u does Postgres 17 support incremental backups?\na Yes, Postgres 17 supports incremental backups with pg_basebackup.\nu cool, thanks", nil},
	} {
		if got := factsOf(t, c.talk); !slices.Equal(got, c.want) {
			t.Errorf("%q\n\tgot  %q\n\twant %q", c.talk, got, c.want)
		}
	}
}
