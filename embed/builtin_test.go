package embed_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"mcp-memory/embed"
	"mcp-memory/memory"
	"mcp-memory/text/semantics"
)

func product(a, b []float32) (sum float64) {
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

func TestBuiltinFingerprintFitsTheTable(t *testing.T) {
	b := embed.NewBuiltin()
	if got := b.Fingerprint().String(); got != "builtin/semantic-40k@192" {
		t.Errorf("fingerprint %s", got)
	}
	if table := semantics.Builtin(); table.Len() != 40000 || table.Dim() != b.Fingerprint().Dimensions {
		t.Errorf("the table has %d rows of %d values", table.Len(), table.Dim())
	}
	if !b.Local() {
		t.Error("not local")
	}
}

func TestBuiltinEmbeds(t *testing.T) {
	var b memory.Embedder = embed.NewBuiltin()
	vectors, err := b.EmbedDocuments(t.Context(), []string{
		"Anna has a job at the hospital in Utrecht.",
		"To undo a deployment, run the previous tag again.",
		"東京 zzyzzx",
		"",
	})
	if err != nil || len(vectors) != 4 {
		t.Fatalf("%d vectors, %v", len(vectors), err)
	}
	query, err := b.EmbedQuery(t.Context(), "Where does my sister work?")
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{0.36627, -0.05747, 0, 0} {
		if got := product(query, vectors[i]); math.Abs(got-want) > 1e-4 {
			t.Errorf("similarity to text %d is %v, want %v", i, got, want)
		}
	}
	for i, want := range []float64{1, 1, 0, 0} {
		if got := product(vectors[i], vectors[i]); math.Abs(got-want) > 1e-5 || len(vectors[i]) != 192 {
			t.Errorf("vector %d: squared length %v of %d values", i, got, len(vectors[i]))
		}
	}
}

func TestBuiltinHonoursTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	b := embed.NewBuiltin()
	if _, err := b.EmbedDocuments(ctx, []string{"one"}); !errors.Is(err, context.Canceled) {
		t.Errorf("documents: %v", err)
	}
	if _, err := b.EmbedQuery(ctx, "one"); !errors.Is(err, context.Canceled) {
		t.Errorf("query: %v", err)
	}
}

func BenchmarkBuiltin(b *testing.B) {
	e := embed.NewBuiltin()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := e.EmbedQuery(b.Context(), "My sister Anna has a new job at the hospital in Utrecht and "+
			"will deploy the first release on Friday morning"); err != nil {
			b.Fatal(err)
		}
	}
}
