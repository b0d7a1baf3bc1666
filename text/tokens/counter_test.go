package tokens

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/pkoukk/tiktoken-go"
	loader "github.com/pkoukk/tiktoken-go-loader"
	"pgregory.net/rapid"
)

// texts draws what memories are made of, and what they should not be: words,
// code, other scripts, marks, emoji, runs of blanks and of one character.
func texts(most int) *rapid.Generator[string] {
	parts := rapid.OneOf(
		rapid.StringMatching(`[A-Za-z]{1,12}`), rapid.StringMatching(` {1,4}`), rapid.StringMatching(`[0-9]{1,9}`),
		rapid.String(), rapid.StringMatching(`[\t\r\n/ ]{1,4}`), rapid.StringMatching(`[^\w\s]{1,4}`),
		rapid.SampledFrom([]string{
			" ", "\n", " the", "don't", "I'LL", "e\u0301", "\u0301\u0301", "你好世界", "안녕", "नमस्ते", "👩‍👩‍👧", "\u00a0", "ǅ",
			"if err != nil {\n\t\treturn err\n\t}\n", "<|endoftext|>", strings.Repeat("x", 300), strings.Repeat("=", 300),
		}),
	)
	return rapid.Map(rapid.SliceOfN(parts, 0, most), func(p []string) string { return strings.Join(p, "") })
}

// reference is the library without any of this package's ways around it.
func reference(t *testing.T, name string) *tiktoken.Tiktoken {
	t.Helper()
	tiktoken.SetBpeLoader(loader.NewOfflineLoader())
	e, err := tiktoken.GetEncoding(name)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// The vocabularies have the tokens of the library's files, each with its rank.
func TestVocabularies(t *testing.T) {
	for name, size := range map[string]int{"cl100k_base": 100256, "o200k_base": 199998} {
		ranks := map[string]int{}
		if err := readRanks(name+".bpe", ranks, size); err != nil {
			t.Fatal(err)
		}
		want, err := loader.NewOfflineLoader().LoadTiktokenBpe(name + ".tiktoken")
		if err != nil || !maps.Equal(ranks, want) {
			t.Errorf("%s: %d tokens, want %d, error %v", name, len(ranks), len(want), err)
		}
	}
}

func TestCountsAsTheLibraryDoes(t *testing.T) {
	for _, name := range []string{"cl100k_base", "o200k_base"} {
		t.Run(name, func(t *testing.T) {
			want, c := reference(t, name), NewCounter(name)
			rapid.Check(t, func(t *rapid.T) {
				text := texts(12).Draw(t, "text")
				cuts := -1
				for range pieces(text) {
					cuts++
				}
				got, want := c.Count(text), len(want.EncodeOrdinary(text))
				if off := max(got-want, want-got); off > 4*max(cuts, 0) {
					t.Fatalf("%d, the library says %d, with %d cuts", got, want, cuts)
				}
			})
			long := strings.Repeat("The nights of 2026 are getting longer, I'd say. But naïve café goers don't mind:\n - tea\n - cake\n\n", 200)
			if got, want := c.Count(long), len(want.EncodeOrdinary(long)); got != want {
				t.Errorf("long prose: %d, want %d", got, want)
			}
		})
	}
}

func TestKnownCounts(t *testing.T) {
	for _, c := range []struct {
		model, text string
		want        int
	}{
		{"", "hello world", 2},
		{"", "tiktoken is great!", 6},
		{"gpt-4o", "hello world", 2},
		{"", "antidisestablishmentarianism", 6},
		{"", "2 + 2 = 4", 7},
		{"", "お誕生日おめでとう", 9},
		{"gpt-4o", "お誕生日おめでとう", 8},
		{"", "<|endoftext|>", 7},
	} {
		if got := NewCounter(c.model).Count(c.text); got != c.want {
			t.Errorf("%q in %q: %d, want %d", c.text, c.model, got, c.want)
		}
	}
}

func TestEncodingOfModel(t *testing.T) {
	for model, want := range map[string]string{
		"": "cl100k_base", "gpt-4": "cl100k_base", "gpt-4-turbo": "cl100k_base", "gpt-3.5-turbo": "cl100k_base",
		"claude-sonnet-4-5": "cl100k_base", "llama3.2": "cl100k_base", "o1fish": "cl100k_base", "cl100k_base": "cl100k_base",
		"text-embedding-3-small": "cl100k_base",
		"gpt-4o":                 "o200k_base", "gpt-4o-mini": "o200k_base", "openai/GPT-4o": "o200k_base", "gpt-4.1-nano": "o200k_base",
		"gpt-5": "o200k_base", "gpt-5.1-codex": "o200k_base", "o1": "o200k_base", "o3-mini": "o200k_base", "o200k_base": "o200k_base",
		"ft:gpt-4o-mini:acme": "o200k_base", "gpt-oss:20b": "o200k_base", "chatgpt-4o-latest": "o200k_base",
	} {
		if got := NewCounter(model).Encoding(); got != want {
			t.Errorf("%q: %s, want %s", model, got, want)
		}
	}
}

func TestCountProperties(t *testing.T) {
	for _, model := range []string{"gpt-4", "gpt-4o"} {
		c := NewCounter(model)
		if c.Count("") != 0 {
			t.Errorf("the empty text has %d tokens", c.Count(""))
		}
		rapid.Check(t, func(t *rapid.T) {
			batch := rapid.SliceOfN(texts(6), 0, 5).Draw(t, "batch")
			counts := c.CountBatch(batch)
			if len(counts) != len(batch) {
				t.Fatalf("%d counts of %d texts", len(counts), len(batch))
			}
			for i, text := range batch {
				n := c.Count(text) // now from the cache
				if n != counts[i] || n != c.encoding.countUncached(text) {
					t.Fatalf("%q: %d in the batch, %d cached, %d anew", text, counts[i], n, c.encoding.countUncached(text))
				}
				if n < 0 || n > len(text) || (n == 0) != (text == "") {
					t.Fatalf("%q: %d tokens in %d bytes", text, n, len(text))
				}
			}
		})
	}
}

func TestPieces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Repeat(texts(40).Draw(t, "text"), rapid.IntRange(1, 20).Draw(t, "times"))
		parts := slices.Collect(pieces(text))
		if strings.Join(parts, "") != text {
			t.Fatalf("pieces do not make the text")
		}
		for _, p := range parts {
			if p == "" || len(p) > pieceBytes || !utf8.ValidString(p) {
				t.Fatalf("piece of %d bytes, valid %v", len(p), utf8.ValidString(p))
			}
		}
	})
	if got := slices.Collect(pieces(strings.Repeat("word ", 2000))); len(got) != 2001 || !strings.HasPrefix(got[1], " word") {
		t.Errorf("%d pieces, the second starts %.10q", len(got), got[1])
	}
}

