package slots

import (
	"strings"
	"testing"
	"time"
)

var strange = []string{
	"", " ", "\x00\x01\x02", "?", "...", "'s", "’", "I", "my", "from", "to to to", "I'm", "X's", "is", "- \n - \n -",
	"\xff\xfe\xfd", "ﷺ ﷽", "Ⱥ İ ß", "我住在上海。我搬到北京了。", "私は東京に住んでいます。", "أنا أعيش في القاهرة",
	"1. milk\n2. bread\n3. eggs", "* one\n* two", "```go\nfunc main() {}\n```", "\"\"\"\"\"", "((((", "no no no no not not",
	"ms B", "who who who?", "What?", "my my my my", "the the of the of", "I moved from to from to", "replaced by", "was", "is Bob",
}

func TestStrangeTexts(t *testing.T) {
	for _, text := range strange {
		Read(text, Options{UserNames: []string{"", " "}})
		Ask(text, Options{})
		Opposed(text, text)
		if !SameFact("I live in Oslo.", "I live in Oslo.") {
			t.Fatal("a text is not the same as itself")
		}
	}
}

// TestLongTexts holds the time for 32 KiB down to what a slow machine takes
// for something linear.
func TestLongTexts(t *testing.T) {
	for _, piece := range append(strange, "I live in Oslo and ", "my sister's ", "from to ", "a, b, c, ", "is was ", "no longer ",
		"of the ", "after ", "I moved to Oslo. ") {
		if piece == "" {
			continue
		}
		text := strings.Repeat(piece, 32<<10/len(piece)+1)
		start := time.Now()
		Read(text, Options{})
		Ask(text, Options{})
		Differ(text, text+" no")
		if d := time.Since(start); d > 2*time.Second {
			t.Errorf("32 KiB of %q took %v", piece, d)
		}
	}
}

func FuzzSlots(f *testing.F) {
	for _, text := range strange {
		f.Add(text, "I live in Oslo.")
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		older, newer := Read(a, Options{}), Read(b, Options{})
		if r := Between(older, newer); r > Certain {
			t.Fatalf("relation %d", r)
		}
		for i := range older {
			if older[i].Hedged && Compare(&older[i], &older[i]) != None {
				t.Fatal("a hedged statement takes part")
			}
		}
		Ask(a, Options{})
		if Opposed(a, b) != Opposed(b, a) {
			t.Fatal("opposition is not symmetric")
		}
		if Opposed(a, b) && SameFact(a, b) {
			t.Fatal("opposites are the same")
		}
	})
}
