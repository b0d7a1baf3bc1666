package recall

import (
	_ "embed"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync"
)

//go:embed relevance.txt
var relevanceFile string

//go:embed pairs.txt
var pairsFile string

//go:embed sentences.txt
var sentencesFile string

//go:embed certainty.txt
var certaintyFile string

// Models are the fitted weights, as the contents of files: of the features of relevance, of the signs
// that two records are versions of one fact (Pairs), and of the signs that the first result answers
// (Certainty). A line is a name and numbers: a weight where there are sentence vectors, and one
// where words are all there is; of Pairs each of them twice, among few records and among many. An
// empty file has weights of 0. Sentences has two numbers for each dimension of the sentence encoder
// (linear probes): the directions of sentences that later ones replace ("My gym is FitForge"), and of
// those that replace others ("I switched to Stone & Rope").
type Models struct{ Relevance, Sentences, Pairs, Certainty string }

// Fitted returns the models in use.
func Fitted() Models { return Models{relevanceFile, sentencesFile, pairsFile, certaintyFile} }

// models are [Models] that were read.
type models struct {
	relevance, certainty, pairs, pairsByWords columns
	sentences                                 [2][]float32
}

// ofPair returns the model for a pair of records: many is whether it is among many records, byWords
// whether one of the two has no sentence vector.
func (m *models) ofPair(many, byWords bool) *model {
	if byWords {
		return m.pairsByWords.of(many)
	}
	return m.pairs.of(many)
}

// columns are the models of two neighbouring columns of a file.
type columns [2]model

// of returns the second model where ok, the first where not.
func (c *columns) of(ok bool) *model {
	if ok {
		return &c[1]
	}
	return &c[0]
}

func (m Models) read() *models {
	two := func(file string, from int, names []string) columns {
		return columns{readModel(file, from, names), readModel(file, from+1, names)}
	}
	return &models{
		relevance:    two(m.Relevance, 1, relevanceNames()),
		certainty:    two(m.Certainty, 1, CertaintySigns()),
		pairs:        two(m.Pairs, 1, PairSigns()),
		pairsByWords: two(m.Pairs, 3, PairSigns()),
		sentences:    readDirections(m.Sentences),
	}
}

// EncoderDimensions are those of the sentence encoder in the program.
const EncoderDimensions = 384

// readDirections reads lines of a dimension, from 0, and its numbers in the directions of older and of
// newer sentences. A dimension without a line is 0 in both.
func readDirections(file string) (directions [2][]float32) {
	for side := range directions {
		directions[side] = make([]float32, EncoderDimensions)
	}
	for line := range strings.Lines(file) {
		f := strings.Fields(line)
		if strings.HasPrefix(line, "#") || len(f) != 3 {
			continue
		}
		dimension, err := strconv.Atoi(f[0])
		older, err1 := strconv.ParseFloat(f[1], 32)
		newer, err2 := strconv.ParseFloat(f[2], 32)
		if err := errors.Join(err, err1, err2); err != nil {
			panic(fmt.Sprintf("a direction of sentences: %v", err))
		}
		directions[0][dimension], directions[1][dimension] = float32(older), float32(newer)
	}
	return directions
}

var fitted = sync.OnceValue(func() *models { return Fitted().read() })

// model is a bias and a weight for each of some named measures.
type model struct {
	bias    float64
	weights []float64
}

// readModel reads lines of a name and numbers and takes the number in a column, counted from 1; lines
// with # are comments. names has the measures in order; one without a line has a weight of 0.
func readModel(file string, column int, names []string) model {
	m := model{weights: make([]float64, len(names))}
	for line := range strings.Lines(file) {
		f := strings.Fields(line)
		if len(f) <= column || strings.HasPrefix(line, "#") {
			continue
		}
		value, err := strconv.ParseFloat(f[column], 64)
		if err != nil {
			panic(fmt.Sprintf("a weight of %s: %v", f[0], err))
		}
		if f[0] == "bias" {
			m.bias = value
		}
		for i, name := range names {
			if name == f[0] {
				m.weights[i] = value
			}
		}
	}
	return m
}

func (m *model) sum(values []float64) float64 {
	x := m.bias
	for i, v := range values {
		x += m.weights[i] * v
	}
	return x
}

// chance is the probability, 0 to 1, that a logistic regression gives for some measures.
func (m *model) chance(values []float64) float64 { return chanceOf(m.sum(values)) }

// chanceOf is the logistic function: the probability of a logit.
func chanceOf(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
