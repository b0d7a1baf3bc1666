package recall

import (
	"context"
	"slices"
	"time"

	"mcp-memory/memory"
	"mcp-memory/recall/index"
)

// Encoder is a second embedder of memories: slower than the store's own, so its
// vectors come behind, and one that knows sentences instead of words.
type Encoder struct {
	memory.Embedder
	// Stored has the vectors of the memories.
	Stored StoredVectors
	// Patience is how long a question waits for its vector. After that it is
	// answered without. 0 is [EncoderPatience].
	Patience time.Duration
}

// StoredVectors are the vectors of one embedder in a store.
type StoredVectors interface {
	// Vectors returns those of documents, without those that have none.
	Vectors(ctx context.Context, agent string, corpus memory.Corpus, seqs []int64) (map[int64][]float32, error)
}

// EncoderPatience is how long a question waits for the encoder.
const EncoderPatience = 8 * time.Millisecond

const (
	// maxEncoded is how many memories a bank may have for the index to keep their
	// vectors by the encoder.
	maxEncoded = 250_000
	// looksAgain is how many documents without such a vector are looked for again
	// at a time: those that wait longest get theirs first.
	looksAgain = 2000
)

const (
	// unlike is the cosine by the encoder up to which two sentences have nothing in
	// common: any two are a little alike.
	unlike = 0.3
	// Where the best of all documents is not even this like the question, the
	// encoder does not know what it is about; from sureLike on it does.
	unsureLike, sureLike = 0.4, 0.5
	// Of technical questions it knows less than the table does: whoever asks one
	// gets this share less of it, all of it from technicalScore on.
	technicalLoss, technicalScore = 0.9, 0.25
	technicalCategory             = "technical"
)

// likeSentence is how much a cosine by the encoder says, 0 to 1.
func likeSentence(cosine float64) float64 { return max(0, (cosine-unlike)/(1-unlike)) }

// trusted is how far the encoder is believed about a question, 0 to 1.
func (q question) trusted(hits []index.Hit) float64 {
	if q.encoded == nil {
		return 0
	}
	best := 0.0
	for _, h := range hits {
		best = max(best, h.Encoded)
	}
	sure := min(1, max(0, (best-unsureLike)/(sureLike-unsureLike)))
	for _, c := range q.categories {
		if c.Name == technicalCategory {
			sure *= 1 - technicalLoss*min(1, c.Score/technicalScore)
		}
	}
	return sure
}

// ask starts to encode a question and returns what gives its vector: nil if
// there is none within the encoder's patience.
func (e *Encoder) ask(ctx context.Context, text string) func() []float32 {
	if e == nil {
		return func() []float32 { return nil }
	}
	patience := e.Patience
	if patience == 0 {
		patience = EncoderPatience
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	done := make(chan []float32, 1)
	go func() {
		vector, err := e.EmbedQuery(ctx, text)
		if err != nil || !slices.ContainsFunc(vector, func(x float32) bool { return x != 0 }) {
			vector = nil
		}
		done <- vector
	}()
	return func() []float32 {
		defer cancel()
		select {
		case vector := <-done:
			return vector
		case <-ctx.Done():
			return nil
		}
	}
}

// encoded reports whether documents of a corpus have vectors by the encoder.
func (x *indexes) encoded(c memory.Corpus) bool { return x.encoder != nil && c == memory.Memories }

// addEncoded gives documents the vectors by the encoder that the store has, and
// returns the numbers of those that have none.
func (x *indexes) addEncoded(ctx context.Context, agent string, c memory.Corpus, list []index.Document) (without []int64, err error) {
	if !x.encoded(c) || len(list) == 0 {
		return nil, nil
	}
	seqs := make([]int64, len(list))
	for i, d := range list {
		seqs[i] = d.Seq
	}
	vectors, err := x.encoder.Stored.Vectors(ctx, agent, c, seqs)
	for i, d := range list {
		if list[i].Encoded = vectors[d.Seq]; list[i].Encoded == nil {
			without = append(without, d.Seq)
		}
	}
	return without, err
}

// addLateEncoded takes up vectors by the encoder that arrived after their documents.
func (x *indexes) addLateEncoded(ctx context.Context, b *built, agent string, c memory.Corpus) error {
	if len(b.unencoded) == 0 {
		return nil
	}
	some := b.unencoded[:min(looksAgain, len(b.unencoded))]
	vectors, err := x.encoder.Stored.Vectors(ctx, agent, c, some)
	if err != nil {
		return err
	}
	for seq, v := range vectors {
		b.SetEncoded(seq, v)
	}
	b.unencoded = slices.DeleteFunc(b.unencoded, func(seq int64) bool { return vectors[seq] != nil })
	return nil
}
