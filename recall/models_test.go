package recall

import (
	"math"
	"slices"
	"strings"
	"testing"

	"mcp-memory/embed/encoder/minilm"
	"mcp-memory/memory"
	"mcp-memory/recall/index"
	"mcp-memory/text/semantics"
)

// The files have a weight for names that there are, and of features only those with the
// sign that they may have.
func TestModels(t *testing.T) {
	for file, c := range map[string]struct {
		text    string
		names   []string
		columns int
	}{
		"relevance": {relevanceFile, relevanceNames(), 2},
		"pairs":     {pairsFile, PairSigns(), 4}, "certainty": {certaintyFile, CertaintySigns(), 2},
	} {
		for line := range strings.Lines(c.text) {
			f := strings.Fields(line)
			if len(f) == 0 || f[0] == "#" {
				continue
			}
			if len(f) != 1+c.columns || f[0] != "bias" && !slices.Contains(c.names, f[0]) {
				t.Errorf("%s: %q", file, line)
			}
		}
		for column := 1; column <= c.columns; column++ {
			for i, x := range readModel(c.text, column, c.names).weights {
				if file == "relevance" && x*float64(relevanceFeatures[i].Sign) < 0 {
					t.Errorf("%s counts %.2f", c.names[i], x)
				}
			}
		}
	}
	for side, d := range readDirections("# a file\n2 0.5 -1\n") {
		if d[2] != []float32{0.5, -1}[side] || d[1] != 0 {
			t.Errorf("%d: %v", side, d[:3])
		}
	}
	if m := readModel("# a file\nbias 1\nb -2 3\n", 1, []string{"a", "b"}); m.bias != 1 || !slices.Equal(m.weights, []float64{0, -2}) ||
		m.sum([]float64{5, 1}) != -1 {
		t.Errorf("%+v", m)
	}
}

// What says that something has changed lies further in the direction of that than what does not.
func TestSentencesOfChanges(t *testing.T) {
	encoder := minilm.New()
	if encoder.Fingerprint().Dimensions != EncoderDimensions {
		t.Fatal("the direction is not one of the encoder's")
	}
	for change, plain := range map[string]string{
		"The landlord put me on the second floor instead.":  "I live on the third floor.",
		"After the outage the timeout went to ninety.":      "The timeout is thirty seconds.",
		"Paloma handed the choir over to Ingvar.":           "Paloma leads the choir.",
		"Quit the bakery, I drive a tram these days.":       "I work in a bakery.",
		"Finally got rid of the landline, mobile only.":     "My landline number ends in 44.",
		"We have since dropped the monthly plan for yearly": "We pay by the month.",
	} {
		vectors, err := encoder.EmbedDocuments(t.Context(), []string{change, plain})
		if err != nil {
			t.Fatal(err)
		}
		ix := index.New(semantics.Builtin(), nil)
		ix.Add([]index.Document{{Seq: 1, Text: change, Encoded: vectors[0]}, {Seq: 2, Text: plain, Encoded: vectors[1]}})
		if along := ix.EncodedAlong(fitted().sentences[1], []int64{1, 2}); along[0] < along[1]+0.1 {
			t.Errorf("%q %.2f, %q %.2f", change, along[0], plain, along[1])
		}
	}
}

// Whatever is asked, no feature and no sign is something else than a number of about 1.
func TestMeasuresAreNumbers(t *testing.T) {
	s := ferries().service()
	for _, question := range []string{"Who am I living with?", "ferry", "What was it before the ferry of 2019?", "¿Dónde está?", "フェリー",
		"gw-11 0047 PAY-318?", "the latest ferry", strings.Repeat("ferry ", 400)} {
		check := func(kind string, names []string, values []float64) {
			for i, x := range values {
				if math.IsNaN(x) || math.Abs(x) > 2 {
					t.Errorf("%s: %s %s is %v", question, kind, names[i], x)
				}
			}
		}
		trace := &Trace{
			Relevance: func(list []Measured) {
				for _, m := range list {
					check("feature", relevanceNames(), m.Features)
				}
			},
			Pairs: func(list []Pair) {
				for _, p := range list {
					check("pair", PairSigns(), p.Signs)
				}
			},
			Certainty: func(signs []float64) { check("certainty", CertaintySigns(), signs) },
		}
		if _, err := s.Recall(t.Context(), Request{Query: question, Lenient: true, Trace: trace}); err != nil {
			t.Error(err)
		}
	}
}

