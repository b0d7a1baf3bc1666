package index_test

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"mcp-memory/recall/index"
	"mcp-memory/text/semantics"
)

// drawEncoded gives some documents a vector by the encoder that has nothing to do with
// their words, and returns one for the question.
func drawEncoded(t *rapid.T, docs []index.Document) []float32 {
	draw := func() []float32 {
		v := rapid.SliceOfN(rapid.Float32Range(-1, 1), 16, 16).Draw(t, "vector")
		v[0] += 2 // none is of length 0
		square := 0.0
		for _, x := range v {
			square += float64(x) * float64(x)
		}
		for i := range v {
			v[i] /= float32(math.Sqrt(square))
		}
		return v
	}
	for i := range docs {
		if rapid.Bool().Draw(t, "encoded") {
			docs[i].Encoded = draw()
		}
	}
	return draw()
}

// TestEncodedAddsTheNearest: what is found without the encoder stays as it was, and those
// that are nearest by it are there as well.
func TestEncodedAddsTheNearest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		docs, q := drawDocuments(t), drawQuery(t)
		vector := drawEncoded(t, docs)
		ix := index.New(semantics.Builtin(), nil)
		ix.Add(docs)
		depth := rapid.IntRange(1, len(docs)).Draw(t, "depth")
		plain, all := ix.Search(q, depth), ix.Search(q, len(docs))
		asked := q
		asked.Encoded = func([]index.Hit) []float32 { return vector }
		cosine := func(seq int64) (sum float64) {
			for i, x := range docs[seq/10-1].Encoded {
				sum += float64(x) * float64(vector[i])
			}
			return sum
		}
		hits := ix.Search(asked, depth)
		least := 1.0 // of those that only the encoder found
		for i, h := range hits {
			if i > 0 && hits[i-1].Seq >= h.Seq {
				t.Fatalf("%d stands before %d", hits[i-1].Seq, h.Seq)
			}
			if math.Abs(h.Encoded-cosine(h.Seq)) > 0.02 {
				t.Fatalf("%d is like the question by %.3f, want %.3f", h.Seq, h.Encoded, cosine(h.Seq))
			}
			if h.Encoded = 0; of(plain, h.Seq) == nil {
				least = min(least, cosine(h.Seq))
			}
			if same := of(all, h.Seq); same != nil && !reflect.DeepEqual(*same, h) {
				t.Fatalf("by the encoder %d is\n%+v\nelse\n%+v", h.Seq, h, *same)
			}
		}
		for _, h := range plain {
			if of(hits, h.Seq) == nil {
				t.Fatalf("%d is not found any more", h.Seq)
			}
		}
		for _, d := range docs {
			want := 0.0
			if d.Encoded != nil {
				want = cosine(d.Seq)
			}
			if along := ix.EncodedAlong(vector, []int64{d.Seq, -1}); math.Abs(along[0]-want) > 0.02 || along[1] != 0 {
				t.Fatalf("%d lies along the vector by %.3f, want %.3f", d.Seq, along, want)
			}
		}
		nearer := 0
		for _, d := range docs {
			if d.Encoded != nil && of(hits, d.Seq) == nil && cosine(d.Seq) > least+0.02 {
				t.Fatalf("%d is nearer than what was found", d.Seq)
			}
			if d.Encoded != nil && of(hits, d.Seq) != nil {
				nearer++
			}
		}
		if encoded := slices.DeleteFunc(slices.Clone(docs), func(d index.Document) bool { return d.Encoded == nil }); nearer < min(depth,
			len(encoded)) {
			t.Fatalf("%d of %d with a vector were found", nearer, len(encoded))
		}
	})
}

func of(hits []index.Hit, seq int64) *index.Hit {
	if i := slices.IndexFunc(hits, func(h index.Hit) bool { return h.Seq == seq }); i >= 0 {
		return &hits[i]
	}
	return nil
}

