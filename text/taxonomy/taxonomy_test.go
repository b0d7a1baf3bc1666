package taxonomy_test

import (
	"encoding/binary"
	"hash/crc32"
	"math"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"mcp-memory/memory"
	"mcp-memory/text/analysis"
	"mcp-memory/text/semantics"
	"mcp-memory/text/taxonomy"
	"mcp-memory/text/taxonomy/model"
	"mcp-memory/text/taxonomy/training"
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
	if 10*right < 9*len(sentences) {
		t.Errorf("only %d of %d right", right, len(sentences))
	}
}

func TestGibberishIsOther(t *testing.T) {
	c := classifier()
	for _, text := range []string{"", " ", "xqzv jkwpf", "?!…", "🐈🐈", "0x7f3a", "the and of", "ぐぎぐ", "\xff\xfe",
		strings.Repeat("qwx ", 8000)} {
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
	c := taxonomy.New([]memory.Category{{Name: "garden", Description: "plants, seeds, compost, watering"}, {Name: "empty"}},
		semantics.Builtin)
	if got := c.Choose("The tomatoes need more compost."); got != "garden" {
		t.Errorf("%s: %+v", got, c.Rank("The tomatoes need more compost."))
	}
	if got := c.Choose("The invoice is due on Friday."); got != memory.CategoryOther {
		t.Errorf("%s: %+v", got, c.Rank("The invoice is due on Friday."))
	}
	none := taxonomy.New(nil, semantics.Builtin)
	if got := none.Choose("The tomatoes need more compost."); got != memory.CategoryOther || len(none.Rank("x")) > 0 {
		t.Errorf("without categories: %s", got)
	}
}

// recipes are sentences of a category that the model does not know.
var recipes = []string{
	"Knead the dough for ten minutes and let it rise for an hour.",
	"Roast the carrots with honey and thyme in the oven.",
	"Whisk the eggs with sugar until they are pale.",
	"Simmer the lentils with onions and cumin.",
	"Melt the butter and stir in the flour.",
}

func TestExamples(t *testing.T) {
	own := memory.Category{Name: "recipes", Description: "how a dish is cooked", Examples: recipes}
	c := taxonomy.New(append(memory.DefaultCategories(), own), semantics.Builtin)
	for _, text := range []string{
		"Fry the onions in butter until they are golden.",
		"Bake the dough in a hot oven for twenty minutes.",
		"Stir the sugar and the eggs into the flour.",
	} {
		if got := c.Choose(text); got != "recipes" {
			t.Errorf("%q is %s: %+v", text, got, c.Rank(text)[:3])
		}
	}
	plain, changed := classifier(), 0
	for _, s := range sentences {
		if c.Choose(s.text) != plain.Choose(s.text) {
			changed++
		}
	}
	if changed > 1 {
		t.Errorf("another category changed %d sentences", changed)
	}
}

func TestCentroids(t *testing.T) {
	sum := make([]float32, semantics.Builtin().Dim())
	for _, text := range recipes {
		for i, x := range semantics.Builtin().TextVector(analysis.Stems(text), nil) {
			sum[i] += x
		}
	}
	plain := classifier()
	c := plain.With([]taxonomy.Centroid{
		{Name: "recipes", Vector: sum}, {Name: memory.CategoryOther, Vector: sum},
		{Name: "short", Vector: sum[:7]}, {Name: "nothing", Vector: make([]float32, len(sum))},
	})
	const text = "Stir the sugar and the eggs into the flour."
	if got := c.Choose(text); got != "recipes" {
		t.Errorf("%s: %+v", got, c.Rank(text)[:3])
	}
	if got, want := len(c.Rank(text)), len(plain.Rank(text))+1; got != want {
		t.Errorf("%d categories, want %d", got, want)
	}
	before := place(plain.Rank(text), "market")
	known := plain.With([]taxonomy.Centroid{{Name: "market", Vector: sum}})
	if after := place(known.Rank(text), "market"); after != 0 || before == 0 {
		t.Errorf("a centroid moved a known category from %d to %d", before, after)
	}
}

func place(scores []taxonomy.Score, name string) int {
	return slices.IndexFunc(scores, func(s taxonomy.Score) bool { return s.Name == name })
}

// A table that the model was not trained for leaves the descriptions.
func TestOtherTable(t *testing.T) {
	file := make([]byte, 28)
	for _, word := range []string{"invoic", "garden"} {
		file = append(append(file, byte(len(word))), word...)
	}
	le := binary.LittleEndian
	copy(file, "SEMV")
	le.PutUint16(file[4:], 1)
	file[6] = 4
	le.PutUint32(file[8:], 2)
	le.PutUint16(file[12:], 2)
	le.PutUint32(file[16:], uint32(len(file)-28))
	le.PutUint32(file[20:], math.Float32bits(1))
	file = le.AppendUint32(le.AppendUint32(file, math.Float32bits(1)), math.Float32bits(1))
	file = append(file, 0x8F, 0xF8) // two rows at a right angle
	le.PutUint32(file[24:], crc32.ChecksumIEEE(file[28:]))
	table, err := semantics.Decode(file)
	if err != nil {
		t.Fatal(err)
	}
	c := taxonomy.New(memory.DefaultCategories(), func() *semantics.Table { return table })
	if got := c.Choose("An invoice for the invoice."); got != "financial" {
		t.Errorf("%s: %+v", got, c.Rank("An invoice for the invoice."))
	}
}

// The file of a model belongs to its sentences, the lexicon and the table.
// If not: go run ./eval/taxonomy --write text/taxonomy
func TestModelsAreCurrent(t *testing.T) {
	for _, set := range training.Sets() {
		file, err := os.ReadFile(set.Name + ".model")
		if err != nil {
			t.Fatal(err)
		}
		m, err := model.Decode(file)
		if err != nil {
			t.Fatal(err)
		}
		if m.Origin().Sentences != set.Sum() {
			t.Errorf("sentences of %s or the lexicon changed since the model was trained", set.Name)
		}
		if !m.Fits(semantics.Builtin()) {
			t.Errorf("the model of %s was trained with another table", set.Name)
		}
		if len(file) > 200<<10 {
			t.Errorf("the model of %s has %d bytes", set.Name, len(file))
		}
		// One that was trained with other features knows its own sentences badly.
		r := training.Report{Set: set}
		r.Apply(file, set.Sentences(), semantics.Builtin())
		if 100*r.Right < 95*r.All {
			t.Errorf("%s: %d of %d training sentences right", set.Name, r.Right, r.All)
		}
	}
}

// A fifth of the sentences, by a model that was trained with the others.
func TestHeldOut(t *testing.T) {
	if testing.Short() {
		t.Skip("trains a model")
	}
	for _, set := range training.Sets() {
		least := map[string][3]int{"categories": {68, 82, 36}, "scopes": {85, 85, 0}}[set.Name]
		held, rest := training.Split(set.Sentences(), 0)
		r := training.Report{Set: set}
		r.Apply(set.Model(rest, semantics.Builtin()), held, semantics.Builtin())
		easy := r.All - r.AllHard
		t.Logf("%s: %d of %d right, hard %d of %d", set.Name, r.Right, r.All, r.RightHard, r.AllHard)
		if 100*r.Right < least[0]*r.All || 100*(r.Right-r.RightHard) < least[1]*easy || 100*r.RightHard < least[2]*r.AllHard {
			t.Errorf("%s: only %d of %d right, hard %d of %d", set.Name, r.Right, r.All, r.RightHard, r.AllHard)
		}
		nowhere := 0
		last := len(set.Classes) - 1
		for _, row := range r.Confusion[:last] {
			nowhere += row[last]
		}
		if set.Nowhere != "" && 100*nowhere > 4*r.All {
			t.Errorf("%s: %d of %d fit nowhere", set.Name, nowhere, r.All)
		}
	}
}

func FuzzRank(f *testing.F) {
	for _, s := range sentences {
		f.Add(s.text)
	}
	c := classifier()
	f.Fuzz(func(t *testing.T, text string) {
		sum := 0.0
		for _, r := range c.Rank(text) {
			if !(r.Score >= 0 && r.Score <= 1) {
				t.Errorf("score %v", r.Score)
			}
			sum += r.Score
		}
		if sum > 1.000001 {
			t.Errorf("scores add up to %v", sum)
		}
	})
}

func BenchmarkChoose(b *testing.B) {
	c := classifier()
	c.Choose("warm")
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		c.Choose(sentences[i%len(sentences)].text)
	}
}

func BenchmarkFirstUse(b *testing.B) {
	file, err := os.ReadFile("categories.model")
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := model.Decode(file); err != nil {
			b.Fatal(err)
		}
	}
}
