package slots

import "testing"

func TestIntroductions(t *testing.T) {
	for text, want := range map[string]string{
		"User is now SRE lead at Medeon.": "sre medeon lead|holder|User changed; user|job|SRE lead changed; user|work|Medeon changed",
		"User works remotely from Cork.":  "user|home|Cork",
		"I work from home.":               "user|work from|from home",
		"My wife and I live in Ghent.":    "user|home|Ghent",
		"I'm Kim, a fan of Oasis.":        "user|name|Kim",
		"User is German, 34.":             "user||German",
	} {
		if got := brief(text); got != want {
			t.Errorf("%q:\n got %s\nwant %s", text, got, want)
		}
	}
}

// What one uses or prefers for something says nothing of what for something else.
func TestPurposes(t *testing.T) {
	for _, c := range []struct {
		older, newer string
		want         Relation
	}{
		{"User prefers Postgres for services.", "User prefers SQLite for command line tools.", None},
		{"I use Helix for Go.", "I use Zed for Rust.", None},
		{"User prefers Postgres for services.", "User now prefers MySQL for services.", Likely},
		{"I use Helix for everything.", "I use Zed for everything.", Certain},
		{"User prefers Postgres for services.", "User prefers SQLite.", Beside},
	} {
		if got := Between(Read(c.older, Options{}), Read(c.newer, Options{})); got != c.want {
			t.Errorf("%s / %s: %v, want %v", c.older, c.newer, got, c.want)
		}
	}
}

func TestWhatFollowsWhatEnds(t *testing.T) {
	for text, want := range map[string]string{
		"I left the party to get some air.":            "user||party to get some air not parti get air changed negated",
		"[shop] Coverage reached 78%.":                 "shop|coverage|78% changed",
		"The train reached Bonn.":                      "train|reach|Bonn",
		"I sold the car and cycle to work these days.": "user|car|car not car changed negated; user|commute|cycle changed",
		"I'm seeing someone new.":                      "user|partner|someone new",
		"Using old drivers changed nothing.":           "using drivers|chang|nothing",
		"I see someone at the door.":                   "user|see|someone at the door",
	} {
		if got := brief(text); got != want {
			t.Errorf("%q:\n got %s\nwant %s", text, got, want)
		}
	}
}

// What is used for a time, or for all, is used for no one thing alone.
func TestPurpose(t *testing.T) {
	for text, want := range map[string]string{
		"User prefers Postgres for services.": "servic",
		"User uses Postgres for now.":         "",
		"I use Zed for everything.":           "",
		"I use Neovim for 3 months.":          "",
	} {
		if said := Read(text, Options{}); len(said) != 1 || said[0].Scope != want {
			t.Errorf("%s: %+v, want the scope %q", text, said, want)
		}
	}
}
