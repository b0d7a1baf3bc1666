package extractive

import (
	"slices"
	"strings"

	"mcp-memory/memory"
)

const (
	// novelty is how much of a sentence's score its likeness to a chosen one
	// takes away.
	novelty = 0.7
	// repeats is the likeness from which a sentence says nothing more, unless
	// its numbers differ.
	repeats = 0.75
	// earlierShare is the part of a summary that the one before may fill as long
	// as there is something else to say.
	earlierShare = 0.75
	// leastShare is the part of the best score below which a sentence is left out,
	// however much room there is.
	leastShare   = 0.12
	minSentences = 2 // of a log entry
	// maxPasses is how often the room that estimates left is filled, maxMisses
	// after how many sentences that are too long for it a pass gives up.
	maxPasses = 4
	maxMisses = 32
	// labelBack is how many sentences before one are looked at for who spoke last.
	labelBack = 256
)

// choice is a summary in the making.
type choice struct {
	*Summarizer
	m       *material
	r       memory.SummaryRequest
	like    []float64 // highest likeness to a chosen sentence
	taken   []bool
	repeat  []bool    // says only what a chosen one says
	barred  []bool    // of this pass
	dots    []float64 // scratch of take
	tokens  []int     // of a sentence with its label, 0 until it was counted
	chosen  []int     // in the order of choice
	used    int       // tokens, about
	earlier int       // of these, from the summary before
}

// write chooses sentences and puts them together within r.MaxTokens.
func (d *Summarizer) write(m *material, r memory.SummaryRequest) string {
	if len(m.sentences) == 0 || r.MaxTokens < 1 {
		return ""
	}
	n := len(m.sentences)
	c := &choice{Summarizer: d, m: m, r: r, like: make([]float64, n),
		taken: make([]bool, n), repeat: make([]bool, n), barred: make([]bool, n), dots: make([]float64, n), tokens: make([]int, n)}
	text := ""
	for range maxPasses {
		before := len(c.chosen)
		c.fill(earlierShare)
		c.fill(1)
		text = c.fit()
		if len(c.chosen) <= before {
			break
		}
		c.used = d.counter.Count(text)
	}
	if text == "" {
		return d.clip(m.sentences[c.best()].text, r.MaxTokens)
	}
	return text
}

// fill takes the best sentence again and again while there is room; the summary
// before may take a share of it.
func (c *choice) fill(share float64) {
	floor := 0.0
	if best := c.best(); best >= 0 {
		floor = leastShare * c.m.sentences[best].score
	}
	for i := range c.barred {
		c.barred[i] = c.taken[i] || c.repeat[i]
	}
	misses := 0
	for c.r.Sentences == 0 || len(c.chosen) < max(c.r.Sentences, minSentences) {
		i := c.next()
		if i < 0 || len(c.chosen) >= minSentences && c.m.sentences[i].score < floor {
			return
		}
		s := &c.m.sentences[i]
		size := c.size(i)
		if s.earlier && float64(c.earlier+size) > share*float64(c.r.MaxTokens) {
			for k := range c.barred { // the summary before is left alone for the rest of the pass
				c.barred[k] = c.barred[k] || c.m.sentences[k].earlier
			}
			continue
		}
		if c.used+size > c.r.MaxTokens {
			if misses++; misses > maxMisses {
				return
			}
			c.barred[i] = true
			continue
		}
		c.take(i, size)
	}
}

// best returns the sentence with the highest score, -1 if there is none.
func (c *choice) best() int {
	best := -1
	for i, s := range c.m.sentences {
		if best < 0 || s.score > c.m.sentences[best].score {
			best = i
		}
	}
	return best
}

// next returns the sentence to take next, -1 if none is left.
func (c *choice) next() int {
	best, most := -1, 0.0
	for i := range c.m.sentences {
		if c.barred[i] {
			continue
		}
		if value := c.m.sentences[i].score * (1 - novelty*c.like[i]); best < 0 || value > most {
			best, most = i, value
		}
	}
	return best
}

func (c *choice) size(i int) int {
	if c.tokens[i] == 0 {
		s := c.m.sentences[i]
		text := s.text
		if c.r.Sentences > 0 {
			text = s.alone
		} else if c.labelled(i) {
			text = s.label + ": " + text
		}
		c.tokens[i] = c.counter.Count(text) + 1
	}
	return c.tokens[i]
}

// labelled reports whether a sentence would start a line of its own.
func (c *choice) labelled(i int) bool {
	for j := i - 1; j >= 0 && j >= i-labelBack; j-- {
		if c.taken[j] {
			return c.m.sentences[j].label != c.m.sentences[i].label
		}
	}
	return true
}

// take chooses a sentence and bars those that only repeat it.
func (c *choice) take(i, size int) {
	s := &c.m.sentences[i]
	c.taken[i], c.barred[i] = true, true
	c.chosen = append(c.chosen, i)
	c.used += size
	if s.earlier {
		c.earlier += size
	}
	var touched []int
	for _, id := range s.stems {
		for _, j := range c.m.holders[id] {
			if c.dots[j] == 0 {
				touched = append(touched, j)
			}
			c.dots[j] += c.m.idf[id] * c.m.idf[id]
		}
	}
	for _, j := range touched {
		like := c.dots[j] / (c.m.norms[i] * c.m.norms[j])
		c.dots[j] = 0
		c.like[j] = max(c.like[j], like)
		if like >= repeats && c.m.sentences[j].details == s.details {
			c.repeat[j], c.barred[j] = true, true
		}
	}
}

// fit renders what was chosen and gives up the last choices until it fits.
func (c *choice) fit() string {
	for len(c.chosen) > 0 {
		text := c.render()
		if c.counter.Count(text) <= c.r.MaxTokens {
			return text
		}
		last := len(c.chosen) - 1
		c.taken[c.chosen[last]] = false
		c.chosen = c.chosen[:last]
	}
	return ""
}

// render writes the chosen sentences in their order: a line for everybody's
// turn to speak, or one paragraph for a log entry.
func (c *choice) render() string {
	order := slices.Clone(c.chosen)
	slices.Sort(order)
	var b strings.Builder
	last := ""
	for k, i := range order {
		s := c.m.sentences[i]
		switch {
		case c.r.Sentences > 0:
			if k > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(s.alone)
			continue
		case k > 0 && s.label == last && s.label != "":
			b.WriteByte(' ')
		case k > 0:
			b.WriteByte('\n')
			fallthrough
		default:
			if s.label != "" {
				b.WriteString(s.label + ": ")
			}
		}
		last = s.label
		b.WriteString(s.text)
	}
	return b.String()
}

// clip cuts a text that is too long behind a word; behind a character if the
// first word is too long.
func (d *Summarizer) clip(text string, limit int) string {
	words := strings.Fields(text)
	for n := len(words); n > 0; n-- {
		if cut := strings.Join(words[:n], " "); d.counter.Count(cut) <= limit {
			return cut
		}
	}
	runes := []rune(strings.TrimSpace(text))
	for n := min(len(runes), limit); n > 0; n-- {
		if cut := string(runes[:n]); d.counter.Count(cut) <= limit {
			return cut
		}
	}
	return ""
}
