// Package distractors makes facts that answer nothing: they fill the pools of
// the sets in the folder above, so that a set of 84 facts can be measured among
// 300 and among 3,000 without a large file in the repository.
//
// The facts are about the same subjects as those sets, but about other people,
// other things and other systems: no question of the sets asks for them.
package distractors

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
)

// The topics of facts. Mixed takes turns between the others.
const (
	Everyday  = "everyday"
	Technical = "technical"
	Mixed     = "mixed"
)

// Facts returns n different facts about a topic, always the same; of two
// lengths the shorter list begins the longer one.
func Facts(topic string, n int) ([]string, error) {
	switch topic {
	case Everyday:
		return generate(everyday, 1, n)
	case Technical:
		return generate(technical, 2, n)
	case Mixed:
		a, err := generate(everyday, 1, n-n/2)
		if err != nil {
			return nil, err
		}
		b, err := generate(technical, 2, n/2)
		if err != nil {
			return nil, err
		}
		facts := make([]string, 0, n)
		for i := range a {
			facts = append(facts, a[i])
			if i < len(b) {
				facts = append(facts, b[i])
			}
		}
		return facts, nil
	}
	return nil, fmt.Errorf("there are no distractors about %q", topic)
}

func generate(templates []string, seed uint64, n int) ([]string, error) {
	random := rand.New(rand.NewPCG(seed, 1))
	seen := map[string]bool{}
	facts := make([]string, 0, n)
	for tries := 0; len(facts) < n; tries++ {
		if tries > 100*n {
			return nil, fmt.Errorf("%d different facts are too many: there are %d", n, len(facts))
		}
		fact := fill(random, templates[random.IntN(len(templates))])
		if !seen[fact] {
			seen[fact] = true
			facts = append(facts, fact)
		}
	}
	return facts, nil
}

// fill replaces {name} by a word of that list, {2-9} by a number from 2 to 9.
func fill(random *rand.Rand, template string) string {
	return Fill(template, func(slot string) string {
		if list := words[slot]; list != nil {
			return list[random.IntN(len(list))]
		}
		return number(random, slot)
	})
}

// Fill replaces the slots of a template, words in braces, by what value gives
// for them.
func Fill(template string, value func(slot string) string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(template, "{")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		slot, after, _ := strings.Cut(rest, "}")
		b.WriteString(value(slot))
		template = after
	}
}

func number(random *rand.Rand, slot string) string {
	from, to, _ := strings.Cut(slot, "-")
	low, errLow := strconv.Atoi(from)
	high, errHigh := strconv.Atoi(to)
	if errLow != nil || errHigh != nil || low > high {
		panic("distractors: no list and no range: " + slot)
	}
	return strconv.Itoa(low + random.IntN(high-low+1))
}
