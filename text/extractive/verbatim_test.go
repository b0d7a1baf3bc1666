package extractive_test

import (
	"strings"
	"testing"

	"mcp-memory/memory"
)

// verbatim are things that somebody says to an assistant while they work, and the strings in
// them that have to stay as they are, byte for byte, in what is kept.
var verbatim = [][2]string{
	{"Always push with `git push origin HEAD:refs/for/<branch>`, never directly.", "git push origin HEAD:refs/for/<branch>"},
	{"Name branches feat/<ticket> from now on.", "feat/<ticket>"},
	{"The type should be Map<String, List<Parcel>> everywhere in the API.", "Map<String, List<Parcel>>"},
	{"We decided that handlers return Result<T, E> instead of panicking.", "Result<T, E>"},
	{"Use `Vec<Box<dyn Shape>>` for the shapes, we agreed on that.", "Vec<Box<dyn Shape>>"},
	{"Our ids look like [a-z]{3}-[0-9]{4}, please always check that.", "[a-z]{3}-[0-9]{4}"},
	{"Never call __init__ directly in our code.", "__init__"},
	{"The env variable is called MY__APP__PORT.", "MY__APP__PORT"},
	{"I always run `make -C build test && ./bin/check --fast` before I push.", "make -C build test && ./bin/check --fast"},
	{"The config lives in ~/.config/parcelbot/config.toml on my machine.", "~/.config/parcelbot/config.toml"},
	{"Our staging API is at https://api.staging.example.org/v2?debug=1#top.", "https://api.staging.example.org/v2?debug=1#top"},
	{"We use the glob src/**/*.test.ts for the unit tests.", "src/**/*.test.ts"},
	{"Please always format dates as `YYYY-MM-DDTHH:mm:ss[Z]`.", "YYYY-MM-DDTHH:mm:ss[Z]"},
	{"The query we decided on is `SELECT id, sum(x) FROM t WHERE a <> b GROUP BY 1`.", "SELECT id, sum(x) FROM t WHERE a <> b GROUP BY 1"},
	{"I prefer `useState<string | null>(null)` over a default.", "useState<string | null>(null)"},
	{"On Windows the repo is in C:\\work\\parcel bot\\src.", "C:\\work\\parcel bot\\src"},
	{"We deploy with kubectl -n prod rollout restart deploy/api.", "kubectl -n prod rollout restart deploy/api"},
	{"The regex for zip codes is ^\\d{5}(?:-\\d{4})?$ in our project.", "^\\d{5}(?:-\\d{4})?$"},
	{"We tag images as registry.example.org/api:v1.2.3-rc.1.", "registry.example.org/api:v1.2.3-rc.1"},
	{"Always use @/components/ui instead of ../../components.", "@/components/ui"},
	{"My ssh host alias is build-01.eu-west, port 2222.", "build-01.eu-west"},
	{"The cron expression we use is */15 6-22 * * 1-5.", "*/15 6-22 * * 1-5"},
	{"Use `npm ci --omit=dev` in the Dockerfile, not npm install.", "npm ci --omit=dev"},
	{"The error code we return is E_PARCEL_NOT_FOUND.", "E_PARCEL_NOT_FOUND"},
	{"In this repo we write `if err != nil { return fmt.Errorf(\"load: %w\", err) }`.",
		"if err != nil { return fmt.Errorf(\"load: %w\", err) }"},
	{"Our primary colour is #0a7f3f, please keep that.", "#0a7f3f"},
	{"The CSS class has to be `.btn--primary:hover::after`.", ".btn--primary:hover::after"},
	{"We agreed to call the flag --dry-run=<mode>.", "--dry-run=<mode>"},
	{"The feature flag is called checkout.v2_enabled.", "checkout.v2_enabled"},
	{"Please never touch money/legacy.go, Svenja's cousin maintains it.", "money/legacy.go"},
	{"My commit messages start with \"[PB-123] \" and the ticket number.", "[PB-123]"},
	{"The header is `X-Request-Id: <uuid>` in all our services.", "X-Request-Id: <uuid>"},
	{"We keep the arrays as int[] and not as lists.", "int[]"},
	{"The test command is `go test -run 'TestSplit/.*half' ./money/...`.", "go test -run 'TestSplit/.*half' ./money/..."},
	{"We pin numpy==1.26.4 because of the wheels.", "numpy==1.26.4"},
	{"The tolerance is 1e-9, we decided.", "1e-9"},
	{"Our coupon codes look like SAVE_**20** in the tests.", "SAVE_**20**"},
	{"The generic we use is `Promise<Array<[string, number]>>`.", "Promise<Array<[string, number]>>"},
	{"I want the file header to be `// Copyright (c) <year> Nord & Fracht`.", "// Copyright (c) <year> Nord & Fracht"},
	{"We renamed the topic to parcels.events.v3~draft.", "parcels.events.v3~draft"},
	{"We always write loops as `for I in range(n)` in the scripts.", "`for I in range(n)`"},
	{"The report we use is `SELECT my_id, our_key FROM we WHERE i = 1`.", "`SELECT my_id, our_key FROM we WHERE i = 1`"},
	{"Our default sort order is `today`, never by name.", "`today`"},
	{"Our runbook is [here](https://run.example.org/book).", "https://run.example.org/book"},
}

// TestVerbatim: what is kept has them unmangled.
func TestVerbatim(t *testing.T) {
	kept, whole := 0, 0
	for _, c := range verbatim {
		facts := extract(t,
			memory.ExtractRequest{Turns: []memory.Turn{{Index: 0, Role: memory.RoleUser, Content: c[0], SaidAt: noon}}, Max: 20})
		if len(facts) > 0 {
			kept++
		}
		if strings.Contains(strings.Join(contents(facts), "\n"), c[1]) {
			whole++
		} else {
			t.Logf("%s\n  %q", c[0], contents(facts))
		}
	}
	t.Logf("%d of %d are kept, %d unmangled", kept, len(verbatim), whole)
	if whole < 43 {
		t.Error("too few")
	}
}
