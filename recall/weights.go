package recall

import (
	"mcp-memory/recall/index"
)

// Weights say how the measures of a document make its score:
//
//	score = (sum of weight * measure) / scale * product of (1 + weight * mark)
//
// They were fitted on conversations with known answers (docs/evaluation.md
// tells how well they hold on others) and differ by the kind of text only:
// among people the answer often follows the question and shares its session's
// subject, while in a log with an assistant what the user said counts and
// neighbours mislead.
type Weights struct {
	Lexical, Coverage, Soft, Bigrams, Vector      float64
	Before, After, Around, Answers, Session, Best float64

	// Marks: what multiplies the sum.
	User   float64 // said by the user
	Short  float64 // nearly no content words
	Others float64 // said by somebody while the question names another

	Scale float64 // the sum for a document that could not fit better
}

// The weights in use, by kind of text.
var (
	recordWeights = Weights{
		Lexical: 0.45, Soft: 0.85, Bigrams: 0.20, Vector: 0.25,
		Before: 0.30, After: 0.10, Around: 0.10, Best: 0.60,
		Short: -0.40, Scale: 2.5,
	}
	dialogueWeights = Weights{
		Lexical: 0.30, Coverage: 0.40, Soft: 0.20, Bigrams: 0.15, Vector: 0.30,
		Before: 0.05, After: 0.05, Around: 0.35, Answers: 0.20, Session: 0.05, Best: 0.35,
		Short: -0.40, Others: -0.35, Scale: 2,
	}
	assistedWeights = Weights{
		Lexical: 0.20, Coverage: 0.10, Soft: 0.10, Bigrams: 0.80, Vector: 1.00,
		After: 0.20, Session: 0.30, Best: 0.10,
		User: 0.50, Short: 0.20, Scale: 2.5,
	}
)

// weightsOf chooses by what the document is part of.
func weightsOf(h index.Hit, turn bool) Weights {
	switch {
	case !turn:
		return recordWeights
	case h.Assisted:
		return assistedWeights
	}
	return dialogueWeights
}
