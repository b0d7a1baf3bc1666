package sqlite

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"mcp-memory/memory"
)

// newFacts returns n facts of about 100 characters with vectors.
func newFacts(n int) ([]memory.Record, [][]float32) {
	words, random := newLexicon(3), rand.New(rand.NewPCG(3, 4))
	records, vectors := make([]memory.Record, n), make([][]float32, n)
	for i := range records {
		records[i], vectors[i] = fact("ann", words.sentence(100)), unit(random, 128)
		records[i].Category = memory.DefaultCategories()[i%12].Name
	}
	return records, vectors
}

func insertBatch(b *testing.B, s *Store, records []memory.Record, vectors [][]float32) {
	err := s.Write(b.Context(), "ann", func(tx memory.Tx) error {
		for i, r := range records {
			if err := tx.InsertRecord(r, vectors[i]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
}

func BenchmarkSave(b *testing.B) {
	s := newStore(b, 128)
	records, vectors := newFacts(1000)
	for i := 0; b.Loop(); i++ {
		r := records[i%1000]
		r.ID = ids.New()
		insertBatch(b, s, []memory.Record{r}, vectors[i%1000:i%1000+1])
	}
}

// BenchmarkBulkInsert reports records a second, of batches into a growing bank.
func BenchmarkBulkInsert(b *testing.B) {
	for _, size := range []int{500, 2000} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			s := newStore(b, 128)
			records, vectors := newFacts(4 * size)
			n := 0
			for i := 0; b.Loop(); i = (i + 1) % 4 {
				batch := records[i*size : (i+1)*size]
				for j := range batch {
					batch[j].ID = ids.New()
				}
				insertBatch(b, s, batch, vectors[i*size:(i+1)*size])
				n += size
			}
			b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "records/s")
		})
	}
}

const benchmarkSize = 10000

func filled(b *testing.B) *Store {
	s := newStore(b, 128)
	records, vectors := newFacts(benchmarkSize)
	for i := 0; i < benchmarkSize; i += 1000 {
		insertBatch(b, s, records[i:i+1000], vectors[i:i+1000])
	}
	return s
}

var benchmarkFilters = map[string]memory.Filter{
	"all":    {Agent: "ann"},
	"narrow": {Agent: "ann", Categories: []string{"goal"}},
	"empty":  {Agent: "ann", Projects: []string{"none"}},
}

func BenchmarkMatchWords(b *testing.B) {
	s := filled(b)
	for name, f := range benchmarkFilters {
		b.Run(name, func(b *testing.B) {
			words := newLexicon(5)
			for b.Loop() {
				query := make([]string, 7)
				for i := range query {
					query[i] = words.word()
				}
				if _, err := s.MatchWords(b.Context(), memory.Memories, f, query, 100); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkNearestVectors(b *testing.B) {
	s := filled(b)
	for name, f := range benchmarkFilters {
		b.Run(name, func(b *testing.B) {
			random := rand.New(rand.NewPCG(6, 6))
			for b.Loop() {
				if _, err := s.NearestVectors(b.Context(), memory.Memories, f, unit(random, 128), 100); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
