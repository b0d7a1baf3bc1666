package sqlite

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// TestQuantisationKeepsTheNearest searches the compact column first and
// compares with an exact search.
func TestQuantisationKeepsTheNearest(t *testing.T) {
	for _, c := range []struct {
		name       string
		dimensions int
		draw       func(*rand.Rand, int) func() []float32
		k          int
		want       float64
	}{
		{"int8 anywhere", 128, anywhere, 50, 0.95},
		{"int8 clustered", 128, clustered, 50, 0.95},
		// Bits need some structure: seen from anywhere on a sphere of 768
		// dimensions, all vectors are about equally far away.
		{"bits in a subspace", 768, subspace, 10, 0.9},
		{"bits clustered", 768, clustered, 10, 0.9},
	} {
		t.Run(c.name, func(t *testing.T) {
			const n, questions = 1500, 10
			random := rand.New(rand.NewPCG(8, uint64(c.dimensions)))
			draw := c.draw(random, c.dimensions)
			s := newStore(t, c.dimensions)
			vectors := make([][]float32, n)
			err := s.Write(t.Context(), "ann", func(tx memory.Tx) error {
				for i := range vectors {
					vectors[i] = draw()
					if err := tx.InsertRecord(fact("ann", "x"), vectors[i]); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			found := 0
			for range questions {
				// A question is about something: near one of the documents.
				q := around(random, vectors[random.IntN(n)], 0.5)
				want := exactNearest(vectors, q, c.k)
				hits, err := s.NearestVectors(t.Context(), memory.Memories, memory.Filter{Agent: "ann"}, q, c.k)
				if err != nil || len(hits) != c.k {
					t.Fatalf("%d hits, %v", len(hits), err)
				}
				for _, h := range hits {
					if slices.Contains(want, int(h.Seq&(1<<rows.BankShift-1))-1) {
						found++
					}
				}
			}
			recall := float64(found) / float64(questions*c.k)
			if t.Logf("recall@%d is %.3f", c.k, recall); recall < c.want {
				t.Errorf("recall@%d is %.3f, want %v", c.k, recall, c.want)
			}
		})
	}
}

// anywhere draws vectors from all over the sphere.
func anywhere(random *rand.Rand, dimensions int) func() []float32 {
	return func() []float32 { return unit(random, dimensions) }
}

// clustered draws vectors around a few centres.
func clustered(random *rand.Rand, dimensions int) func() []float32 {
	centres := make([][]float32, 5)
	for i := range centres {
		centres[i] = unit(random, dimensions)
	}
	inside := subspace(random, dimensions)
	return func() []float32 {
		v := slices.Clone(centres[random.IntN(len(centres))])
		for i, x := range inside() {
			v[i] += 0.7 * x
		}
		return normal(v)
	}
}

// subspace draws vectors that vary in a few directions mostly, as embeddings do.
func subspace(random *rand.Rand, dimensions int) func() []float32 {
	axes := make([][]float32, 24)
	for i := range axes {
		axes[i] = unit(random, dimensions)
	}
	return func() []float32 {
		v := make([]float32, dimensions)
		for _, axis := range axes {
			amount := float32(random.NormFloat64())
			for i, x := range axis {
				v[i] += amount * x
			}
		}
		return around(random, normal(v), 0.2)
	}
}

// around moves a vector by some distance in any direction.
func around(random *rand.Rand, v []float32, distance float32) []float32 {
	moved := slices.Clone(v)
	for i, x := range unit(random, len(v)) {
		moved[i] += distance * x
	}
	return normal(moved)
}

func exactNearest(vectors [][]float32, q []float32, k int) []int {
	order, scores := make([]int, len(vectors)), make([]float64, len(vectors))
	for i, v := range vectors {
		order[i] = i
		for j := range v {
			scores[i] += float64(v[j]) * float64(q[j])
		}
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	return order[:k]
}

func TestQuantise(t *testing.T) {
	for _, c := range []struct {
		v    []float32
		int8 []int8
		bits byte
	}{
		{[]float32{1, -1, 0, 0.5, -0.5, 0, 0, 0}, []int8{127, -127, 0, 64, -64, 0, 0, 0}, 0b1001},
		{[]float32{0, 0, 0, 0, 0, 0, 0, 0}, []int8{0, 0, 0, 0, 0, 0, 0, 0}, 0},
		{[]float32{1e-30, -1e-30, 0, 0, 0, 0, 0, 1e-30}, []int8{127, -127, 0, 0, 0, 0, 0, 127}, 0b10000001},
		{[]float32{3e38, 3e38, -3e38, 0, 0, 0, 0, 0}, []int8{127, 127, -127, 0, 0, 0, 0, 0}, 0b11},
	} {
		var got []int8
		for _, b := range quantiseInt8(c.v) {
			got = append(got, int8(b))
		}
		if !slices.Equal(got, c.int8) {
			t.Errorf("%v as int8: %v, want %v", c.v, got, c.int8)
		}
		if got := quantiseBits(c.v); len(got) != 1 || got[0] != c.bits {
			t.Errorf("%v as bits: %b, want %b", c.v, got, c.bits)
		}
		if got := rows.Vector(rows.Floats(c.v)); !slices.Equal(got, c.v) {
			t.Errorf("%v came back as %v", c.v, got)
		}
	}
}

// TestUnusedSetsAreDropped, and those in use are not.
func TestUnusedSetsAreDropped(t *testing.T) {
	path := closedFile(t, 2)
	at := func(day, dimensions int) *Store {
		t.Helper()
		s, err := Open(t.Context(), path,
			Options{Embedder: embedder(dimensions), Clock: func() time.Time { return start.AddDate(0, 0, day) }})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		return s
	}
	at(20, 16).Close()
	s := at(29, 24)
	if n := count(t, s, "vector_sets"); n != 3 {
		t.Errorf("after 29 days: %d sets", n)
	}
	s.Close()
	s = at(31, 16)
	defer s.Close()
	if n := count(t, s, "vector_sets"); n != 2 {
		t.Errorf("after 31 days: %d sets", n)
	}
	var tables int
	err := s.read.QueryRowContext(t.Context(), `SELECT count(*) FROM sqlite_schema WHERE name LIKE 'vectors_1_%'`).Scan(&tables)
	if err != nil || tables != 0 {
		t.Errorf("%d tables of the dropped set, %v", tables, err)
	}
	insert(t, s, nil, fact("ann", "x"))
	if n, err := s.VectorBacklog(t.Context()); n != 3 || err != nil {
		t.Errorf("backlog %d, %v", n, err)
	}
}
