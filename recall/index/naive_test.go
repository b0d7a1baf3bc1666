package index_test

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"mcp-memory/memory"
	"mcp-memory/recall/index"
	"mcp-memory/text/analysis"
	"mcp-memory/text/semantics"
)

// lexicon has words that mean nearly the same, words the table does not know,
// names in camelCase and a script without spaces.
var lexicon = strings.Fields(`doctor physician hospital car vehicle automobile river stream ferry harbour guitar piano music
	parseHTTPRequest vat_rate zorblax qwyjibo Anna Boris migrate migration database 東京都に住む`)

// naive computes what package document says, one document at a time.
type naive struct {
	docs  []index.Document
	stems [][]string
	query index.Query
}

func newNaive(docs []index.Document, q index.Query) naive {
	n := naive{docs: docs, query: q}
	for _, d := range docs {
		n.stems = append(n.stems, analysis.Content(d.Text))
	}
	return n
}

func count(list []string, x string) (n float64) {
	for _, y := range list {
		if x == y {
			n++
		}
	}
	return n
}

func (n naive) df(stem string) (df float64) {
	for _, stems := range n.stems {
		df += min(1, count(stems, stem))
	}
	return df
}

func inverse(n, df float64) float64 { return math.Log(1 + (n-df+0.5)/(df+0.5)) }

func (n naive) idf(stem string) float64 { return inverse(float64(len(n.docs)), n.df(stem)) }

func (n naive) average() float64 {
	words := 0
	for _, stems := range n.stems {
		words += len(stems)
	}
	return max(1, float64(words)/float64(len(n.docs)))
}

func saturated(f, length, average float64) float64 {
	return 2.2 * f / (f + 1.2*(0.25+0.75*length/average))
}

func (n naive) lexical(doc []string) float64 {
	sum, ideal := 0.0, 0.0
	for _, t := range n.query.Stems { // repeats count as often as they come
		ideal += n.idf(t)
		sum += n.idf(t) * saturated(count(doc, t), float64(len(doc)), n.average())
	}
	return sum / max(ideal, 1e-9)
}

func distinct(list []string) (set []string) {
	for _, x := range list {
		if !slices.Contains(set, x) {
			set = append(set, x)
		}
	}
	return set
}

// similar returns what counts as similar to a stem: its 16 best in the bank.
func (n naive) similar(stem string) map[string]float64 {
	table, all := semantics.Builtin(), map[string]float64{}
	row, known := table.Lookup(stem)
	for _, other := range distinct(slices.Concat(n.stems...)) {
		id, ok := table.Lookup(other)
		switch {
		case other == stem:
			all[other] = 1
		case ok && known:
			if sim := (float64(table.Cosine(row, id)) - 0.2) / 0.8; sim > 0 {
				all[other] = sim
			}
		}
	}
	names := []string{}
	for name := range all {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(all[b], all[a]), cmp.Compare(a, b)) })
	for _, name := range names[min(16, len(names)):] {
		delete(all, name)
	}
	return all
}

func (n naive) soft(doc []string) float64 {
	table, sum, total := semantics.Builtin(), 0.0, 0.0
	for _, t := range distinct(n.query.Stems) {
		w := math.Pow(n.idf(t)/inverse(float64(len(n.docs)), 0), 0.7)
		if row, ok := table.Lookup(t); ok {
			w *= float64(table.Length(row)) / float64(table.Rare())
		}
		total += w
		best, similar := 0.0, n.similar(t)
		for _, s := range doc {
			best = max(best, similar[s])
		}
		sum += w * best
	}
	return sum / max(total, 1e-9) / (0.7 + 0.3*float64(len(doc))/n.average())
}

func (n naive) base(i int) float64 { return 0.45*n.lexical(n.stems[i]) + 0.55*n.soft(n.stems[i]) }

func (n naive) coverage(doc []string) float64 {
	sum, total := 0.0, 0.0
	for _, t := range distinct(n.query.Stems) {
		total += n.idf(t)
		sum += n.idf(t) * min(1, count(doc, t))
	}
	return sum / max(total, 1e-9)
}

func (n naive) bigrams(doc []string) float64 {
	pairs, there := 0.0, 0.0
	q := n.query.Stems
	for i := 0; i+1 < len(q); i++ {
		if n.df(q[i]) == 0 || n.df(q[i+1]) == 0 {
			continue // a word that nothing has makes no pair
		}
		pairs++
		for j := 0; j+1 < len(doc); j++ {
			if doc[j] == q[i] && doc[j+1] == q[i+1] {
				there++
				break
			}
		}
	}
	return there / max(1, pairs)
}

// cosine with the vector as it is kept: 8 bits a value.
func (n naive) cosine(v []float32) float64 {
	if v == nil || n.query.Vector == nil {
		return 0
	}
	largest, dot, length := 0.0, 0.0, 0.0
	for _, x := range v {
		largest = max(largest, math.Abs(float64(x)))
	}
	for i, x := range v {
		packed := math.Round(float64(x) * 127 / max(largest, 1e-30))
		dot += packed * float64(n.query.Vector[i])
		length += packed * packed
	}
	return dot / max(math.Sqrt(length), 1e-9)
}

