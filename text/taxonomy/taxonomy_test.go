package taxonomy_test

import (
	"strings"
	"sync"
	"testing"

	"mcp-memory/memory"
	"mcp-memory/text/semantics"
	"mcp-memory/text/taxonomy"
)

func classifier() *taxonomy.Classifier {
	return taxonomy.New(memory.DefaultCategories(), semantics.Builtin)
}

// sentences are put where a person would put them.
var sentences = []struct{ text, category string }{
	{"The user's name is Ingrid and she was born in Bergen in 1984.", "identity"},
	{"My birthday is on the 3rd of July.", "identity"},
	{"His native language is Portuguese.", "identity"},
	{"I love spicy Thai food but hate coriander.", "preference"},
	{"She prefers dark mode and short answers.", "preference"},
	{"Favourite band: Radiohead.", "preference"},
	{"Marek speaks four languages and can repair bicycles.", "capability"},
	{"She is experienced in welding and has a licence to operate cranes.", "capability"},
	{"The database server listens on port 5433 and runs version 16.", "technical"},
	{"Builds fail with a linker error unless CGO is enabled.", "technical"},
	{"The API returns 429 when the token bucket is empty.", "technical"},
	{"The milestone for the mobile app rewrite moved to the end of May.", "project"},
	{"The repository's main branch is protected, and every task needs a reviewer from the team.", "project"},
	{"We decided to drop support for Python 3.8 because hardly anybody uses it.", "decision"},
	{"The team agreed to reject the vendor's offer.", "decision"},
	{"Her brother Tom is married to a colleague of mine.", "social"},
	{"My best friend lives next door to my parents.", "social"},
	{"The rent costs 900 euros a month.", "financial"},
	{"He owes the bank 20,000 dollars on his car loan.", "financial"},
	{"Our biggest competitor launched a cheaper product for small customers.", "market"},
	{"Demand for electric scooters is falling across the industry.", "market"},
	{"I want to run a marathon before I turn forty.", "goal"},
	{"She hopes to open her own bakery one day.", "goal"},
	{"Yesterday we visited the aquarium and then went to a party.", "event"},
	{"The dentist appointment is on Tuesday at ten.", "event"},
	{"There was a fire drill in the office last week.", "event"},
}

func TestPlainSentences(t *testing.T) {
	c := classifier()
	right := 0
	for _, s := range sentences {
		if got := c.Choose(s.text); got == s.category {
			right++
		} else {
			t.Logf("%s, not %s: %q %v", got, s.category, s.text, c.Rank(s.text)[:3])
		}
	}
	t.Logf("%d of %d right", right, len(sentences))
	if 10*right < 7*len(sentences) {
		t.Errorf("only %d of %d right", right, len(sentences))
	}
}

func TestGibberishIsOther(t *testing.T) {
	c := classifier()
	for _, text := range []string{"", " ", "xqzv jkwpf", "?!…", "🐈🐈", "0x7f3a", "the and of", "ぐぎぐ", "\xff\xfe", strings.Repeat("qwx ", 8000)} {
		if got := c.Choose(text); got != memory.CategoryOther {
			t.Errorf("%.20q is %s", text, got)
		}
	}
}

func TestTheSameTextGetsTheSameCategory(t *testing.T) {
	shared := classifier()
	want := make([]string, len(sentences))
	for i, s := range sentences {
		want[i] = shared.Choose(s.text)
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			own := classifier()
			for i, s := range sentences {
				if shared.Choose(s.text) != want[i] || own.Choose(s.text) != want[i] {
					t.Errorf("%q has another category now", s.text)
				}
			}
		})
	}
	wg.Wait()
}

func TestRank(t *testing.T) {
	c := classifier()
	for _, s := range sentences {
		ranked := c.Rank(s.text)
		seen := map[string]bool{}
		for i, r := range ranked {
			seen[r.Name] = true
			if r.Score < 0 || r.Score > 1 || i > 0 && r.Score > ranked[i-1].Score {
				t.Errorf("%q: %+v", s.text, ranked)
				break
			}
		}
		if len(seen) != len(memory.DefaultCategories())-1 || seen[memory.CategoryOther] {
			t.Errorf("%q: %+v", s.text, ranked)
		}
	}
}

func TestOwnCategories(t *testing.T) {
	c := taxonomy.New([]memory.Category{{Name: "garden", Description: "plants, seeds, compost, watering"}, {Name: "empty"}}, semantics.Builtin)
	if got := c.Choose("The tomatoes need more compost."); got != "garden" {
		t.Errorf("%s: %+v", got, c.Rank("The tomatoes need more compost."))
	}
	none := taxonomy.New(nil, semantics.Builtin)
	if got := none.Choose("The tomatoes need more compost."); got != memory.CategoryOther || len(none.Rank("x")) > 0 {
		t.Errorf("without categories: %s", got)
	}
}
