package bert

import (
	"context"
	"math"

	"mcp-memory/embed/encoder"
)

// Nobody would say that one of the statements answers one of the questions.
var (
	statements = []string{
		"The meeting was moved to Thursday morning.",
		"My sister plays the violin in an orchestra.", "The server runs out of memory at night.",
		"We planted tomatoes behind the shed.", "His passport expires in October.",
		"She is allergic to peanuts.", "The rent goes up next year.",
	}
	questions = []string{
		"Which language is the compiler written in?", "Who won the chess tournament?",
		"How do I clean the printer?", "Where did grandfather learn to swim?",
	}
)

// mostUnrelated is the greatest likeness that is believed of texts which have nothing
// in common.
const mostUnrelated = 0.9

// unrelated is the mean cosine of texts that have nothing in common, to two digits.
// Models differ much in that: to some nothing is less than 0.7 like anything else. It is
// 0 of a model that knows no English.
func (m *Model) unrelated(ctx context.Context) (float64, error) {
	documents, err := m.EmbedDocuments(ctx, statements)
	if err != nil {
		return 0, err
	}
	sum, pairs := 0.0, 0
	for _, question := range questions {
		vector, err := m.EmbedQuery(ctx, question)
		if err != nil {
			return 0, err
		}
		for _, d := range documents {
			if encoder.Dot(vector, vector) > 0 && encoder.Dot(d, d) > 0 {
				sum += float64(encoder.Dot(vector, d))
				pairs++
			}
		}
	}
	mean := sum / max(1, float64(pairs))
	return max(0, min(mostUnrelated, math.Round(100*mean)/100)), nil
}
