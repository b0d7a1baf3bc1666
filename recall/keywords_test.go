package recall_test

import (
	"strings"
	"testing"

	"mcp-memory/memory"
)

// notes are what a program keeps of its user, in order of time.
const notes = "User lives in Berlin, Germany./User's name is Marek Nowak./User works as a backend engineer at Tavolo./User prefers concise answers without emojis./" +
	"Atlas deploys to Fly.io, region fra./User prefers tabs over spaces./User's wife is called Ania; they have a son, Tomek (4)./User uses VS Code./" +
	"User relocated to Gdansk./Atlas runs on Postgres 15./User switched editor to Zed./User is vegetarian./User's manager is Dorota./User's manager is now Piotr./Upgraded Atlas to Postgres 17./Beacon location service uses OpenStreetMap."

// TestKeywords: what a program asks in keywords of what it has noted in the third
// person is found as if it had asked in a sentence.
func TestKeywords(t *testing.T) {
	b := newBank(t, builtin())
	s, scope := b.service(b.Store), memory.Scope{Agent: "marek"}
	b.tell(t, scope, strings.Split(notes, "/")...)
	for query, want := range map[string]string{
		"user location":         "User relocated",
		"location":              "User relocated",
		"home city":             "User relocated",
		"user name":             "User's name",
		"user manager":          "User's manager is now Piotr",
		"boss":                  "User's manager is now Piotr",
		"previous manager":      "User's manager is Dorota",
		"user previous city":    "User lives in Berlin",
		"old editor":            "User uses VS Code",
		"IDE":                   "User switched editor",
		"atlas database":        "Upgraded Atlas",
		"old atlas database":    "Atlas runs on Postgres 15",
		"user profile":          "User's name",
		"kids":                  "User's wife",
		"user diet":             "User is vegetarian",
		"user location history": "User lives in Berlin",
	} {
		if got := first(t, s, scope, query); !strings.HasPrefix(got, want) {
			t.Errorf("%q: %q first", query, got)
		}
	}
}

// TestKeywordsOfProjects: keywords that name nothing but an attribute are answered by what
// fills it, of whatever that is said, and "for" tells what is meant from what is not.
func TestKeywordsOfProjects(t *testing.T) {
	b := newBank(t, builtin())
	s, scope := b.service(b.Store), memory.Scope{Agent: "mira"}
	b.tell(t, scope, strings.Split("User is Mira Rao, CTO of a startup in Pune, timezone IST./[harvest] Backend: Python 3.11, FastAPI./[harvest] Owner of the billing module: Sanjay./"+
		"[harvest] Deadline for beta: 15 August./User designs in Figma./[harvest] Migrated from poetry to uv./[harvest] Beta deadline slipped to 1 September./[harvest] Billing module handed over from Sanjay to Li./"+
		"User prefers Postgres for services./User prefers SQLite for command line tools./User moved from Figma to Penpot./[harvest] Frontend is Vue 3 with Vite./Decision: revert to polyrepo; CI of the monorepo was too slow.", "/")...)
	for query, want := range map[string]string{
		"package manager":       "[harvest] Migrated",
		"design tool":           "User moved from Figma",
		"beta deadline":         "[harvest] Beta deadline slipped",
		"database for services": "User prefers Postgres",
		"database for tools":    "User prefers SQLite",
		"user timezone":         "User is Mira",
		"user location":         "User is Mira",
		"user role":             "User is Mira",
		// What was before is told by the note of the change alone.
		"what package manager did harvest use before uv": "[harvest] Migrated",
	} {
		if got := first(t, s, scope, query); !strings.HasPrefix(got, want) {
			t.Errorf("%q: %q first", query, got)
		}
	}
}

// TestNews: who asks what is new wants the newest, whatever it is about; who names a thing
// wants what is known of that.
func TestNews(t *testing.T) {
	b := newBank(t, builtin())
	s, scope := b.service(b.Store), memory.Scope{Agent: "marek"}
	b.tell(t, scope, strings.Split(notes, "/")...)
	for query, want := range map[string]string{
		"recent changes":          "Beacon",
		"What's new?":             "Beacon",
		"What’s changed lately?":  "Beacon",
		"recent changes in atlas": "Upgraded Atlas",
	} {
		if got := first(t, s, scope, query); !strings.HasPrefix(got, want) {
			t.Errorf("%q: %q first", query, got)
		}
	}
}

// TestKeywordsName: what keywords name is not followed by news of something else, of
// which they name less.
func TestKeywordsName(t *testing.T) {
	b := newBank(t, builtin())
	s := b.service(b.Store)
	for query, c := range map[string]struct {
		notes []string // in order of time
		want  string   // beginning of the first result
	}{
		"reviewers docs": {[]string{"Reviewers: @ilse for /docs", "Release branch renamed to stable", "Release day: every second Monday"}, "Reviewers"},
		"garden budget": {[]string{
			"User owns a farmhouse near Lund.", "Garden terrace planned for May.", "Budget for the garden: EUR 6k.", "Gardener is Blom AB.", "Garden terrace postponed to August.",
		}, "Budget"},
		"tessera order volume": {[]string{ // another amount of the same unit is one of the same
			"Meeting 2026-01-09 with Tessera: they want an API.", "Tessera order volume: 12k/yr.", "Tessera contact: Jon Vik.", "Tessera renewed at 15k/yr.", "Meeting 2026-02-14 with Ligna: late invoices.",
		}, "Tessera renewed"},
	} {
		scope := memory.Scope{Agent: strings.ReplaceAll(query, " ", "-")}
		b.tell(t, scope, c.notes...)
		if got := first(t, s, scope, query); !strings.HasPrefix(got, c.want) {
			t.Errorf("%q: %q first", query, got)
		}
	}
}