// TestAdditionsWhileTheEncoderIsWaitedFor: documents can be added while a search waits for the
// question's vector, and then it finds what a later one finds.
func TestAdditionsWhileTheEncoderIsWaitedFor(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		docs, q := drawDocuments(t), drawQuery(t)
		vector := drawEncoded(t, docs)
		ix := index.New(semantics.Builtin(), nil)
		first := rapid.IntRange(0, len(docs)).Draw(t, "first")
		ix.Add(docs[:first])
		adds := rapid.Bool().Draw(t, "adds")
		encoded := slices.ContainsFunc(docs[:first], func(d index.Document) bool { return d.Encoded != nil })
		asked := false
		q.Encoded = func([]index.Hit) []float32 {
			if !asked && adds {
				for _, d := range docs[first:] {
					ix.Add([]index.Document{d})
				}
			}
			asked = true
			return vector
		}
		got := ix.Search(q, 5)
		if asked != encoded {
			t.Fatalf("the encoder is waited for: %t; some document has a vector: %t", asked, encoded)
		}
		if want := ix.Search(q, 5); !reflect.DeepEqual(got, want) {
			t.Fatalf("found\n%+v\nwant\n%+v", got, want)
		}
	})
}

// TestKin: what shares a rare word with one of the best is found, whatever is asked.
func TestKin(t *testing.T) {
	ix := index.New(semantics.Builtin(), nil)
	docs := []index.Document{{Seq: 1, Text: "I take the Halvorsen ferry to work."}}
	for seq := int64(2); seq <= 400; seq++ {
		docs = append(docs, index.Document{Seq: seq, Text: "The harbour bakery sells rye bread."})
	}
	docs = append(docs, index.Document{Seq: 401, Text: "Halvorsen went bankrupt."})
	ix.Add(docs)
	q := index.Query{Stems: []string{"ferri", "work"}, Kin: true}
	for kin, want := range map[bool][]int64{true: {1, 401}, false: {1}} {
		q.Kin = kin
		var found, marked []int64
		for _, h := range ix.Search(q, 1) {
			found = append(found, h.Seq)
			if h.Kin {
				marked = append(marked, h.Seq)
			}
		}
		if !slices.Equal(found, want) || !slices.Equal(marked, want[1:]) {
			t.Errorf("kin %v: found %v, marked %v, want %v", kin, found, marked, want)
		}
	}
	q.Kin, q.Allowed = true, []int64{1, 2, 3}
	if hits := ix.Search(q, 1); len(hits) != 1 {
		t.Errorf("%d hits where the other is not allowed", len(hits))
	}
	if got := ix.Frequencies([]string{"halvorsen", "bread", "unheard"}); got["halvorsen"] != 2 || got["bread"] != 399 ||
		got["unheard"] != 0 {
		t.Errorf("frequencies %v", got)
	}
}

// A part of a bank whose statistics are known takes for rare only what is rare in the bank.
func TestKinOfAPart(t *testing.T) {
	stats := &index.Statistics{Documents: 5000, AverageLength: 5, Frequency: map[string]int{"halvorsen": 2, "ferri": 40, "work": 700}}
	ix := index.New(semantics.Builtin(), stats)
	ix.Add([]index.Document{{Seq: 1, Text: "I take the Halvorsen ferry to work."}, {Seq: 2, Text: "Work is tiring."},
		{Seq: 3, Text: "Halvorsen went bankrupt."}})
	var kin []int64
	for _, h := range ix.Search(index.Query{Stems: []string{"take", "ferri"}, Kin: true}, 1) {
		if h.Kin {
			kin = append(kin, h.Seq)
		}
	}
	if !slices.Equal(kin, []int64{3}) {
		t.Errorf("kin %v", kin)
	}
	if got := ix.Frequencies([]string{"halvorsen", "work", "bankrupt"}); got["halvorsen"] != 2 || got["work"] != 700 ||
		got["bankrupt"] != 1 {
		t.Errorf("frequencies %v", got)
	}
	if rare := ix.Rare(); !slices.Contains(rare, "halvorsen") || slices.Contains(rare, "unheard") {
		t.Errorf("rare: %v", rare)
	}
}
