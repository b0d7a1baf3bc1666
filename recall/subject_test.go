package recall_test

import (
	"fmt"
	"strings"
	"testing"

	"mcp-memory/memory"
)

// aside is what a bank knows besides what is asked for.
var aside = []string{
	"The lawn mower is in the shed.", "Our summer party is in July.", "I am allergic to walnuts.", "The printer needs blue ink.", "Ole Dahl paints boats.",
}

// answered are facts in order of time, a question, and which of them answers it.
var answered = map[string][]struct {
	facts    string // one a "/"
	question string
	want     string // beginning of the answer
}{
	"another scope is another fact": {
		{"The timeout in the EU region is 30 s./The timeout in the US region is 45 s.", "What is the timeout in the EU region?", "The timeout in the EU"},
		{"In production the log level is warn./In staging the log level is debug.", "What is the log level in production?", "In production"},
		{"The dark mode flag is on in staging./The dark mode flag is off in production.", "Is the dark mode flag on in staging?", "The dark mode flag is on"},
		{"My phone is a Pixel 8./My work phone is an iPhone 14.", "What phone do I have?", "My phone"},
		{"My work phone is an iPhone 14./My phone is a Pixel 8.", "What is my work phone?", "My work phone"},
		{"The backup on host A runs at 02:00./The backup on host B runs at 03:00.", "When does the backup on host A run?", "The backup on host A"},
		{"I get up at 6:30 on weekdays./I get up at 9:00 on weekends.", "When do I get up on weekdays?", "I get up at 6:30"},
		{"I get up at 6:30 on weekdays./I get up at 9:00 on weekends.", "When do I get up on weekends?", "I get up at 9:00"},
		{"The rate limit for tenant Acme is 100 requests./The rate limit for tenant Borg is 500 requests.", "What is the rate limit for tenant Acme?", "The rate limit for tenant Acme"},
		{"On staging we use Postgres 15./In production we use Postgres 13.", "Which database do we use on staging?", "On staging"},
		{"Tickets cost 12 euros for adults./Tickets cost 7 euros for children.", "How much do tickets cost for adults?", "Tickets cost 12"},
		{"Parking costs 2 euros in winter./Parking costs 5 euros in summer.", "How much does parking cost in winter?", "Parking costs 2"},
		{"We deploy with Jenkins in production./We deploy with Argo in staging.", "What do we deploy with in production?", "We deploy with Jenkins"},
		{"Shipping takes 2 days in Germany./Shipping takes 6 days in Spain.", "How long does shipping take in Germany?", "Shipping takes 2"},
		{"The pool opens at 7 on weekdays./The pool opens at 10 on weekends.", "When does the pool open on weekdays?", "The pool opens at 7"},
		{"My office email is ida@firm.example./My email is ida@home.example.", "What is my office email?", "My office email"},
		{"The default branch of repo Kestrel is main./The default branch of repo Osprey is trunk.", "What is the default branch of Kestrel?", "The default branch of repo Kestrel"},
		{"I take 5 mg in the morning./I take 10 mg in the evening.", "How many mg do I take in the morning?", "I take 5"},
	},
	"what the question names decides": {
		{"The code of the front door is 1234./The code of the office is 9911.", "What is the code of the front door?", "The code of the front door"},
		{"The garage code is 4711./The cellar code is 9911.", "What's the code for the garage?", "The garage code"},
		{"The frontend runs on port 3000./The backend runs on port 8000.", "Which port does the frontend use?", "The frontend"},
		{"Ben's birthday is 3 May./Lea's birthday is 12 June.", "When is Ben's birthday?", "Ben's"},
		{"My car is a Skoda./My wife's car is a Kia.", "What car do I have?", "My car"},
		{"I drive a Skoda./My wife drives a Kia.", "What do I drive?", "I drive"},
		{"Standup is at 9:15./The retro is at 14:00.", "When is standup?", "Standup"},
		{"The orders API is owned by Priya./The mail worker is owned by Tom.", "Who owns the orders API?", "The orders API"},
		{"The wifi password is heron-42./The NAS password is otter-77.", "What is the wifi password?", "The wifi"},
		{"Grandma's room is 12./Grandpa's room is 31.", "Which room is grandma in?", "Grandma's"},
		{"The orders database is Postgres./The analytics database is ClickHouse.", "Which database do orders use?", "The orders database"},
		{"Nils is allergic to cats./Vera is allergic to pollen.", "What is Nils allergic to?", "Nils"},
		{"The kitchen contractor is Holm & Co./The roof contractor is Dachwerk.", "Who is the contractor for the kitchen?", "The kitchen contractor"},
	},
}

// TestSubjects: the version that is asked for comes first, of whom and of what the
// question names, whatever was said later of others.
func TestSubjects(t *testing.T) {
	b := newBank(t, builtin())
	s := b.service(b.Store)
	for kind, rows := range answered {
		for i, c := range rows {
			scope := memory.Scope{Agent: fmt.Sprintf("%s-%d", strings.ReplaceAll(kind, " ", "-"), i)}
			b.tell(t, scope, aside...)
			b.tell(t, scope, strings.Split(c.facts, "/")...)
			if got := first(t, s, scope, c.question); !strings.HasPrefix(got, c.want) {
				t.Errorf("%s: %s %q, want %q", kind, c.question, got, c.want)
			}
		}
	}
}
