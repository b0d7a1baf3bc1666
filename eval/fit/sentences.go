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
	// sentenceScale makes the log odds of a sentence about -1 to 1.
	sentenceScale = 0.25
	// crossed is in how many parts the sets are for the values that pairs are fitted to: each comes of
	// the other parts.
	crossed = 8
)

// sentence is a fact of a set with the vector of its sentence.
type sentence struct {
	example
	text string
}

// sentencesOf returns the older ones of pairs, or the newer ones: right where one of their pairs is two
// versions of one fact.
func sentencesOf(pairs []pairExample, side int) (facts []sentence) {
	places := map[[2]string]int{}
	for _, e := range pairs {
		if family(e.set) != e.set { // held out
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

// encoder is that in the program.
var encoder, vectors = minilm.New(), map[string][]float64{}

// vectorOf returns the vector of a text.
func vectorOf(text string) []float64 {
	if vectors[text] == nil {
		v, err := encoder.EmbedDocuments(context.Background(), []string{text})
		if err != nil {
			panic(err) // it needs nothing
		}
		for _, x := range v[0] {
			vectors[text] = append(vectors[text], float64(x))
		}
	}
	return vectors[text]
}

// direction fits the direction in which those lie that are right.
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

// fitSentences fits the directions in which sentences lie that are replaced, and that replace others.
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

// crossSentences gives each pair the value of one of its sentences by a direction that has not seen its set.
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
