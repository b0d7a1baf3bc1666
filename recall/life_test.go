package recall_test

import (
	"testing"
	"time"

	"mcp-memory/memory"
)

// dated is what was said on a day.
type dated struct{ day, text string }

// lives are banks as they grow over years: of a person, and of a team. Each question
// is answered by the first result.
var lives = []struct {
	name  string
	facts []dated
	asked map[string]string
}{
	{"a person", []dated{
		{"2023-02-03", "My name is Hanne Vestergaard and I'm a veterinary nurse."},
		{"2023-02-03", "I live in Aarhus with my husband Mikkel."},
		{"2023-03-11", "I work at the Skovby animal clinic; my boss there is Lone Friis."},
		{"2023-04-02", "We have a dog called Pjuske, a border terrier."},
		{"2023-05-20", "I'm vegetarian, but I eat fish on holidays."},
		{"2023-06-01", "My phone is an iPhone 11."},
		{"2023-08-15", "I play the cello in the Aarhus amateur orchestra; rehearsal is on Tuesdays."},
		{"2023-10-10", "My sister Jana lives in Dresden with her two kids."},
		{"2024-01-20", "Pjuske died in January."},
		{"2024-02-14", "I'm allergic to penicillin."},
		{"2024-03-01", "I drive an old Volvo V70."},
		{"2024-05-05", "We moved to Odense, the flat is on Vesterbro."},
		{"2024-06-10", "I started at Fyn Equine Hospital today, in the surgery team."},
		{"2024-09-01", "Rehearsals are on Thursdays now, I joined the Odense chamber orchestra."},
		{"2024-11-11", "Got a Fairphone 5, the iPhone is in the drawer."},
		{"2025-01-15", "Jana has moved to Kiel."},
		{"2025-03-03", "I no longer eat fish, I'm fully vegan now."},
		{"2025-06-20", "We sold the Volvo and bought a Renault Zoe."},
		{"2025-09-09", "We adopted a cat, Mus, from the shelter."},
		{"2025-10-01", "From March 2027 I'll be head nurse at the Equine Hospital."},
	}, map[string]string{
		"Who am I?":                      "My name is Hanne Vestergaard and I'm a veterinary nurse.",
		"What's my name?":                "My name is Hanne Vestergaard and I'm a veterinary nurse.",
		"Where do I live?":               "We moved to Odense, the flat is on Vesterbro.",
		"Where did I live before?":       "I live in Aarhus with my husband Mikkel.",
		"What's my husband's name?":      "I live in Aarhus with my husband Mikkel.",
		"Where do I work?":               "I started at Fyn Equine Hospital today, in the surgery team.",
		"What was my previous job?":      "I work at the Skovby animal clinic; my boss there is Lone Friis.",
		"What do I eat?":                 "I no longer eat fish, I'm fully vegan now.",
		"Am I allergic to anything?":     "I'm allergic to penicillin.",
		"Which phone do I have?":         "Got a Fairphone 5, the iPhone is in the drawer.",
		"What car do I drive?":           "We sold the Volvo and bought a Renault Zoe.",
		"What instrument do I play?":     "I play the cello in the Aarhus amateur orchestra; rehearsal is on Tuesdays.",
		"When are rehearsals?":           "Rehearsals are on Thursdays now, I joined the Odense chamber orchestra.",
		"Where does my sister live?":     "Jana has moved to Kiel.",
		"Where did Jana live before?":    "My sister Jana lives in Dresden with her two kids.",
		"Do I still have a dog?":         "Pjuske died in January.",
		"What pets do we have?":          "We adopted a cat, Mus, from the shelter.",
		"What will my job be next year?": "From March 2027 I'll be head nurse at the Equine Hospital.",
	}},
	{"a team", []dated{
		{"2025-01-10", "The checkout service is written in Node 18 and runs on Heroku."},
		{"2025-01-12", "We use MySQL 5.7 for orders."},
		{"2025-02-01", "Priya is the product owner of checkout."},
		{"2025-02-10", "Deploys go out on Mondays via Jenkins."},
		{"2025-03-01", "The API listens on port 8080 locally and on 443 in production."},
		{"2025-03-15", "We decided against GraphQL; REST stays."},
		{"2025-04-01", "The staging database is reset every night at 2am."},
		{"2025-04-20", "The rate limit is 100 requests per minute per key."},
		{"2025-05-05", "Tom is on call in even weeks, Aisha in odd weeks."},
		{"2025-06-01", "We migrated from Heroku to Fly.io last weekend."},
		{"2025-06-15", "Moved the orders table over to Postgres 16."},
		{"2025-07-01", "Jenkins is gone, everything is GitHub Actions now."},
		{"2025-07-10", "Upgraded checkout to Node 22."},
		{"2025-08-01", "Priya left; Marek took over as product owner of checkout."},
		{"2025-08-20", "Raised the rate limit to 250 requests per minute after the Black Friday test."},
		{"2025-09-01", "Flaky test in cart.spec.ts: fixed by pinning the clock."},
		{"2025-09-15", "Never push to main directly; every change needs a review by Aisha or Tom."},
		{"2025-10-01", "Deploys only on Tuesdays and Thursdays from now on."},
		{"2025-10-15", "The release 4.0 deadline is 12 December 2026."},
	}, map[string]string{
		"Where does checkout run?":              "We migrated from Heroku to Fly.io last weekend.",
		"Which Node version does checkout use?": "Upgraded checkout to Node 22.",
		"What database do we use for orders?":   "Moved the orders table over to Postgres 16.",
		"What did we use for orders before?":    "We use MySQL 5.7 for orders.",
		"Who is the product owner of checkout?": "Priya left; Marek took over as product owner of checkout.",
		"Who was the product owner before?":     "Priya is the product owner of checkout.",
		"When do we deploy?":                    "Deploys only on Tuesdays and Thursdays from now on.",
		"What's the local port of the API?":     "The API listens on port 8080 locally and on 443 in production.",
		"Did we choose GraphQL?":                "We decided against GraphQL; REST stays.",
		"What is the rate limit?":               "Raised the rate limit to 250 requests per minute after the Black Friday test.",
		"What was the rate limit before?":       "The rate limit is 100 requests per minute per key.",
		"Who is on call in odd weeks?":          "Tom is on call in even weeks, Aisha in odd weeks.",
		"Can I push to main?":                   "Never push to main directly; every change needs a review by Aisha or Tom.",
		"How was the flaky cart test fixed?":    "Flaky test in cart.spec.ts: fixed by pinning the clock.",
		"When is release 4.0 due?":              "The release 4.0 deadline is 12 December 2026.",
	}},
}

// turn sets the clock.
func (b *bank) turn(now time.Time) { b.now.Add(int64(now.Sub(b.clock()))) }

// TestLives asks banks that have grown over years how things are and were.
func TestLives(t *testing.T) {
	ann := memory.Scope{Agent: "ann"}
	for _, life := range lives {
		b := newBank(t, builtin())
		s := b.service(b.Store)
		for _, one := range life.facts {
			day, err := time.Parse(time.DateOnly, one.day)
			if err != nil {
				t.Fatal(err)
			}
			b.turn(day.Add(12 * time.Hour))
			b.tell(t, ann, one.text)
		}
		b.turn(time.Date(2026, 2, 1, 12, 0, 0, 0, time.UTC))
		for question, want := range life.asked {
			if got := first(t, s, ann, question); got != want {
				t.Errorf("%s: %s: %q, want %q", life.name, question, got, want)
			}
		}
	}
}
