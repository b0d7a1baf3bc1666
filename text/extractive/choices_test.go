package extractive

import (
	"slices"
	"testing"

	"mcp-memory/memory"
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
		facts, err := New(Options{}).Extract(t.Context(), memory.ExtractRequest{Turns: talk(c.talk)})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range facts {
			got = append(got, f.Content)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q: got %q, want %q", c.talk, got, c.want)
		}
	}
}
