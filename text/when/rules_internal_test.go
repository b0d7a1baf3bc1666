package when

import (
	"math/rand/v2"
	"regexp/syntax"
	"strings"
	"testing"
)

// sample adds a text to b that an expression matches, but for what it says of bounds.
func sample(b *strings.Builder, random *rand.Rand, re *syntax.Regexp) {
	times := func(n int) {
		for range n {
			sample(b, random, re.Sub[0])
		}
	}
	switch re.Op {
	case syntax.OpLiteral:
		for _, r := range re.Rune {
			if re.Flags&syntax.FoldCase != 0 && random.IntN(4) == 0 {
				r = []rune(strings.NewReplacer("s", "ſ", "k", "\u212a").Replace(strings.ToLower(string(r))))[0]
			}
			b.WriteRune(r)
		}
	case syntax.OpCharClass:
		pair := 2 * random.IntN(len(re.Rune)/2)
		b.WriteRune(re.Rune[pair] + random.Int32N(re.Rune[pair+1]-re.Rune[pair]+1))
	case syntax.OpCapture, syntax.OpPlus:
		times(1)
	case syntax.OpQuest, syntax.OpStar:
		times(random.IntN(2))
	case syntax.OpRepeat:
		times(re.Min + random.IntN(max(re.Min, re.Max)-re.Min+1))
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			sample(b, random, sub)
		}
	case syntax.OpAlternate:
		sample(b, random, re.Sub[random.IntN(len(re.Sub))])
	}
}

// TestMayMatch: no rule is passed over for a text that it matches, if that has the word that it needs.
func TestMayMatch(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 3))
	for _, r := range rules {
		re, err := syntax.Parse(r.pattern().String(), syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		matched := 0
		for range 2000 {
			var b strings.Builder
			sample(&b, random, re)
			text := "We met " + b.String() + "."
			if !r.pattern().MatchString(text) {
				continue
			}
			if matched++; !r.mayMatch(r.needs, folded(text)) {
				t.Fatalf("%s matches %q", r.pattern(), text)
			}
			if digits := triggersIn(text)&digitsWord != 0; r.needs == digitsWord && !digits {
				t.Errorf("%s matches %q, which has no such digits", r.pattern(), text)
			}
		}
		if matched < 200 {
			t.Errorf("%s: only %d texts", r.pattern(), matched)
		}
	}
	// The same for what tells a habit in monthly.
	re, _ := syntax.Parse(monthly().String(), syntax.Perl)
	for range 200 {
		var b strings.Builder
		if sample(&b, random, re); !habit("It is on the " + b.String() + ".") {
			t.Errorf("%q is no habit", b.String())
		}
	}
}
