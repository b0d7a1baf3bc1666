package recall

import "testing"

func TestAsksForUser(t *testing.T) {
	for question, want := range map[string]bool{
		"Who am I?": true, "Tell me who I am.": true, "Was weißt du über mich?": true,
		"Qui suis-je ?": true, "¿Qué sabes de mí?": true, "¿Quién soy?": true,
		"Remind me who I am.": true, "How would you introduce me?": true,
		"Give me a summary of myself.": true, "What do you have on file about me?": true, "What's my story?": true,
		"Who is Irma?": false, "What do you know about Irma?": false, "Was weißt du über Irma?": false, "": false,
	} {
		if got := asksAs(question, "asked"); got != want {
			t.Errorf("%q: %v", question, got)
		}
	}
}

func TestIntroduces(t *testing.T) {
	for text, want := range map[string]float64{
		"I'm a glazier, three kilns.": beingShare, "Ich heiße Oda.": beingShare, "Me llamo Inés y vivo en Lugano.": beingShare,
		"I carve spoons for a living.": workingShare, "I live in Lugano.": doingShare,
		"Dr. Oda retired.": 0, "Organist at Holy Cross, one service.": doingShare, "J'habite à Lugano.": doingShare,
		"Freelance glazier, mostly windows.": doingShare, "I work at night.": 0, "I work at Glas Oda.": workingShare,
		"Owner of the kiln is Oda.": 0, "The kiln has two doors.": 0, "Irma was here.": 0,
		"People call me Bea.": beingShare, "Single dad of two.": beingShare, "Plumber by trade.": workingShare,
		"I run the depot.": workingShare, "Married to Declan.": doingShare, "I used to be a nun.": 0,
		"User is Oda, a glazier.": beingShare, "The user is learning Welsh.": 0,
	} {
		if got := introduces(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func TestUnderstandsWhoIsAsked(t *testing.T) {
	q, err := ferries().service().understand(t.Context(), Request{Query: "¿Qué sabes de mí?"})
	if err != nil || !q.broad() || q.asks.Subject != "user" {
		t.Errorf("%+v, %v", q.asks, err)
	}
}

// Who the user is comes before what he has, and that before others.
func TestOfUser(t *testing.T) {
	for question, order := range map[string][]string{
		"Who am I?": {"I am an organist, one service.", "I teach the lute.", "I was promoted to head nurse.", "I like liquorice.",
			"Bettina bought a kiln."},
		"¿Qué sabes de mí?": {"Me llamo Inés y vivo en Lugano.", "I have two cats.", "El horno de Bettina está roto."},
	} {
		var list []*candidate
		for i, content := range order {
			list = append(list, scored(content, content, 0, len(order)-i)) // the best is the newest
		}
		q := about(question)
		q.asks.Broad, q.asks.Subject, q.asks.Attribute = true, "user", ""
		for i, id := range ids(q.byBreadth(list)) {
			if id != order[i] {
				t.Errorf("%s: %q at place %d", question, id, i)
			}
		}
	}
	first, second := scored("a", "I have a kiln.", 0, 0), scored("b", "I have a wheel.", 0, 9)
	if got := about("Who am I?").byBreadth([]*candidate{second, first}); got[0] != first {
		t.Errorf("%q first", got[0].ID)
	}
}