func TestConfidence(t *testing.T) {
	q := about("Which firm cleans the office?")
	q.stems = []string{"firm", "clean", "offic"}
	if got := q.confidence(nil); got != None {
		t.Errorf("nothing: %s", got)
	}
	word := scored("w", "anything", 0.1, 0)
	word.verbatim = 1
	if got := q.confidence([]*candidate{word}); got != High {
		t.Errorf("word for word: %s", got)
	}
	for chance, want := range map[float64]Confidence{0.99: High, 0.8: Medium, 0.5: Low, 0.05: None} {
		if got := levelOf(chance, mediumFrom); got != want {
			t.Errorf("%v: %s", chance, got)
		}
	}
	q.broadly = true
	if one, three := q.confidence([]*candidate{word}), q.confidence([]*candidate{word, word, word}); one != Medium || three != High {
		t.Errorf("broad: %s and %s", one, three)
	}
}

// What somebody has undone is no succession: of two that say the same the older comes
// first, and two things that were never versions of each other stay apart.
func TestKeptApart(t *testing.T) {
	for newer, want := range map[string]bool{"I have moved to Graz.": true, "The windscreen of the Volvo cracked in the hail.": false} {
		q := about("Where do I live?")
		a, b := scored("a", "I live in Oslo.", 1, 0), scored("b", newer, 2, 1)
		q.apart = memory.Apart{}
		q.apart.Add("a", "b")
		pool := []*candidate{b, a}
		q.link(&pairs{q: q, pool: pool, leaders: leadersOfFew, relation: q.relate(pool, leadersOfFew)}, new(models))
		if a.kept != want || len(a.versions) > 0 != want {
			t.Errorf("%s: kept %t, versions %d", newer, a.kept, len(a.versions))
		}
	}
}

// What the weights of certainty are fitted to is what the chance is made of.
func TestTracedCertainty(t *testing.T) {
	q := about("Which firm cleans the office?")
	var kept []float64
	q.Trace = &Trace{Certainty: func(signs []float64) { kept = signs }}
	first, second := scored("a", "Blankwerk cleans the office.", 3, 0), scored("b", "The office is in Graz.", 2, 1)
	for _, c := range []*candidate{first, second} {
		c.Coverage = 1
		c.evidence = &evidence{candidate: c, pool: &poolMeasures{q: q}}
	}
	s := &Service{models: fitted()}
	for _, unread := range []bool{false, true} {
		first.relevance, second.relevance = 3, 2
		first.evidence.pool.unread = unread
		first.evidence.pool.ofSomebody = unread
		s.judge(q, []*candidate{first, second})
		if got := kept[slices.Index(CertaintySigns(), "of_somebody")]; got != one(unread) {
			t.Errorf("of somebody %t: %v", unread, got)
		}
		if got := s.models.certainty.of(unread).chance(kept); math.Abs(got-q.chance) > 1e-12 || kept[0] > 0.99 {
			t.Errorf("without sentences %t: %v of the signs %v, and %v was used", unread, got, kept, q.chance)
		}
	}
	if s.models.certainty[0].bias == s.models.certainty[1].bias || s.models.relevance[0].weights[0] == s.models.relevance[1].weights[0] {
		t.Error("words alone are weighed as sentences are")
	}
}

// Of what is below the floor the nearest are shown where one of the best has to do with the question,
// and in a small bank; nothing else of it.
func TestCut(t *testing.T) {
	for _, c := range []struct {
		lenient, related, small bool
		want                    int
	}{{true, true, false, leastShown}, {true, false, true, leastShown}, {true, false, false, 0}, {false, true, true, 0}} {
		q := about("Which firm cleans the office?")
		q.Lenient, q.related, q.MinScore = c.lenient, c.related, Floor
		var list []*candidate
		for range 2 * leastShown {
			one := scored("a", "Blankwerk cleans the office.", -3, 0)
			one.fitted, one.score = true, Floor/2
			list = append(list, one)
		}
		if got := q.cut(list, c.small); len(got) != c.want {
			t.Errorf("%+v: %d are shown", c, len(got))
		}
	}
	// What stands there for another reason stays, unless more than the floor is wanted.
	for least, want := range map[float64]int{Floor: 1, 1.01 * Floor: 0} {
		one := scored("a", "Blankwerk cleans the office.", -3, 0)
		one.pulled, one.score = true, Floor/2
		if got := (question{Request: Request{MinScore: least}}).cut([]*candidate{one}, false); len(got) != want {
			t.Errorf("with %v wanted %d are shown", least, len(got))
		}
	}
}
