package bert

import (
	"context"
	"math"

	"mcp-memory/embed/encoder"
)

// None of the statements answers one of the questions.
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

// mostUnrelated is the greatest cosine that is believed for texts that have nothing in common.
const mostUnrelated = 0.9

// unrelated returns the mean cosine of texts that have nothing in common, to two decimals. Models
// differ much in it: with some no two texts have a cosine below 0.7. It is 0 for a model that knows
// no English.
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
