package main

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"mcp-memory/eval/sets/distractors"
)

// generator makes facts and questions. The same seed makes the same ones.
type generator struct {
	random *rand.Rand
	zipf   map[int]*rand.Zipf // by length of the list
}

func newGenerator(seed uint64) *generator {
	return &generator{random: rand.New(rand.NewPCG(seed, 1)), zipf: map[int]*rand.Zipf{}}
}

// pick chooses from a list as language does: the n-th word about 1/n as often
// as the first.
func (g *generator) pick(list []string) string {
	z := g.zipf[len(list)]
	if z == nil {
		z = rand.NewZipf(g.random, 1.07, 2, uint64(len(list)-1))
		g.zipf[len(list)] = z
	}
	return list[z.Uint64()]
}

// fill replaces the slots of a template. A slot that ends in a digit is one
// more of its kind; one that occurs in fixed has that value.
func (g *generator) fill(template string, fixed map[string]string) string {
	return distractors.Fill(template, func(slot string) string {
		if value, ok := fixed[slot]; ok {
			return value
		}
		return g.slot(strings.TrimRight(slot, "2"))
	})
}

var slotWords = map[string][]string{
	"first": firstNames, "city": cities, "food": foods, "hobby": hobbies, "service": services, "tech": technologies,
	"fault": faults, "object": objects, "topic": topics, "relation": relations, "company": companies, "mood": moods,
	"month": months, "weekday": days, "blood": bloodGroups, "pet": pets, "thesis": theses,
}

func (g *generator) slot(name string) string {
	if list := slotWords[name]; list != nil {
		return g.pick(list)
	}
	number := func(low, high int) string { return strconv.Itoa(low + g.random.IntN(high-low)) }
	switch name {
	case "person":
		return g.pick(firstNames) + " " + g.pick(lastNames)
	case "year":
		return number(2011, 2026)
	case "day":
		return number(1, 29)
	case "hour":
		return number(6, 23)
	case "digit":
		return number(0, 10)
	case "number":
		return number(2, 60)
	case "amount":
		return number(20, 9000)
	case "port":
		return number(1024, 65536)
	case "code":
		return number(100, 100000)
	}
	panic("no slot " + name)
}

// fact is a line of the file to import.
type fact struct {
	ID      string `json:"id"`
	Content string `json:"content"`
	At      string `json:"ts"`
}

// probe is a question, and the id of its answer if it has one.
type probe struct {
	question string
	answer   string
}

// factLength is the range of lengths that [generator.fact] aims at.
const shortest, longest = 60, 140

// fact makes one of ordinary content.
func (g *generator) fact() string {
	for {
		text := g.fill(g.pick(statements), nil) + g.fill(g.pick(details), nil) + "."
		if len(text) >= shortest && len(text) <= longest {
			return text
		}
	}
}

// generate calls each for n facts, needles spread among them, and returns the
// questions to ask: as many as wanted, all different, about half of them with
// an answer.
func generate(n, wanted int, each func(fact) error) ([]probe, error) {
	g := newGenerator(42)
	hidden := min(wanted/2, n/2)
	var probes []probe
	day := time.Date(2024, 1, 1, 8, 0, 0, 0, time.UTC)
	for i := range n {
		f := fact{ID: fmt.Sprintf("load-%d", i), At: day.Add(time.Duration(i) * time.Minute).Format(time.RFC3339)}
		// The needles are at equal distances.
		if number := i * hidden / n; hidden > 0 && number != (i+1)*hidden/n {
			statement, question := g.needle(number)
			f.Content = statement
			probes = append(probes, probe{question, f.ID})
		} else {
			f.Content = g.fact()
		}
		if err := each(f); err != nil {
			return nil, err
		}
	}
	asked := map[string]bool{}
	for len(probes) < wanted {
		if q := g.fill(g.pick(questions), nil); !asked[q] {
			asked[q] = true
			probes = append(probes, probe{question: q})
		}
	}
	g.random.Shuffle(len(probes), func(i, j int) { probes[i], probes[j] = probes[j], probes[i] })
	return probes, nil
}

// needle returns the n-th fact with one answer. No two of a kind are about the
// same person.
func (g *generator) needle(n int) (statement, question string) {
	kind := needles[n%len(needles)]
	who := n / len(needles)
	first := firstNames[who%len(firstNames)]
	last := lastNames[(who+who/len(firstNames)*7+n%len(needles)*5)%len(lastNames)]
	fixed := map[string]string{"person": first + " " + last}
	return g.fill(kind.statement, fixed), g.fill(kind.question, fixed)
}
