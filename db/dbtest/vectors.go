package dbtest

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"mcp-memory/memory"
)

var vectorTests = map[string]func(*testing.T, *env){
	"exact order":        exactOrder,
	"stored as they are": storedAsTheyAre,
	"of nothing":         zeroVectors,
	"of a wrong size":    wrongSize,
}

// direction returns a vector of length 1 with the given cosine to the first axis; its other
// components are random, by seed.
func direction(cosine float64, seed uint64) []float32 {
	random := rand.New(rand.NewPCG(seed, 7))
	rest := make([]float64, Fingerprint.Dimensions-1)
	var length float64
	for i := range rest {
		rest[i] = random.NormFloat64()
		length += rest[i] * rest[i]
	}
	scale := math.Sqrt((1 - cosine*cosine) / length)
	v := []float32{float32(cosine)}
	for _, x := range rest {
		v = append(v, float32(x*scale))
	}
	return v
}

func exactOrder(t *testing.T, e *env) {
	const n = 400
	cosines := map[string]float64{}
	e.write(t, func(tx memory.Tx) error {
		for i := range n {
			cosine := math.Cos(math.Pi * float64(i*37%n) / n)
			r := e.record(fmt.Sprint("v", i))
			cosines[r.Content] = cosine
			if err := tx.InsertRecord(r, direction(cosine, uint64(i))); err != nil {
				return err
			}
		}
		return nil
	})
	want := slices.SortedFunc(func(yield func(string) bool) {
		for name := range cosines {
			if !yield(name) {
				return
			}
		}
	}, func(a, b string) int { return cmp.Compare(cosines[b], cosines[a]) })
	for _, limit := range []int{1, 10, 100, n, 2 * n} {
		for _, length := range []float32{1, 3} { // the length of the question's vector does not matter
			question := towards(1)
			question[0] *= length
			hits, err := e.NearestVectors(t.Context(), memory.Memories, memory.Filter{Agent: agent}, question, limit)
			got := e.names(t, memory.Memories, agent, hits, err)
			if !slices.Equal(got, want[:min(limit, n)]) {
				t.Errorf("limit %d: order %q, want %q", limit, got[:min(5, len(got))], want[:min(5, limit)])
			}
			for i, h := range hits {
				if math.Abs(h.Score-cosines[got[i]]) > 1e-5 {
					t.Errorf("%s has score %v, want %v", got[i], h.Score, cosines[got[i]])
				}
			}
		}
	}
}

func storedAsTheyAre(t *testing.T, e *env) {
	first, second := direction(0.3, 1), direction(-0.8, 2)
	e.save(t, first, e.record("harbour one"))
	e.save(t, second, e.record("harbour two"))
	e.save(t, nil, e.record("harbour three"))
	e.reopen(t, Fingerprint)
	hits, err := searches["words"](t.Context(), e, memory.Memories, memory.Filter{Agent: agent}, 5)
	if err != nil || len(hits) != 3 {
		t.Fatalf("%v, %v", hits, err)
	}
	seqs := []int64{hits[0].Seq, hits[1].Seq, hits[2].Seq, 999}
	slices.Sort(seqs)
	got, err := e.Vectors(t.Context(), agent, memory.Memories, append(seqs, seqs[1]))
	if err != nil || len(got) != 2 {
		t.Fatalf("%v, %v", got, err)
	}
	if !slices.Equal(got[seqs[1]], first) || !slices.Equal(got[seqs[2]], second) {
		t.Errorf("vectors %v, want %v and %v", got, first, second)
	}
	if got, err := e.Vectors(t.Context(), agent, memory.Memories, nil); len(got) != 0 || err != nil {
		t.Errorf("of no document: %v, %v", got, err)
	}
}

func zeroVectors(t *testing.T, e *env) {
	e.save(t, make([]float32, Fingerprint.Dimensions), e.record("harbour of nothing"))
	e.save(t, towards(0.5), e.record("harbour of something"))
	hits, err := searches["vectors"](t.Context(), e, memory.Memories, memory.Filter{Agent: agent}, 5)
	if got := e.names(t, memory.Memories, agent, hits, err); !slices.Equal(got, []string{"harbour of something"}) {
		t.Errorf("found %q", got)
	}
	hits, err = e.NearestVectors(t.Context(), memory.Memories, memory.Filter{Agent: agent}, make([]float32, Fingerprint.Dimensions), 5)
	if len(hits) != 0 || err != nil {
		t.Errorf("question of nothing: %v, %v", hits, err)
	}
	if n, err := e.VectorBacklog(t.Context()); n != 0 || err != nil {
		t.Errorf("backlog %d, %v: a vector of nothing was made", n, err)
	}
}

func wrongSize(t *testing.T, e *env) {
	for _, size := range []int{0, 7, 9, 16} {
		v := make([]float32, size)
		for i := range v {
			v[i] = 1
		}
		before := bankState(t, e)
		err := e.Write(t.Context(), agent, func(tx memory.Tx) error { return tx.InsertRecord(e.record("harbour"), v) })
		if err == nil {
			t.Errorf("a vector of %d dimensions was stored", size)
		}
		if after := bankState(t, e); after != before {
			t.Errorf("size %d: the bank changed\n from %s\n   to %s", size, before, after)
		}
		if size == 0 {
			continue // no vector, so nothing is searched
		}
		if _, err := e.NearestVectors(t.Context(), memory.Memories, memory.Filter{Agent: agent}, v, 5); err == nil {
			t.Errorf("a question of %d dimensions was answered", size)
		}
	}
}
