package recall_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"mcp-memory/embed"
	"mcp-memory/internal/testbank"
	"mcp-memory/memory"
	"mcp-memory/recall"
	"mcp-memory/remember"
)

// pairs is an encoder that knows which sentences mean the same: what is said of
// a thing it has the direction of its number, and of nothing it knows nothing.
type pairs struct {
	means map[string]int
	wait  time.Duration // for a question
}

func (pairs) Fingerprint() memory.Fingerprint {
	return memory.Fingerprint{Model: memory.EncoderModels + "pairs", Dimensions: 16}
}
func (pairs) Local() bool { return false }
func (p pairs) EmbedDocuments(_ context.Context, texts []string) ([][]float32, error) {
	vectors := make([][]float32, len(texts))
	for i, text := range texts {
		vectors[i] = make([]float32, 16)
		if !strings.HasPrefix(text, nothing) {
			vectors[i][p.means[text]] = 1
		}
	}
	return vectors, nil
}
func (p pairs) EmbedQuery(ctx context.Context, query string) ([]float32, error) {
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-time.After(p.wait):
	}
	v, err := p.EmbedDocuments(ctx, []string{query})
	return v[0], err
}

const (
	reworded = "Where do we leave the kids at daytime?"
	fact     = "Mrs Olsen minds our twins from eight to four"
)

var unlike = []string{"The bins go out on Tuesday", "Our landlord is called Brandt", "The piano was tuned in May", "Dinner is at seven",
	"The red bicycle has a flat tyre"}

func encodedBank(t *testing.T, p pairs) *testbank.Bank {
	t.Helper()
	p.means = map[string]int{fact: 1, reworded: 1}
	for i, text := range unlike {
		p.means[text] = 2 + i
	}
	b := testbank.New(t, testbank.Options{Encoder: p})
	for _, text := range append(slices.Clone(unlike), fact) {
		if _, err := b.Remember.Save(t.Context(), memory.Scope{Agent: "ann"},
			remember.SaveRequest{Content: text, Kind: memory.KindFact}); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

// encoded is the least of a sentence's part that is the encoder's, and not that of words
// that stand in for it.
const encoded = 1

func firstFound(t *testing.T, s *recall.Service) (string, float64) {
	t.Helper()
	a, err := s.Recall(t.Context(), recall.Request{Query: reworded, Scope: memory.Scope{Agent: "ann"}, Explain: true})
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Results) == 0 {
		return "", 0
	}
	part := a.Results[0].Why.Part("sentence")
	if part < encoded {
		part = 0
	}
	return a.Results[0].Content, part
}

// The vector of a memory comes behind its save and counts from then on.
func TestEncoderFindsRewordings(t *testing.T) {
	b := encodedBank(t, pairs{})
	if _, part := firstFound(t, b.Recall); part != 0 {
		t.Fatalf("before anything is encoded the encoder adds %g", part)
	}
	if err := b.Encode(t.Context()); err != nil {
		t.Fatal(err)
	}
	if found, part := firstFound(t, b.Recall); found != fact || part <= 0 {
		t.Errorf("first is %q, of which the encoder has %g", found, part)
	}
	o := b.RecallOptions()
	o.Without = []string{"encoder"}
	if _, part := firstFound(t, recall.New(o)); part != 0 {
		t.Errorf("left out, it adds %g", part)
	}
	o.Without, o.Encoder = nil, nil
	if found, part := firstFound(t, recall.New(o)); part != 0 || found == fact {
		t.Errorf("without one the first is %q, of which the encoder has %g", found, part)
	}
	o = b.RecallOptions() // a new index reads what is stored
	if found, _ := firstFound(t, recall.New(o)); found != fact {
		t.Errorf("in a new index the first is %q", found)
	}
}

// An encoder that is late is done without; the answer does not wait.
func TestLateEncoder(t *testing.T) {
	b := encodedBank(t, pairs{wait: time.Hour})
	if err := b.Encode(t.Context()); err != nil {
		t.Fatal(err)
	}
	o := b.RecallOptions()
	late := *o.Encoder
	late.Patience = 0
	o.Encoder = &late
	if _, part := firstFound(t, recall.New(o)); part != 0 {
		t.Errorf("an encoder that is an hour late adds %g", part)
	}
}

// A bank is understood while its memories are encoded by a worker beside it.
func TestEncoderBesideQuestions(t *testing.T) {
	b := encodedBank(t, pairs{})
	set, err := b.Store.VectorSet(t.Context(), pairs{}.Fingerprint())
	if err != nil {
		t.Fatal(err)
	}
	e := b.RecallOptions().Encoder.Embedder
	done := make(chan error, 1)
	go func() {
		_, err := embed.NewWorker(set, e, b.Clock, b.Log).Drain(t.Context())
		done <- err
	}()
	for range 20 {
		firstFound(t, b.Recall)
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if found, _ := firstFound(t, b.Recall); found != fact {
		t.Errorf("in the end the first is %q", found)
	}
}