func TestInvalidUTF8IsCounted(t *testing.T) {
	if n := NewCounter("").Count("a\xff\xfe" + strings.Repeat("\xc3", 9000)); n <= 0 {
		t.Errorf("%d", n)
	}
}

func TestEstimateWithoutEncoder(t *testing.T) {
	broken := errors.New("broken")
	c := &Counter{encoding: newEncoding("none", func() (*tiktoken.Tiktoken, error) { return nil, broken })}
	if err := c.Warm(); !errors.Is(err, broken) {
		t.Errorf("Warm says %v", err)
	}
	for text, want := range map[string]int{"": 0, "a": 1, "abc": 1, "abcd": 2, "abcdefg": 2, "äöüß你好世": 2, "12345678": 3} {
		if got := c.Count(text); got != want || Estimate(text) != want {
			t.Errorf("%q: %d, estimate %d, want %d", text, got, Estimate(text), want)
		}
	}
	if _, err := loadFrom("missing.bpe", 1, `.`)(); err == nil {
		t.Error("a missing vocabulary was loaded")
	}
	if _, err := loadFrom("cl100k_base.bpe", 7, `.`)(); err == nil {
		t.Error("a vocabulary of the wrong size was loaded")
	}
}

func TestConcurrentUse(t *testing.T) {
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			c := NewCounter("")
			for i := range 200 {
				if n := c.Count(strings.Repeat(" word", i%20+1)); n != i%20+1 {
					t.Errorf("%d words have %d tokens", i%20+1, n)
				}
			}
		})
	}
	group.Wait()
}
