package extractive

import (
	"slices"
	"testing"
)

// Of a question that offers alternatives, only the one that the user chose is kept.
func TestChosenAlternatives(t *testing.T) {
	for _, c := range []struct {
		talk string
		want []string
	}{
		{"a Should I use pnpm or npm here?\nu pnpm please", []string{"Agreed: use pnpm here."}},
		{"a Should I use pnpm or npm?\nu npm, the lockfile is npm's", []string{"Agreed: use npm. The lockfile is npm's."}},
		{"a Should we use Postgres or MySQL for the jobs table?\nu Postgres.", []string{"Agreed: use Postgres for the jobs table."}},
		{"a Should we use Postgres or MySQL for the jobs table?\nu let's go with MySQL", []string{"Agreed: use MySQL for the jobs table."}},
		{"a Should we use Postgres, MySQL or SQLite for the jobs table?\nu SQLite", []string{"Agreed: use SQLite for the jobs table."}},
		{"a Should we use Postgres, MySQL or SQLite for the jobs table?\nu Postgres", []string{"Agreed: use Postgres for the jobs table."}},
		{"a Do you prefer tabs or spaces?\nu Tabs.", []string{"Does the user prefer tabs? Yes."}},
		{"a Is the backend written in Go or in Rust?\nu Rust", []string{"Is the backend written in Rust? Yes."}},
		{"a Is the API on port 8080 or on 9090?\nu 9090", []string{"Is the API on 9090? Yes."}},
		{"a Shall I put the helpers in utils.go or in a new package?\nu a new package please", []string{"Agreed: put the helpers in a new package."}},
		{"a Do you want me to use tabs or spaces in the Makefile?\nu tabs", []string{"Agreed: use tabs in the Makefile."}},
		{"a Should we keep the old endpoint or drop the old endpoint?\nu drop the old endpoint", []string{"Agreed: drop the old endpoint."}},
		{"a Shall I use Zod for the validation?\nu yes", []string{"Agreed: use Zod for the validation."}},
		{"a Shall I use Zod?\nu yes", []string{"Agreed: use Zod."}},
		{"a Shall I use Zod for the validation?\nu yes please", []string{"Agreed: use Zod for the validation."}},
		{"a Should I name the table audit_log?\nu sure", []string{"Agreed: name the table audit_log."}},
		{"a Which formatter do you want, prettier or biome?\nu biome", []string{"Which formatter does the user want? Biome."}},
		{"a Which database should we use: Postgres or MySQL?\nu MySQL, we already run it.",
			[]string{"Which database should the user and others use? MySQL. The user and others already run it."}},
		{"a Do you want weekly or monthly reports?\nu weekly", []string{"Does the user want weekly reports? Yes."}},
		{"a Should I write the tests in Jest or Vitest?\nu vitest", []string{"Agreed: write the tests in Vitest."}},
		{"a Are you on macOS or Linux?\nu linux", []string{"Is the user on Linux? Yes."}},
		{"a Are you based in Berlin or Munich?\nu Munich, since May", []string{"Is the user based in Munich? Yes. Since May."}},
		{"a Should we target Node 20 or 22?\nu 22", []string{"Agreed: target Node 22."}},
		{"a Does the cron run at 2 or 3 am?\nu 3 am", []string{"Does the cron run at 3 am? Yes."}},
		{"a Should I use AWS or GCP?\nu AWS of course", []string{"Agreed: use AWS."}},
		{"a Should I use camelCase or snake_case for the columns?\nu snake_case, always", []string{"Agreed: use snake_case for the columns."}},
		{"a I see no lockfile. npm, yarn or pnpm?\nu pnpm please", []string{"The user chose pnpm over npm and yarn."}},
		{"a I can either use a feature flag or a separate branch for this. Which would you like?\nu former",
			[]string{"The user chose a feature flag over a separate branch."}},
		{"a You can deploy with Helm or Kustomize. Which one do you prefer?\nu the second one", []string{"The user chose Kustomize over Helm."}},
		{"a Should I enable strict mode in tsconfig?\nu yes but not for the legacy folder",
			[]string{"Agreed: enable strict mode in tsconfig, but not for the legacy folder."}},
		{"a I could use Yup, Zod or Valibot. Any preference?\nu go with Valibot, bundle size matters for us",
			[]string{"The user chose Valibot over Yup and Zod. Bundle size matters for the user and others."}},
		{"a Do you want the report in PDF or HTML?\nu both", []string{"Does the user want the report in PDF and HTML? Yes."}},
		{"a Should we support Postgres, MySQL or SQLite?\nu all of them", []string{"Agreed: support Postgres, MySQL and SQLite."}},
		{"a Two options here: (a) keep the sync API, (b) go async. What do you think?\nu b",
			[]string{"The user chose to go async rather than keep the sync API."}},
		{"a We could either 1) keep the sync API or 2) go async. Which one do you prefer?\nu 1",
			[]string{"The user chose to keep the sync API rather than go async."}},
		{"a I see two ways: 1) a feature flag, 2) a separate branch. Which would you like?\nu the second one, we did that before",
			[]string{"The user chose a separate branch over a feature flag."}},
		{"a Which one do you want?\n1. Redis, it is (a) quick, (b) known\n2. Memcached\nu 2", []string{"Which one does the user want? Memcached."}},
		{"a It fails in (b) main.go and (a) util.go. Which one first?\nu b", nil},
		{"a I would use Yup, Zod or Valibot if we had the time. Any preference?\nu Zod", []string{"Any preference? Zod."}},
		{"a Should I use camelCase or snake_case for the columns?\nu all lower case", nil},
		{"a Should we use Redis, Valkey or Memcached?\nu both", nil},
		{"a Stop or go on?\nu stop", nil},
		{"a Should I use Zod for the validation?\nu no", nil},
		{"a Should we use Redis or Memcached?\nu Redis? not sure", nil},
		{"a Shall I go ahead or wait?\nu go ahead", nil},
		{"a Should I run the unit tests or the integration tests first?\nu unit tests", nil},
		{"a Do you mean the staging or the production server?\nu production", nil},
		{"a Should I continue or stop here?\nu stop", nil},
		{"a Should I use Postgres or MySQL?\nu neither", nil},
		{"a Should I use Postgres or MySQL?\nu maybe Postgres", nil},
		{"a Should I use Postgres or MySQL?\nu not MySQL", nil},
		{"a Should I use this file or that file?\nu that file", nil},
		{"a Should I use the existing helper?\nu yes", nil},
		{"a Shall I run the tests?\nu yes", nil},
	} {
		if got := factsOf(t, c.talk); !slices.Equal(got, c.want) {
			t.Errorf("%q: got %q, want %q", c.talk, got, c.want)
		}
	}
}

