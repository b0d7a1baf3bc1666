package recall_test

import (
	"testing"
	"time"

	"mcp-memory/memory"
)

// standings are small banks, what is said a minute apart, and questions that are asked
// so many days later, with what has to come first.
var standings = []struct {
	said  []string
	asked map[string]string
	days  int
}{
	{said: []string{"I live in Oslo.", "From May 2027 I live in Bergen."}, asked: map[string]string{
		"Where do I live?": "I live in Oslo.", "Where will I live next year?": "From May 2027 I live in Bergen.",
	}},
	{days: 500, said: []string{"I live in Oslo.", "From May 2027 I live in Bergen."}, asked: map[string]string{
		"Where do I live?": "From May 2027 I live in Bergen.",
	}},
	{said: []string{"From May I work at Nordwind.", "I work at Skovby."}, asked: map[string]string{
		"Where do I work?": "I work at Skovby.", "Where am I going to work?": "From May I work at Nordwind.",
	}},
	{said: []string{"My manager is Lone Friis.", "Ines Faro will be my manager from June."}, asked: map[string]string{
		"Who is my manager?": "My manager is Lone Friis.",
	}},
	{days: 120, said: []string{"My manager is Lone Friis.", "Ines Faro will be my manager from June."}, asked: map[string]string{
		"Who is my manager?": "Ines Faro will be my manager from June.",
	}},
	{said: []string{"I drive a Skoda Octavia.", "I'm going to buy a Kia Niro next year."}, asked: map[string]string{
		"What car do I drive?": "I drive a Skoda Octavia.",
	}},
	{said: []string{"I live in Gdańsk.", "I'd love to live in Kyoto.", "I'm thinking about moving to Lisbon."}, asked: map[string]string{
		"Where do I live?": "I live in Gdańsk.", "Where would I love to live?": "I'd love to live in Kyoto.",
	}},
	{said: []string{"I use Helix as my editor.", "I might switch to Zed as my editor.", "I'm tempted to try Emacs as my editor."}, asked: map[string]string{
		"Which editor do I use?": "I use Helix as my editor.",
	}},
	{said: []string{"I am vegetarian.", "I want to go vegan."}, asked: map[string]string{
		"What is my diet?": "I am vegetarian.",
	}},
	{said: []string{"My phone is a Pixel 6.", "I wish my phone was a Fairphone 5."}, asked: map[string]string{
		"Which phone do I have?": "My phone is a Pixel 6.",
	}},
	{said: []string{"I work at Skovby.", "If I worked at Airbus, I would live in Toulouse.", "My dream is to work at Airbus."}, asked: map[string]string{
		"Where do I work?": "I work at Skovby.",
	}},
	{said: []string{"I lived in Kraków until 2015.", "I live in Trieste."}, asked: map[string]string{
		"Where do I live?": "I live in Trieste.", "Where did I live before?": "I lived in Kraków until 2015.", "Where did I use to live?": "I lived in Kraków until 2015.",
	}},
	{said: []string{"I moved to Trieste in 2019.", "I moved to Kraków in 2010."}, asked: map[string]string{
		"Where do I live?": "I moved to Trieste in 2019.", "Where did I live before?": "I moved to Kraków in 2010.",
	}},
	{said: []string{"I've worked at Skovby since 2020.", "I worked at Baltic Freight from 2010 to 2015."}, asked: map[string]string{
		"Where do I work?": "I've worked at Skovby since 2020.", "Where did I work before?": "I worked at Baltic Freight from 2010 to 2015.",
	}},
	{said: []string{"I live in Trieste.", "I'm staying in Lisbon until Friday."}, asked: map[string]string{
		"Where do I live?": "I live in Trieste.",
	}},
	{said: []string{"My editor is Helix.", "At work I use Zed as my editor."}, asked: map[string]string{
		"What is my editor?": "My editor is Helix.",
	}},
	{said: []string{"I live in Trieste.", "I used to live in Kraków."}, asked: map[string]string{
		"Where do I live?": "I live in Trieste.", "Where did I live previously?": "I used to live in Kraków.",
	}},
	{said: []string{"I work at Skovby.", "Back when I worked at Baltic Freight we had no coffee."}, asked: map[string]string{
		"Where do I work?": "I work at Skovby.",
	}},
	{said: []string{"My dentist is Dr. Amadi.", "Formerly my dentist was Dr. Quist."}, asked: map[string]string{
		"Who is my dentist?": "My dentist is Dr. Amadi.", "Who was my dentist before?": "Formerly my dentist was Dr. Quist.",
	}},
	{said: []string{"I am married to Ana.", "I was formerly married to Tomasz."}, asked: map[string]string{
		"Who am I married to?": "I am married to Ana.", "Who was I married to before?": "I was formerly married to Tomasz.",
	}},
	{said: []string{"I live in Trieste.", "I did not move to Porto."}, asked: map[string]string{
		"Where do I live?": "I live in Trieste.",
	}},
	{said: []string{"I use fish as my shell.", "I haven't switched to zsh."}, asked: map[string]string{
		"Which shell do I use?": "I use fish as my shell.",
	}},
	{said: []string{"I live in Trieste.", "Do I live in Porto now?"}, asked: map[string]string{
		"Where do I live?": "I live in Trieste.",
	}},
	{said: []string{"I live in Trieste.", "My boss told me: I live in Berlin."}, asked: map[string]string{
		"Where do I live?": "I live in Trieste.",
	}},
	{said: []string{"I live in Trieste.", "Ruben says he moved to Porto.", "I nearly moved to Porto last spring."}, asked: map[string]string{
		"Where do I live?": "I live in Trieste.",
	}},
	{said: []string{"I work at Skovby.", "I almost quit Skovby in March.", "I was going to work at Airbus."}, asked: map[string]string{
		"Where do I work?": "I work at Skovby.",
	}},
	{said: []string{"Our database is Postgres 15.", "We were going to switch the database to MySQL 9."}, asked: map[string]string{
		"Which database do we use?": "Our database is Postgres 15.",
	}},
	{said: []string{"Our database is Postgres 15.", "From 1 July our database is MariaDB 11."}, asked: map[string]string{
		"Which database do we use?": "Our database is Postgres 15.",
	}},
	{said: []string{"Ich wohne in Köln.", "Ich arbeite bei Siemens.", "Ich bin nach Bremen gezogen.", "Ich arbeite jetzt bei Bosch."}, asked: map[string]string{
		"Wo wohne ich?": "Ich bin nach Bremen gezogen.", "Wo arbeite ich?": "Ich arbeite jetzt bei Bosch.", "Where do I live?": "Ich bin nach Bremen gezogen.",
	}},
	{said: []string{"J'habite à Lyon.", "Ma sœur habite à Lille.", "J'ai déménagé à Nantes."}, asked: map[string]string{
		"Où est-ce que j'habite ?": "J'ai déménagé à Nantes.", "Where do I live?": "J'ai déménagé à Nantes.",
	}},
	{said: []string{"I play the cello.", "I would like to learn the harp."}, asked: map[string]string{
		"What instrument do I play?": "I play the cello.", "Which instrument would I like to learn?": "I would like to learn the harp.",
	}},
}

// TestWhatIsSoComesFirst: asked how it is, what is so comes before what was, will be,
// is wished or nearly was; asked for those, they come first.
func TestWhatIsSoComesFirst(t *testing.T) {
	ann := memory.Scope{Agent: "ann"}
	for _, c := range standings {
		b := newBank(t, builtin())
		s := b.service(b.Store)
		b.tell(t, ann, c.said...)
		b.pass(time.Minute + time.Duration(c.days)*24*time.Hour)
		for question, want := range c.asked {
			if got := first(t, s, ann, question); got != want {
				t.Errorf("%s: %q, want %q", question, got, want)
			}
		}
	}
}
