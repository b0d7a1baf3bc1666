package slots

import "testing"

func TestIntroductions(t *testing.T) {
	for text, want := range map[string]string{
		"I'm Ana, a designer in Lisbon.":                       "user|name|Ana; user|job|designer; user|home|Lisbon",
		"I'm Ana, a nurse in Leeds, originally from Bonn.":     "user|name|Ana; user|job|nurse; user|home|Leeds",
		"I'm Ana, 34, a nurse at Medeon in Leeds.":             "user|name|Ana; user|age|34; user|job|nurse; user|work|Medeon; user|home|Leeds",
		"User is Arno Vek, owner of a bicycle shop in Aarhus.": "user|name|Arno Vek; user|job|owner of a bicycle shop; user|home|Aarhus",
		"User is Mira Rao, CTO of a startup.":                  "user|name|Mira Rao; user|job|CTO of a startup",
		"I'm a freelance translator, living in Leeds.":         "user|work|freelance translator; user|home|Leeds",
		"User is a vegetarian, lives in Lyon.":                 "user|diet|vegetarian; user|home|Lyon",
		"User is based in Pune, timezone IST.":                 "user|home|Pune; user|time_zone|IST",
		"User is now SRE lead at Medeon.":                      "sre medeon lead|holder|User changed; user|job|SRE lead changed; user|work|Medeon changed",
		"User works remotely from Cork.":                       "user|home|Cork",
		"I work from home.":                                    "user|work from|from home",
		"My wife and I live in Ghent.":                         "user|home|Ghent",
		"I'm Kim, a fan of Oasis.":                             "user|name|Kim",
		"User is German, 34.":                                  "user||German",
	} {
		if got := brief(text); got != want {
			t.Errorf("%q:\n got %s\nwant %s", text, got, want)
		}
	}
}

func TestWhatIsPaidAndServes(t *testing.T) {
	for text, want := range map[string]string{
		"User pays 18,000 DKK rent for the shop.":      "user|pai|18,000 DKK rent for the shop; user|rent|18,000 DKK",
		"I rent a flat near Tivoli for 620 a month.":   "user|rent|flat near Tivoli for 620 a month; user|home|Tivoli; user|rent|620 a month",
		"I rent a car in Faro for a week.":             "user|rent|car in Faro for a week",
		"[depot] Prometheus + Grafana for monitoring.": "depot|monitoring|Prometheus + Grafana",
		"Gifts for monitoring.":                        "",
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
		"Ben left Acme to join Bolt.":                          "ben|work|Acme not acm changed negated; ben|work|Bolt not acm changed",
		"Sam left the ambulance service to retrain as a cook.": "sam|work|ambulance service not ambul servic changed negated; sam|job|cook changed",
		"I quit Acme to become a baker.":                       "user|work|Acme not acm changed negated; user|job|baker changed",
		"I left the party to get some air.":                    "user||party to get some air not parti get air changed negated",
		"[depot] Dropped Datadog, back on Prometheus.":         "depot|monitoring|Datadog not datadog changed negated; depot|monitoring|Prometheus not datadog changed",
		"[shop] Coverage reached 78%.":                         "shop|coverage|78% changed",
		"The train reached Bonn.":                              "train|reach|Bonn",
		"I sold the car and cycle to work these days.":         "user|car|car not car changed negated; user|commute|cycle changed",
		"I'm seeing someone new.":                              "user|partner|someone new",
		"I see someone at the door.":                           "user|see|someone at the door",
		"Billing module handed over from Sanjay to Li.":        "billing module|owner|Li not sanjai changed",
		"Using old drivers changed nothing.":                   "using drivers|chang|nothing",
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
