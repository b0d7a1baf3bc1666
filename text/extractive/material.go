package extractive

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"mcp-memory/memory"
	"mcp-memory/text/analysis"
)

// sentence is a piece of a summary's material.
type sentence struct {
	label   string // who said it or on which day it was; empty is nobody's
	text    string
	alone   string  // the text with the name of who said it, for a log entry
	earlier bool    // from the summary before
	weight  float64 // how much the kind of sentence counts, about 0 to 2
	stems   []int   // distinct stems by number, ascending
	details string  // numbers and negation, see marks
	score   float64 // once ranked
}

// material is everything a summary may be made of, in order.
type material struct {
	sentences []sentence
	stems     []string  // by number
	holders   [][]int   // stem number → sentences that have it
	idf       []float64 // stem number → inverse document frequency
	norms     []float64 // length of the vector of weights of each sentence
}

// What a kind of sentence weighs.
const (
	plainWeight    = 0.5
	questionWeight = 0.15
	noiseWeight    = 0.05
	assistantShare = 0.8 // of what the same words of a user weigh
	earlierWeight  = 0.6 // on top, for having been chosen before
	failureWeight  = 0.9 // of a tool's error
	nameBonus      = 0.4 // for a name or a number: this much of the weight more
	numberBonus    = 0.5
)

func collect(r memory.SummaryRequest) *material {
	m := &material{}
	m.earlier(r.Earlier)
	c := newCast(r.Turns)
	names := c.names()
	for _, t := range keepable(bounded(r.Turns)) {
		m.turn(t, c, names)
	}
	for _, t := range r.Texts {
		label := ""
		if !t.At.IsZero() {
			label = day(t.At)
		}
		for _, s := range analysis.Sentences(strings.ToValidUTF8(t.Text, "\uFFFD")) {
			if s = plain(s); len(s) <= maxSentenceBytes {
				s = absolute(s, t.At).text
			}
			m.add(sentence{label: label, text: s, weight: plainWeight})
		}
	}
	m.index()
	return m
}

// earlier takes apart a summary as write makes it: lines of sentences behind a
// label.
func (m *material) earlier(summary string) {
	for line := range strings.Lines(strings.ToValidUTF8(summary, "\uFFFD")) {
		label, rest := unlabel(strings.TrimSpace(line))
		for _, s := range analysis.Sentences(rest) {
			alone := s
			if label != "" {
				alone = label + ": " + s
			}
			m.add(sentence{label: label, text: s, alone: alone, earlier: true, weight: plainWeight + earlierWeight})
		}
	}
}

// unlabel splits a line into the label that it starts with and the rest.
func unlabel(line string) (label, rest string) {
	before, after, found := strings.Cut(line, ": ")
	if !found || utf8.RuneCountInString(before) > maxSpeakerRunes || len(strings.Fields(before)) > 3 ||
		strings.ContainsAny(before, `.,;!?"()`) {
		return "", line
	}
	return before, after
}

func (m *material) turn(t memory.Turn, c cast, names []string) {
	m.failures(t)
	who, ok := speaker(t)
	if !ok {
		return
	}
	listener := c.listener(who)
	content := t.Content
	if listener.assistant {
		content = withoutPasted(withoutHanded(content))
	}
	for _, text := range sentences(content) {
		words := expand(cut(text))
		if mentions(words, jest) {
			continue // it may be a joke, which is no fact
		}
		s := sentence{label: capitalUnnamed(who), weight: plainWeight}
		stated := statement(words)
		if stated == nil {
			s.text, s.weight = text, questionWeight
			if in("noise", strip(words, names)) {
				s.weight = noiseWeight
			}
			s.alone = s.label + " asked: " + s.text
			m.add(s)
			continue
		}
		if stated = strip(stated, names); len(stated) == 0 {
			continue
		}
		s.weight = weigh(said{words: stated, opening: stated, speaker: who, at: t.SaidAt})
		if who.assistant {
			s.weight *= assistantShare
		}
		s.text = absolute(finish(join(stated)), t.SaidAt).text
		s.alone = s.label + ": " + s.text
		if foreign(text) {
			s.text = absolute(text, t.SaidAt).text
		} else if resolved, ok := resolve(withSubject(stated, who), who, listener); ok && mentions(stated, firstPerson) {
			s.alone = absolute(finish(join(resolved)), t.SaidAt).text
		}
		m.add(s)
	}
}

// failures adds what tools answered instead of a result.
func (m *material) failures(t memory.Turn) {
	if t.Details == nil {
		return
	}
	for _, call := range t.Details.ToolCalls {
		if all := sentences(call.Error); len(all) > 0 {
			m.add(sentence{label: "Tool", text: call.Name + " failed: " + strings.TrimRight(all[0], ".") + ".", weight: failureWeight})
		}
	}
}

// weigh tells how much a statement counts by what it says.
func weigh(s said) float64 {
	if in("noise", s.words) {
		return noiseWeight
	}
	if obeyed(s.words) {
		return questionWeight
	}
	weight := plainWeight
	if r, ok := ruleOf(s); ok {
		weight += r.importance / 2
	}
	if lostSubjects[head(s.words[0].low)] || in("hypothetical", s.words) {
		weight /= 2
	}
	return weight
}

// add takes a sentence unless it has no words.
func (m *material) add(s sentence) {
	s.text = strings.TrimSpace(s.text)
	if !strings.ContainsFunc(s.text, alphanumeric) {
		return
	}
	if s.alone == "" {
		s.alone = s.text
	}
	words := cut(s.text)
	if slices.ContainsFunc(words, func(w word) bool { return number(w.low) && w.low != "one" }) {
		s.weight *= 1 + numberBonus
	}
	for i, w := range words {
		if i > 0 && !words[i-1].ends() && named(w) {
			s.weight *= 1 + nameBonus
			break
		}
	}
	s.details = marks(s.text)
	m.sentences = append(m.sentences, s)
}

// index numbers the stems of all sentences, and weighs them.
func (m *material) index() {
	numbers := map[string]int{}
	for i := range m.sentences {
		for _, stem := range distinct(analysis.Content(m.sentences[i].text)) {
			id, ok := numbers[stem]
			if !ok {
				id = len(m.stems)
				numbers[stem] = id
				m.stems = append(m.stems, stem)
				m.holders = append(m.holders, nil)
			}
			m.sentences[i].stems = append(m.sentences[i].stems, id)
			m.holders[id] = append(m.holders[id], i)
		}
	}
	m.idf = make([]float64, len(m.stems))
	for id, holders := range m.holders {
		m.idf[id] = math.Log(1 + float64(len(m.sentences))/float64(len(holders)))
	}
	m.norms = make([]float64, len(m.sentences))
	for i, s := range m.sentences {
		for _, id := range s.stems {
			m.norms[i] += m.idf[id] * m.idf[id]
		}
		m.norms[i] = math.Sqrt(m.norms[i])
	}
}
