package semantics_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"mcp-memory/text/analysis"
	"mcp-memory/text/semantics"
)

func id(t testing.TB, word string) int {
	t.Helper()
	row, ok := semantics.Builtin().Lookup(analysis.Stem(word))
	if !ok {
		t.Fatalf("no row for %q", word)
	}
	return row
}

func near(got, want float32, tolerance float64) bool {
	return math.Abs(float64(got-want)) <= tolerance
}

// The check values of the format.
func TestBuiltinHeader(t *testing.T) {
	table := semantics.Builtin()
	if table.Len() != 40000 || table.Dim() != 192 || !near(table.Rare(), 1.68034625, 1e-7) {
		t.Errorf("%d rows of %d, rare %v", table.Len(), table.Dim(), table.Rare())
	}
	if semantics.Notice() == "" {
		t.Error("no notice")
	}
}

func TestRows(t *testing.T) {
	for word, want := range map[string]struct {
		id     int
		length float32
		values [8]float32
	}{
		"doctor":    {1169, 1.971711, [8]float32{-0.054854, -0.054854, -0.383981, 0.109709, -0.054854, -0.383981, -0.164563, -0.329127}},
		"database":  {345, 1.724462, [8]float32{0.324594, 0.324594, 0.092741, 0.231853, 0.092741, -0.231853, 0.139112, 0.000000}},
		"the":       {0, 0.331107, [8]float32{0.054495, 0.027248, 0.018165, -0.054495, -0.036330, 0.000000, -0.063578, 0.018165}},
		"yesterday": {2868, 1.687266, [8]float32{-0.090124, 0.225310, 0.045062, -0.090124, -0.090124, 0.180248, -0.090124, -0.090124}},
		"migration": {1211, 1.963550, [8]float32{0.000000, 0.315659, 0.000000, 0.368268, -0.105220, 0.157829, 0.315659, 0.157829}},
	} {
		table := semantics.Builtin()
		row := id(t, word)
		if row != want.id {
			t.Errorf("%s: row %d, want %d", word, row, want.id)
		}
		if got := table.Length(row); !near(got, want.length, 1e-5) {
			t.Errorf("%s: length %v, want %v", word, got, want.length)
		}
		values := make([]float32, table.Dim())
		values[0] = 9 // must be overwritten
		table.Row(row, values)
		for k, x := range want.values {
			if !near(values[k], x, 1e-5) {
				t.Errorf("%s: value %d is %v, want %v", word, k, values[k], x)
			}
		}
	}
}

func TestCosines(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want float32
	}{
		{"doctor", "physician", 0.73239},
		{"car", "vehicle", 0.61631},
		{"salary", "wage", 0.69700},
		{"dog", "puppy", 0.69362},
		{"error", "failure", 0.47420},
		{"deploy", "release", 0.48190},
		{"doctor", "banana", 0.09435},
		{"database", "holiday", -0.09100},
		{"doctor", "doctors", 1},
	} {
		if got := semantics.Builtin().Cosine(id(t, c.a), id(t, c.b)); !near(got, c.want, 1e-4) {
			t.Errorf("%s and %s: %v, want %v", c.a, c.b, got, c.want)
		}
	}
}

func textVector(text string) []float32 {
	return semantics.Builtin().TextVector(analysis.Stems(text), nil)
}

func dot(a, b []float32) (sum float32) {
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

func TestTextCosines(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want float32
	}{
		{"Where does my sister work?", "Anna has a job at the hospital in Utrecht.", 0.36627},
		{"How do we roll back a release?", "To undo a deployment, run the previous tag again.", 0.60844},
		{"Where does my sister work?", "To undo a deployment, run the previous tag again.", -0.05747},
		{"my doctor, my doctor", "Doctor my", 1},
	} {
		if got := dot(textVector(c.a), textVector(c.b)); !near(got, c.want, 1e-4) {
			t.Errorf("%q and %q: %v, want %v", c.a, c.b, got, c.want)
		}
	}
}

func TestTextVectorOfUnknownWords(t *testing.T) {
	for _, x := range textVector("zzyzzx qqfoo 東京") {
		if x != 0 {
			t.Fatal("not all zeros")
		}
	}
}

// TestTextVectorCountsOnce: a stem counts once, in short texts and in those of more
// stems than a list holds.
func TestTextVectorCountsOnce(t *testing.T) {
	var stems []string
	for _, word := range strings.Fields("doctor nurse hospit school teacher pupil river lake boat sail wind storm rain snow winter summer spring garden tree leaf root " +
		"bread butter chees milk egg flour sugar salt pepper oil fish meat appl pear plum cherri grape wine beer tea coffe cup plate knife fork spoon tabl chair bed lamp " +
		"door window wall roof floor stair road street bridg train bu car bike wheel engin pilot captain soldier king queen") {
		if _, known := semantics.Builtin().Lookup(word); known {
			stems = append(stems, word)
		}
	}
	if len(stems) < 70 {
		t.Fatalf("the table knows only %d of the words", len(stems))
	}
	for _, n := range []int{3, 63, 64, 65, len(stems)} {
		once := semantics.Builtin().TextVector(stems[:n], nil)
		twice := semantics.Builtin().TextVector(append(slices.Clone(stems[:n]), stems[:n]...), nil)
		if !slices.Equal(once, twice) {
			t.Errorf("%d stems count twice where they stand twice", n)
		}
	}
}

func TestTextVectorWeighs(t *testing.T) {
	only := func(stem string) float32 {
		if stem == "doctor" {
			return 2
		}
		return 0
	}
	got := semantics.Builtin().TextVector([]string{"the", "doctor", "work"}, only)
	if cosine := dot(got, textVector("doctor")); !near(cosine, 1, 1e-5) {
		t.Errorf("cosine %v, want 1", cosine)
	}
}

func TestLookupOfUnknown(t *testing.T) {
	for _, stem := range []string{"", "zzyzzx", "Doctor", "naïve"} {
		if row, ok := semantics.Builtin().Lookup(stem); ok {
			t.Errorf("Lookup(%q) = %d", stem, row)
		}
	}
}

func BenchmarkBuiltinVector(b *testing.B) {
	stems := analysis.Stems("My sister Anna has a new job at the hospital in Utrecht and will deploy " +
		"the first release on Friday morning")
	b.ReportAllocs()
	for b.Loop() {
		semantics.Builtin().TextVector(stems, nil)
	}
}

func BenchmarkLookup(b *testing.B) {
	stems := []string{"doctor", "zzyzzx", "the", "migrat", "yesterdai"}
	table := semantics.Builtin()
	for i := 0; b.Loop(); i++ {
		table.Lookup(stems[i%len(stems)])
	}
}
