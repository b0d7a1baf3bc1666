package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"

	"mcp-memory/embed/encoder/minilm"
	"mcp-memory/recall"
)

const (
	// sentenceScale scales the log odds of a sentence to about -1 to 1.
	sentenceScale = 0.25
	// crossed is the number of parts into which sets are divided for the values of sentences that
	// pairs are fitted with. The values of a part come from a model that was fitted to the other
	// parts.
	crossed = 8
)

// sentence is a fact with its sentence vector as values.
type sentence struct {
	example
	text string
}

// sentencesOf returns the older (side 0) or the newer (side 1) facts of pairs, each once for a set,
// without those of held halves. One is right if at least one of its pairs are two versions of a
// fact.
func sentencesOf(pairs []pairExample, side int) (facts []sentence) {
	places := map[[2]string]int{}
	for _, e := range pairs {
		if family(e.set) != e.set { // a held half
			continue
		}
		key := [2]string{e.set, e.texts[side]}
		if _, there := places[key]; !there {
			places[key] = len(facts)
			facts = append(facts, sentence{example{set: e.set, weight: 1}, e.texts[side]})
		}
		f := &facts[places[key]]
		f.right = f.right || e.right
	}
	for i := range facts {
		facts[i].values = vectorOf(facts[i].text)
	}
	return facts
}

// encoder is the program's sentence encoder, vectors is the cache of vectorOf.
var encoder, vectors = minilm.New(), map[string][]float64{}

// vectorOf returns the vector of a text.
func vectorOf(text string) []float64 {
	if vectors[text] == nil {
		v, err := encoder.EmbedDocuments(context.Background(), []string{text})
		if err != nil {
			panic(err) // the encoder is part of the program
		}
		for _, x := range v[0] {
			vectors[text] = append(vectors[text], float64(x))
		}
	}
	return vectors[text]
}

// direction returns the direction that best separates the right sentences from the others, scaled
// by sentenceScale.
func direction(facts []sentence) []float64 {
	var examples []example
	for _, f := range facts {
		examples = append(examples, f.example)
	}
	w := logistic(examples, 0.25)[1:]
	for i := range w {
		w[i] *= sentenceScale
	}
	return w
}

// fitSentences fits two directions: of sentences that are replaced by later ones, and of sentences
// that replace others.
func fitSentences(out io.Writer, samples []sample, _ []string) fittedModel {
	m := fittedModel{}
	for i := range recall.EncoderDimensions {
		m.names = append(m.names, strconv.Itoa(i))
	}
	pairs := pairExamples(samples, nil, false)
	for side, sign := range recall.SentenceSigns {
		facts := sentencesOf(pairs, side)
		right := 0.0
		for _, f := range facts {
			right += one(f.right)
		}
		fmt.Fprintf(out, "%s: %.0f of %d\n", sign, right, len(facts))
		m.add(direction(facts))
	}
	return m
}

// crossSentences stores in a column of each pair the value of the sentence on one side, by a
// direction that was fitted without the pair's set.
func crossSentences(pairs []pairExample, side, column int) {
	facts := sentencesOf(pairs, side)
	var families []string
	for _, f := range facts {
		families = append(families, family(f.set))
	}
	slices.Sort(families)
	families = slices.Compact(families)
	part := func(set string) int { return slices.Index(families, family(set)) % crossed }
	for k := range crossed {
		w := direction(slices.DeleteFunc(slices.Clone(facts), func(f sentence) bool { return part(f.set) == k }))
		for i := range pairs {
			if part(pairs[i].set) == k {
				pairs[i].values[column] = dot(w, vectorOf(pairs[i].texts[side]))
			}
		}
	}
}
