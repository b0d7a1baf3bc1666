package recall_test

import (
	"testing"

	"mcp-memory/memory"
	"mcp-memory/recall"
)

// answerTo asks leniently, with signs.
func answerTo(t *testing.T, s *recall.Service, question string) recall.Answer {
	t.Helper()
	a, err := s.Recall(t.Context(), recall.Request{Query: question, Scope: memory.Scope{Agent: "ann"}, MinScore: recall.Floor, Lenient: true, Explain: true})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// What is asked for and is not there lowers confidence and the score, and hides nothing.
func TestSignsOfNoAnswer(t *testing.T) {
	_, s := of(t, nil, "The kiln of the guild is red.", "Irma fires the kiln of the guild.", "Jars are on the shelf.", "The cat sleeps.")
	there, missing := answerTo(t, s, "Who fires the kiln of the guild?"), answerTo(t, s, "How many bricks does the kiln of the guild have?")
	if !there.Confidence.Sure() || missing.Confidence.Sure() {
		t.Errorf("there %s %+v, missing %s %+v", there.Confidence, there.Signs, missing.Confidence, missing.Signs)
	}
	if there.Signs.Unmet != 0 || missing.Signs.Unmet != 1 || missing.Signs.Strange <= there.Signs.Strange {
		t.Errorf("there %+v, missing %+v", there.Signs, missing.Signs)
	}
	if len(missing.Results) != 4 || missing.Results[0].Score >= there.Results[0].Score || missing.Results[0].Why.Part("doubt") >= 0 {
		t.Errorf("%d results, the first with %.2f", len(missing.Results), missing.Results[0].Score)
	}
	if who := answerTo(t, s, "Who am I?"); who.Signs != nil {
		t.Errorf("signs of a broad question: %+v", who.Signs)
	}
}
