package mirror_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"mcp-memory/memory"
	"mcp-memory/mirror"
	"mcp-memory/remember"
)

// BenchmarkUnchanged is what every call pays: nobody touched a file.
func BenchmarkUnchanged(b *testing.B) {
	k := filled(b, 200)
	for b.Loop() {
		k.Mirror.Refresh(b.Context(), "ann")
	}
}

// filled is a bank with n lines in MEMORY.md.
func filled(b *testing.B, n int) *bank {
	k := newBank(b)
	var all []remember.SaveRequest
	for i := range n {
		all = append(all, remember.SaveRequest{Content: fmt.Sprintf("Likes %d.", i), Pinned: true, Category: "preference"})
	}
	k.saveAll(all)
	k.Mirror.Refresh(b.Context(), "ann")
	return k
}

func (b *bank) saveAll(all []remember.SaveRequest) {
	b.t.Helper()
	for _, r := range all {
		if _, err := b.Remember.Save(b.t.Context(), ann, r); err != nil {
			b.t.Fatal(err)
		}
	}
}

// BenchmarkEdited is a call after a person reworded one line of 1,000 lines.
func BenchmarkEdited(b *testing.B) {
	k := filled(b, 250)
	prose := strings.Repeat("A line that a person wrote.\n", 750)
	rewrite(b, k.path, k.file()+"\n# Notes\n\n"+prose)
	k.Mirror.Refresh(b.Context(), "ann")
	words := "Likes 100."
	for i := 0; b.Loop(); i++ {
		b.StopTimer()
		next := fmt.Sprintf("Likes %d very much.", 1000+i)
		rewrite(b, k.path, strings.Replace(k.file(), words, next, 1))
		words = next
		b.StartTimer()
		k.Mirror.Refresh(b.Context(), "ann")
	}
}

// BenchmarkNotMirrored is what a save pays that no file mirrors.
func BenchmarkNotMirrored(b *testing.B) {
	k := filled(b, 200)
	r := k.record(k.save("The printer is on floor 3.", func(r *remember.SaveRequest) { r.Pinned, r.Category = false, "other" }))
	for b.Loop() {
		k.Mirror.Changed(b.Context(), "ann", mirror.Changes{Records: []memory.Record{r}})
	}
}

// BenchmarkWatched is a transaction over a store that is watched, without what it costs to commit.
func BenchmarkWatched(b *testing.B) {
	store := mirror.Watch(noStore{}, func(context.Context, string, mirror.Changes) {})
	for b.Loop() {
		_ = store.Write(b.Context(), "ann", func(tx memory.Tx) error { return tx.UpdateRecord(memory.Record{ID: "1"}) })
	}
}

type noStore struct{ memory.Store }

func (noStore) Write(_ context.Context, _ string, fn func(memory.Tx) error) error { return fn(noTx{}) }

type noTx struct{ memory.Tx }

func (noTx) UpdateRecord(memory.Record) error { return nil }

// BenchmarkMirrored is what a save pays whose line goes to a file of 250 lines.
func BenchmarkMirrored(b *testing.B) {
	k := filled(b, 250)
	for i := 0; b.Loop(); i++ {
		k.save(fmt.Sprintf("Likes dish %d.", i))
	}
}