// placesOf returns the places of the documents of a session.
func (n naive) placesOf(session string) (places []int) {
	for i, d := range n.docs {
		if d.Session == session {
			places = append(places, i)
		}
	}
	return places
}

// session is BM25 of all that is said in a session, an ordinary one being as
// long as 20 documents.
func (n naive) session(places []int) float64 {
	var own []string
	for _, i := range places {
		own = append(own, n.stems[i]...)
	}
	sum, ideal := 0.0, 0.0
	for _, t := range distinct(n.query.Stems) {
		ideal += n.idf(t)
		sum += n.idf(t) * saturated(count(own, t), float64(len(own)), 20*n.average())
	}
	return sum / max(ideal, 1e-9)
}

func (n naive) hit(i int) index.Hit {
	d, doc := n.docs[i], n.stems[i]
	h := index.Hit{
		Seq: d.Seq, Lexical: n.lexical(doc), Soft: n.soft(doc),
		Coverage: n.coverage(doc), Bigrams: n.bigrams(doc), Vector: n.cosine(d.Vector),
		User: d.Role == memory.RoleUser, Asks: d.Asks > 0, Asking: d.Asks * d.Asks, Short: math.Exp(-float64(len(doc)) / 5),
	}
	h.Session, h.Best = h.Lexical, n.base(i)
	places := n.placesOf(d.Session)
	if d.Session == "" || len(places) == 1 {
		return h
	}
	at := slices.Index(places, i)
	near := func(offset int) float64 {
		if j := at + offset; j >= 0 && j < len(places) {
			return n.base(places[j])
		}
		return 0
	}
	h.Before, h.After, h.Around = near(-1), near(1), (near(-2)+near(2))/2
	if at > 0 && n.docs[places[at-1]].Asks > 0 {
		h.Answers = h.Before
	}
	h.Session = n.session(places)
	var bases []float64
	for _, j := range places {
		bases = append(bases, n.base(j))
	}
	slices.Sort(bases)
	h.Best, h.Next = bases[len(bases)-1], bases[len(bases)-2]
	return h
}

// measures are compared one by one; the rest of a hit is words.
func measures(h index.Hit) map[string]float64 {
	return map[string]float64{
		"lexical": h.Lexical, "coverage": h.Coverage, "soft": h.Soft, "bigrams": h.Bigrams, "vector": h.Vector, "before": h.Before,
		"after": h.After, "around": h.Around, "answers": h.Answers, "session": h.Session,
		"best": h.Best, "next": h.Next, "asking": h.Asking, "short": h.Short,
	}
}

func drawDocuments(t *rapid.T) []index.Document {
	text := rapid.SliceOfN(rapid.SampledFrom(lexicon), 1, 9)
	docs := make([]index.Document, rapid.IntRange(1, 12).Draw(t, "documents"))
	for i := range docs {
		words := text.Draw(t, "text")
		docs[i] = index.Document{
			Seq: int64(10 * (i + 1)), Text: strings.Join(words, " "), Asks: rapid.SampledFrom([]float64{0, 0.2, 1}).Draw(t, "asks"),
			Session: rapid.SampledFrom([]string{"", "s", "s", "t", fmt.Sprint("alone ", i)}).Draw(t, "session"),
			Role:    rapid.SampledFrom([]memory.Role{"", memory.RoleUser, memory.RoleAssistant}).Draw(t, "role"),
		}
		if rapid.IntRange(0, 3).Draw(t, "vector") > 0 {
			docs[i].Vector = vectorOf(docs[i].Text)
		}
	}
	return docs
}

func drawQuery(t *rapid.T) index.Query {
	text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(lexicon), 1, 7).Draw(t, "query"), " ")
	return index.Query{Stems: analysis.Content(text), Vector: vectorOf(text)}
}

func vectorOf(text string) []float32 {
	return semantics.Builtin().TextVector(analysis.Stems(text), nil)
}

func TestMeasuresAreAsDocumented(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		docs, q := drawDocuments(t), drawQuery(t)
		ix := index.New(semantics.Builtin(), nil)
		ix.Add(docs)
		want := newNaive(docs, q)
		for _, got := range ix.Search(q, len(docs)) {
			expected := measures(want.hit(int(got.Seq/10) - 1))
			for name, x := range measures(got) {
				if math.Abs(x-expected[name]) > 1e-4 {
					t.Fatalf("%s of %d is %v, want %v\n%+v\n%+v", name, got.Seq, x, expected[name], docs, q.Stems)
				}
			}
		}
	})
}

// TestNothingIsMissed: with room for all, every document that has something of
// the question is found.
func TestNothingIsMissed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		docs, q := drawDocuments(t), drawQuery(t)
		ix := index.New(semantics.Builtin(), nil)
		ix.Add(docs)
		found := map[int64]bool{}
		for _, h := range ix.Search(q, len(docs)) {
			found[h.Seq] = true
		}
		want := newNaive(docs, q)
		for i, d := range docs {
			if want.base(i) > 0 != found[d.Seq] && d.Vector == nil && (d.Session == "" || len(want.placesOf(d.Session)) == 1) {
				t.Fatalf("document %d, base %v, found %t", d.Seq, want.base(i), found[d.Seq])
			}
		}
	})
}
