package recall

import (
	"context"
	"math"
	"slices"
	"sync"
	"time"

	"mcp-memory/memory"
	"mcp-memory/recall/index"
)

// Encoder is a second embedder of memories and conversations, which encodes sentences instead of
// words. It is slower than the store's own, so a document gets its vector some time after it is
// saved.
type Encoder struct {
	memory.Embedder
	// Stored returns the vectors of the memories, nil as long as they cannot be
	// read: an index takes them up when they can.
	Stored func() StoredVectors
	// Settle gives the few memories that were saved just before a question their
	// vectors; nil for none. The question waits for it.
	Settle func(context.Context)
	// Patience is how long a question waits for its vector. After that it is
	// answered without. 0 is [EncoderPatience].
	Patience time.Duration
}

// StoredVectors are the vectors of one embedder in a store. A document that has
// none and does not wait for one gets none: it has nothing that the model knows.
type StoredVectors interface {
	// Vectors returns those of documents, without those that have none.
	Vectors(ctx context.Context, agent string, corpus memory.Corpus, seqs []int64) (map[int64][]float32, error)
	// Queued returns the first documents of a bank that wait for theirs, in
	// ascending order and at most limit. They get them about in this order.
	Queued(ctx context.Context, agent string, corpus memory.Corpus, limit int) ([]int64, error)
}

// EncoderPatience is how long a question waits for the encoder.
const EncoderPatience = 150 * time.Millisecond

const (
	// maxEncoded is how many memories a bank may have for the index to keep their
	// vectors by the encoder.
	maxEncoded = 250_000
	// takenAtOnce is for how many documents a question takes newly made vectors into the
	// index; the next question goes on.
	takenAtOnce = 128
)

const (
	// unlike is the cosine by the encoder up to which two sentences have nothing in
	// common: any two are a little alike.
	unlike = 0.1
	// Where even the best document's cosine with the question is below unsureLike, the
	// encoder does not know what the question is about and is not trusted; from sureLike
	// on it is, and in between in proportion.
	unsureLike, sureLike = 0.2, 0.3
)

// likeSentence rescales a cosine by the encoder: 0 up to that of unrelated sentences (unlike), 1 for 1.
func likeSentence(cosine float64) float64 { return max(0, (cosine-unlike)/(1-unlike)) }

// trusted is how far the encoder is trusted to know what a question is about, 0 to 1, by the best of
// its cosines.
func (q question) trusted(hits []index.Hit) float64 {
	if q.script {
		return 0
	}
	best := 0.0
	for _, h := range hits {
		best = max(best, h.Encoded)
	}
	return min(1, max(0, (best-unsureLike)/(sureLike-unsureLike)))
}

// ask starts to encode a question and returns a function that waits for its vector; it returns nil
// if there is none within the encoder's patience, which begins now.
func (e *Encoder) ask(ctx context.Context, text string) func() []float32 {
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
	return sync.OnceValue(func() []float32 {
		defer cancel()
		select {
		case vector := <-done:
			return vector
		case <-ctx.Done():
			return nil
		}
	})
}

// settle is Settle, where there is one.
func (e *Encoder) settle(ctx context.Context) {
	if e.Settle != nil {
		e.Settle(ctx)
	}
}

// serves reports whether documents of a corpus have vectors by the encoder.
func (e *Encoder) serves(c memory.Corpus) bool { return e != nil && c.Valid() }

// addEncoded gives documents the vectors by the encoder that the store has.
func (x *indexes) addEncoded(ctx context.Context, agent string, c memory.Corpus, list []index.Document) {
	if !x.encoder.serves(c) || len(list) == 0 {
		return
	}
	stored := x.encoder.Stored()
	if stored == nil {
		return
	}
	seqs := make([]int64, len(list))
	for i, d := range list {
		seqs[i] = d.Seq
	}
	vectors, err := stored.Vectors(ctx, agent, c, seqs)
	x.noteEncoder(ctx, err)
	for i, d := range list {
		list[i].Encoded = vectors[d.Seq]
	}
}

// takeUp puts vectors that the encoder has made since into an index, for up to most documents, and
// sets b.behind where there may be more. Errors are only logged: questions are answered without
// the encoder, too.
func (x *indexes) takeUp(ctx context.Context, b *built, agent string, c memory.Corpus, most int) {
	if b.behind = len(b.unencoded) > 0; !b.behind {
		return
	}
	stored := x.encoder.Stored()
	if stored == nil {
		return
	}
	queued, err := stored.Queued(ctx, agent, c, page)
	var done []int64
	if err == nil {
		done = b.served(queued, most)
		err = x.setEncoded(ctx, b, stored, agent, c, done)
	}
	if x.noteEncoder(ctx, err); err != nil {
		return
	}
	b.unencoded = slices.DeleteFunc(b.unencoded, func(seq int64) bool {
		_, served := slices.BinarySearch(done, seq)
		return served
	})
	b.behind = len(done) == most
}

// served returns up to most documents of b.unencoded that the encoder has dealt with since: those
// that are not in its queue, of which queued has the first page.
func (b *built) served(queued []int64, most int) (done []int64) {
	last := int64(math.MaxInt64)
	if len(queued) == page { // the queue may go on behind them
		last = queued[page-1]
	}
	for _, seq := range b.unencoded {
		if len(done) == most || seq > last {
			break
		}
		if _, waits := slices.BinarySearch(queued, seq); !waits {
			done = append(done, seq)
		}
	}
	return done
}

// setEncoded reads the stored vectors of documents into an index.
func (x *indexes) setEncoded(ctx context.Context, b *built, stored StoredVectors, agent string, c memory.Corpus, seqs []int64) error {
	for some := range slices.Chunk(seqs, page) {
		vectors, err := stored.Vectors(ctx, agent, c, some)
		if err != nil {
			return err
		}
		for seq, v := range vectors {
			b.SetEncoded(seq, v)
		}
	}
	return nil
}

// noteEncoder logs once when the vectors by the encoder begin to be unreadable.
func (x *indexes) noteEncoder(ctx context.Context, err error) {
	if failed := err != nil; ctx.Err() == nil && x.withoutEncoder.Swap(failed) != failed && failed {
		x.log.WarnContext(ctx, "questions are answered without the vectors of the sentence encoder", "error", err)
	}
}
