package recall_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"mcp-memory/embed"
	"mcp-memory/internal/endpoint"
	"mcp-memory/memory"
	"mcp-memory/recall"
)

// synonyms serves the embeddings API over HTTP with a model that knows one
// thing: which texts are about the same invented word and its synonym.
func synonyms(t *testing.T) *embed.OpenAI {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var request struct{ Input []string }
		if err := json.NewDecoder(r.Body).Decode(&request); err != nil || r.URL.Path != "/v1/embeddings" {
			http.Error(w, "no", http.StatusBadRequest)
			return
		}
		type item struct {
			Index     int       `json:"index"`
			Embedding []float64 `json:"embedding"`
		}
		var data []item
		for i, text := range request.Input {
			vector := []float64{0, 0, 0, 1}
			for _, name := range []string{"zorblat", "quillibex"} {
				if strings.Contains(text, name) {
					vector = []float64{1, 0, 0, 0.1}
				}
			}
			data = append(data, item{i, vector})
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"object": "list", "data": data})
	}))
	t.Cleanup(server.Close)
	e, err := embed.NewOpenAI(embed.OpenAIOptions{Options: endpoint.Options{BaseURL: server.URL + "/v1", Model: "synonyms"}, Dimensions: 4})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// With an endpoint its vectors rank in place of the table's, and what the
// table knows of single words stays.
func TestVectorsOfAnEndpointDecide(t *testing.T) {
	const answer = "The zorblat is behind the garage"
	fill := func(t *testing.T, e memory.Embedder) *bank {
		b := newBank(t, e)
		var records []memory.Record
		for _, text := range []string{"Emil waters the plants", "Carla sold her bicycle", answer, "Deniz plays the violin",
			"Our physician lives next door"} {
			records = append(records, b.record(text))
		}
		b.save(t, b.Store, records...)
		return b
	}
	const question = "Have we got a quillibex?"
	table := fill(t, builtin())
	if found := ask(t, table.service(table), question); len(found) > 0 && found[0].Content == answer {
		t.Errorf("the table knows the invented word: %q", contents(found))
	}
	served := synonyms(t)
	b := fill(t, served)
	worker := embed.NewWorker(b.Store, served, b.clock, slog.New(slog.DiscardHandler))
	if done, err := worker.Drain(t.Context()); done != 5 || err != nil {
		t.Fatalf("%d embedded, %v", done, err)
	}
	explained := func(r *recall.Request) { r.Explain = true }
	for name, s := range map[string]*recall.Service{"index": b.service(b), "database": b.fallback()} {
		found := ask(t, s, question, explained)
		if len(found) == 0 || found[0].Content != answer || found[0].Why.VectorScore < 0.99 {
			t.Errorf("%s: %q", name, contents(found))
		}
		soft := ask(t, s, "Where is the doctor?", explained)
		if len(soft) == 0 || soft[0].Content != "Our physician lives next door" || soft[0].Why.Part("soft_best") <= 0 {
			t.Errorf("%s, soft match: %q", name, contents(soft))
		}
	}
}

// crowd is an embedder to which any two texts are alike by 0.8 at least, and which may
// know that.
type crowd struct{ least float64 }

func (crowd) Fingerprint() memory.Fingerprint {
	return memory.Fingerprint{Model: "alike", Dimensions: 2}
}

func (crowd) Local() bool { return false }

func (c crowd) Unrelated() float64 { return c.least }

func (c crowd) EmbedDocuments(ctx context.Context, texts []string) (vectors [][]float32, err error) {
	for _, text := range texts {
		v, _ := c.EmbedQuery(ctx, text)
		vectors = append(vectors, v)
	}
	return vectors, nil
}

func (crowd) EmbedQuery(_ context.Context, text string) ([]float32, error) {
	if strings.Contains(text, "zorblat") || strings.Contains(text, "quillibex") {
		return []float32{1, 0}, nil
	}
	return []float32{0.8, 0.6}, nil
}

// Of a model to which everything is alike that counts which is above it.
func TestWhatIsAlikeAnyway(t *testing.T) {
	for _, e := range []crowd{{0}, {0.8}} {
		paced := embed.NewPaced(e)
		b := newBank(t, paced)
		b.save(t, b.Store, b.record("Emil waters the plants"), b.record("The zorblat is behind the garage"))
		if done, err := embed.NewWorker(b.Store, paced, b.clock, slog.New(slog.DiscardHandler)).Drain(t.Context()); done != 2 ||
			err != nil {
			t.Fatalf("%d embedded, %v", done, err)
		}
		s := b.service(b)
		found := ask(t, s, "quillibex Emil", func(r *recall.Request) { r.Explain = true })
		if len(found) != 2 {
			t.Fatalf("from %g on: %q", e.least, contents(found))
		}
		scores := map[string]float64{}
		for _, one := range found {
			scores[one.Content[:4]] = one.Why.VectorScore
		}
		if want := 0.8 - e.least; math.Abs(scores["Emil"]-want) > 0.01 || scores["The "] < 0.99 {
			t.Errorf("from %g on: %v, want %g for what is not meant", e.least, scores, want)
		}
	}
}
