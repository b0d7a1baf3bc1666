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
