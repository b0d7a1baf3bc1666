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
	"a relation and a name are one": {
		{"My sister Jana lives in Dresden./Jana has moved to Kiel.", "Where does my sister live?", "Jana has moved"},
		{"My brother Piet works at Vestas./Piet joined Siemens in May.", "Where does my brother work?", "Piet joined"},
		{"Our CTO Ines works at the Ghent office./Ines moved to Antwerp.", "Where does our CTO live?", "Ines moved"},
		{"Ines is our CTO./Ines lives in Ghent./Ines moved to Antwerp.", "Where does our CTO live?", "Ines moved"},
		{"My neighbour is called Rolf./Rolf lives in flat 3./Rolf drives a Volvo.", "What does my neighbour drive?", "Rolf drives"},
		{"My cousin Tuva studies law./Tuva switched to medicine.", "What does my cousin study?", "Tuva switched"},
		{"The billing service (Ledger) listens on port 8080./Ledger listens on port 9090 now.", "Which port does the billing service use?", "Ledger listens on port 9090"},
		{"Ledger is our billing service./Ledger is owned by Priya./Sieve is owned by Tom.", "Who owns the billing service?", "Ledger is owned"},
		{"Our search service is called Beacon./Beacon runs on port 7070./Lantern runs on port 6060.", "Which port does the search service use?", "Beacon runs"},
		{"My daughter Freja goes to Skovly School./Freja changed to Lyngby School.", "Which school does my daughter attend?", "Freja changed"},
		{"My son Emil is 7./Emil is 8 now.", "How old is my son?", "Emil is 8"},
		{"Marta is my piano teacher./Marta's phone number is 555 1234./Olga's phone number is 555 9999.", "What is my piano teacher's phone number?", "Marta's phone"},
		{"My boss Lone lives in Vejle./My boss moved to Horsens.", "Where does Lone live?", "My boss moved"},
		{"My friend Ada lives in Lund./My friend Bo lives in Ystad.", "Where does Ada live?", "My friend Ada"},
		{"My aunt Rosa lives in Cadiz./My aunt Pilar lives in Vigo.", "Where does my aunt Rosa live?", "My aunt Rosa"},
	},
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
	"a change that names no attribute": {
		{"I use Docker./I switched to Podman.", "Which container engine do I use?", "I switched to Podman"},
		{"Ines uses a Canon./Ines switched to Nikon.", "Which camera does Ines use?", "Ines switched"},
		{"Ines uses a Canon./Ines switched to Zeiss.", "What does Ines use?", "Ines switched"},
		{"We deploy with Jenkins./We moved over to GitHub Actions.", "What do we deploy with?", "We moved over"},
		{"We deploy with Jenkins./We are on GitHub Actions now.", "What do we deploy with?", "We are on"},
		{"I take notes in Evernote./I've switched to Obsidian.", "Where do I take my notes?", "I've switched"},
		{"We use Kraal./We went over to Paddock.", "What do we use for infrastructure?", "We went over"},
		{"Our newsletter goes out with Mailchimp./The newsletter moved to Buttondown.", "What do we send our newsletter with?", "The newsletter moved"},
		{"Bo plays the cello./Bo changed to the viola.", "What instrument does Bo play?", "Bo changed"},
		{"Mum shops at Rewe./Mum switched to Edeka.", "Where does mum shop?", "Mum switched"},
		{"I subscribe to Spotify./I replaced Spotify by Tidal.", "Which music service do I have?", "I replaced"},
		{"We host the docs on Netlify./The docs are on Cloudflare now.", "Where are the docs hosted?", "The docs are on"},
		{"My gym is FitForge./I switched to Stone & Rope.", "Which gym do I go to?", "I switched"},
		{"We bill with Stripe./Stripe was replaced by Adyen.", "What do we bill with?", "Stripe was replaced"},
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