// What was proposed counts if the user takes it where the assistant asks whether it will do, also with
// another name or value in place of its own; a yes to an errand is no fact.
func TestProposedAndAsked(t *testing.T) {
	for _, c := range []struct {
		talk string
		want []string
	}{
		{"a I'd suggest moving the config to YAML. Is that okay with you?\nu yes, fine", []string{"Agreed: moving the config to YAML."}},
		{"a I would use Redis for the queue. OK?\nu ok", []string{"Agreed: use Redis for the queue."}},
		{"a Let's store the sessions in Redis. What do you think?\nu no, Postgres", []string{"Agreed: store the sessions in Postgres."}},
		{"a Should we use Postgres for the sessions?\nu No, MySQL please.", []string{"Agreed: use MySQL for the sessions."}},
		{"a Should we use postgres for the jobs?\nu no, mysql", []string{"Agreed: use mysql for the jobs."}},
		{"a Should I use single quotes?\nu no, double quotes", []string{"Agreed: use double quotes."}},
		{"a Should I use tabs?\nu nope, 2 spaces", []string{"Agreed: use 2 spaces."}},
		{"a Should I use npm?\nu no need", nil},
		{"a Should I use npm?\nu no, later", nil},
		{"a Should I use npm?\nu no, never", nil},
		{"a Should I put tests in src?\nu no, tests", nil},
		{"a Should we target Node 20?\nu make it 22", []string{"Agreed: target Node 22."}},
		{"a I'd go with Terraform here. Agreed?\nu fine by me", []string{"Agreed: go with Terraform here."}},
		{"a I'd go with Terraform here. Agreed?\nu hmm not sure, let me ask Priya first", nil},
		{"a What should I call the new service?\nu \"ledger-sync\" please",
			[]string{`What should the assistant call the new service? "ledger-sync".`}},
		{"a What should we use for the queue?\nu NATS", []string{"What should the user and others use for the queue? NATS."}},
		{"a What should we talk about?\nu football", nil},
		{"a Which linter should I use?\nu whatever you like", nil},
		{"a Do you have any allergies?\nu penicillin, and cats a bit",
			[]string{"Does the user have any allergies? Penicillin, and cats a bit."}},
		{"u if I ever say \"ship it\" I mean merge and deploy to prod",
			[]string{`When the user ever says "ship it" the user means merge and deploy to prod.`}},
		{"u no more bullet points, ever", []string{"The user wants the assistant to use no more bullet points."}},
		{"a tabs or spaces in this project?\nu Tabs.", []string{"The user chose tabs over spaces in this project."}},
		{"a Tabs or spaces in your notes?\nu spaces please", []string{"The user chose spaces over tabs in the user's notes."}},
		{"a Continue or stop here?\nu stop", nil},
		{"a Should I book Vienna or Graz?\nu Graz then.", []string{"Agreed: book Graz."}},
		{"a Should we target Node 20?\nu no, 22", []string{"Agreed: target Node 22."}},
		{"a Do you want me to always ask before I push?\nu yes",
			[]string{"Does the user want the assistant to always ask before the assistant push? Yes."}},
		{"a So you work at Siemens in Erlangen as a data engineer?\nu data engineer yes, but in Munich",
			[]string{`The user corrected "So you work at Siemens in Erlangen as a data engineer.": Data engineer yes, but in Munich.`}},
		{"a So you use Postgres 15 on Hetzner, right?\nu Hetzner yes, Postgres 16",
			[]string{"The user uses Postgres: Hetzner yes, Postgres 16."}},
		{"u tests go into tests/, not src/", []string{"Tests go into tests/, not src/."}},
		{"u The wifi password is Hunter2!", []string{"The wifi password is Hunter2!"}},
		{"u The password for the guest wifi of the office is Blue*Moon*", []string{"The password for the guest wifi of the office is Blue*Moon*"}},
		{"u The key point is simplicity!", []string{"The key point is simplicity."}},
		{"u my address: Hauptstr. 5, 12345 Berlin", []string{"The user's address: Hauptstr. 5, 12345 Berlin."}},
		{"u Use 4 spaces in this repo.", []string{"Use 4 spaces in this repo."}},
		{"u use tabs", []string{"Use tabs."}},
		{"u use the helper in this file", nil},
		{"u use port 9090 for this", nil},
		{"u sorry I was wrong earlier, the rate limit is 100 per minute per token", []string{"The rate limit is 100 per minute per token."}},
		{"u I was wrong about Jenkins, mistaken even", nil},
		{"u Plan a week of dinners. We're four.", []string{"Plan a week of dinners. The user and others are four."}},
		{"u Plan to move in May.", []string{"The user plans to move in May."}},
		{"u Book a table for two at Rosso.", nil},
		{"u Compare Redis and Valkey.", nil},
		{"u This project uses Bazel.", []string{"The project uses Bazel."}},
		{"u this app is slow", nil},
		{"u let's call the feature Ledger Lens from now on", []string{"The user wants the assistant to call the feature Ledger Lens from now on."}},
		{"u use force", nil},
		{"u avoid it", nil},
		{"a I would rename the variable. OK?\nu ok", nil},
		{"a I could add a retry or a timeout. Which one?\nu both", []string{"The user chose a retry and a timeout."}},
		{"u stop here", nil},
		{"u it works, not great", nil},
		{"u I moved to Lyon lol", []string{"The user moved to Lyon."}},
		{"a Should we use Postgres for the sessions?\nu no, thanks", nil},
		{"a Should we use Postgres for the sessions?\nu no, ask Ravi first", nil},
		{"a I would run the tests now. OK?\nu ok", nil},
		{"a I would add a test for that. OK?\nu ok", nil},
		{"a Do you want me to open the file and look at line 40?\nu yes please", nil},
		{"a Does that work for you?\nu yes", nil},
		{"a I would run the migrations with make. OK?\nu ok", []string{"Agreed: run the migrations with make."}},
		{"a Should we use Postgres 15?\nu no, MySQL 8", []string{"Agreed: use MySQL 8."}},
		{"a Let's store the sessions in Redis. What do you think?\nu too slow", nil},
		{"a We could use Redis for the sessions. Should we cache them for 60 seconds?\nu no, 90", nil},
		{"u tests do not pass", nil},
		{"a I put it there. What do you think?\nu looks good", nil},
	} {
		if got := factsOf(t, c.talk); !slices.Equal(got, c.want) {
			t.Errorf("%q: got %q, want %q", c.talk, got, c.want)
		}
	}
}
