package recall

import (
	"regexp"

	"mcp-memory/memory"
)

// Weights say how the measures of a document make its score:
//
//	relevance = (sum of weight * measure) / scale * product of (1 + weight * mark)
//
// They were fitted on conversations with known answers (docs/evaluation.md
// tells how well they hold on others) and differ by the kind of text only:
// among people the answer often follows the question and shares its session's
// subject, while in a log with an assistant what the user said counts and
// neighbours mislead.
type Weights struct {
	Lexical, Coverage, Soft, Bigrams, Vector       float64
	Encoder, Synonyms                              float64
	Before, After, Around, Answers, Session, Theme float64
	Best, Next                                     float64
	Time                                           float64

	// Weights of marks, which multiply the sum by 1 + weight * mark.
	User   float64 // said by the user
	Short  float64 // nearly no content words
	Asking float64 // nothing but questions
	Named  float64 // said by somebody whom the question names
	Others float64 // said by somebody while the question names another
	Dated  float64 // mentions a time, where the question asks for one

	// Where words found little and the table knows the question's words, the vector
	// counts more and the words less. With missing = 1 - the best coverage of any
	// document, known = the share of the question's stems that the table has, and
	// trusted = how far the encoder is trusted, each 0 to 1, the weights are multiplied:
	// that of the vector by 1 + Meaning * (1 - trusted/3) * known^2 * missing^3, that of
	// the encoder by trusted * (1 + Sentence * missing), that of the synonyms by missing,
	// and those of the words (lexical, soft, best) by 1 - Yield * known^2 * missing.
	// Identifiers, names, typing errors and other languages, which no table knows, so
	// keep to the words.
	Meaning, Sentence, Yield float64

	Scale float64 // the sum that makes a score of one half
}

// The weights in use, by kind of text.
var (
	recordWeights = Weights{
		Lexical: 0.25, Coverage: 0.05, Soft: 0.55, Bigrams: 0.10, Vector: 0.30, Encoder: 0.35, Synonyms: 1.6,
		Before: 0.15, After: 0.20, Around: 0.20, Session: 0.05, Best: 0.35, Time: 0.40,
		Short: -0.70, Meaning: 6, Sentence: 9, Yield: 0.85, Scale: 0.7,
	}
	dialogueWeights = Weights{
		Lexical: 0.30, Coverage: 0.10, Soft: 0.45, Bigrams: 0.20, Vector: 0.40,
		Before: 0.05, After: 0.25, Around: 0.20, Answers: 0.40, Session: 0.10, Theme: 0.40, Best: 0.25, Next: 0.10, Time: 0.40,
		Short: -0.80, Asking: -0.35, Named: 0.35, Others: -0.15, Dated: 0.30, Scale: 1,
	}
	assistedWeights = Weights{
		Lexical: 0.15, Coverage: 0.05, Soft: 0.30, Bigrams: 1.20, Vector: 0.75, Encoder: 1.20,
		After: 0.60, Around: 0.10, Session: 0.20, Time: 0.40,
		User: 0.40, Short: 1.00, Scale: 1.2,
	}
)

// passageWeights are recordWeights with less of Meaning: the vector of a whole passage of a file is a
// little near to everything, so alone it says less.
var passageWeights = func() Weights {
	w := recordWeights
	w.Meaning = 2
	return w
}()

// Names of signals, for an ablation, that are no measure of a document.
const (
	tiers    = "tiers"   // the tiers that categories give: without them search is flat
	unframes = "framing" // leaving the framing out of a question; see unframed
	width    = "width"   // room for sessions beyond those of the first results; see widen
)

// signals sets the weights of a group to 0 that an ablation leaves out; see [Options.Without].
var signals = map[string]func(*Weights){
	"words":      func(w *Weights) { w.Lexical, w.Coverage = 0, 0 },
	"soft":       func(w *Weights) { w.Soft, w.Theme = 0, 0 },
	"bigrams":    func(w *Weights) { w.Bigrams = 0 },
	"synonyms":   func(w *Weights) { w.Synonyms = 0 },
	"vector":     func(w *Weights) { w.Vector = 0 },
	encoderPart:  func(w *Weights) { w.Encoder = 0 }, // nor is it asked
	"meaning":    func(w *Weights) { w.Meaning, w.Sentence, w.Yield = 0, 0, 0 },
	"neighbours": func(w *Weights) { w.Before, w.After, w.Around, w.Answers = 0, 0, 0, 0 },
	"session":    func(w *Weights) { w.Session, w.Theme, w.Best, w.Next = 0, 0, 0, 0 },
	"time":       func(w *Weights) { w.Time, w.Dated = 0, 0 },
	"speaker":    func(w *Weights) { w.Named, w.Others, w.User = 0, 0, 0 },
	"length":     func(w *Weights) { w.Short = 0 },
	"questions":  func(w *Weights) { w.Asking = 0 },
	tiers:        func(*Weights) {}, // see question.scope
	unframes:     func(*Weights) {}, // see Service.understand
	overviewPart: func(*Weights) {}, // see requested and question.spread
}

// weightsOf returns the weights for a corpus and, of conversations, for those with an assistant or
// among people, without the signals that are left out. A question about what the assistant said
// does not prefer the user's turns.
func (s *Service) weightsOf(q question, assisted bool, c memory.Corpus) Weights {
	w := dialogueWeights
	switch {
	case c == memory.Memories:
		w = recordWeights
	case c == memory.Workspace:
		w = passageWeights
	case assisted:
		w = assistedWeights
		if q.asksAssistant {
			w.User = 0
		}
	}
	for _, name := range s.without {
		if leaveOut := signals[name]; leaveOut != nil {
			leaveOut(&w)
		}
	}
	return w
}

// yielding returns the weights adapted to how much the words of a question found, as said at
// Meaning in [Weights]. All arguments are 0 to 1. byVector is known for the vector, which is 1 for
// an embedder that knows every word. The more the encoder is trusted, the less the vector has to
// stand in for words that were not found.
func (w Weights) yielding(missing, known, byVector, trusted float64) Weights {
	meaning := w.Meaning * (1 - trusted/3)
	w.Vector *= 1 + meaning*byVector*byVector*cube(missing)
	w.Encoder *= trusted * (1 + w.Sentence*missing) // a whole sentence is sooner right than a sum of words
	w.Synonyms *= missing
	words := 1 - w.Yield*known*known*missing
	w.Lexical, w.Soft, w.Best = w.Lexical*words, w.Soft*words, w.Best*words
	return w
}

// toAssistant recognises a question about what the assistant itself said.
var toAssistant = regexp.MustCompile(`(?i)\b(did you|you (said|suggested|recommended|told|gave|mentioned|advised|proposed|explained|provided|listed)|your (recommendations?|suggestions?|advice|answers?|explanations?|lists?))\b`)
