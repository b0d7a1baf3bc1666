package sqlite

import (
	"strings"

	"mcp-memory/memory"
	"mcp-memory/text/analysis"
)

// document is a document that is to be put into the indexes at the end of a transaction.
type document struct {
	corpus  memory.Corpus
	seq     int64
	content string
	vector  []float32 // nil if it comes later

	words string   // what the word index gets
	parts string   // what the substring index gets
	stems []string // for the bank's statistics
}

// analysisBatch is how many documents one goroutine analyses.
const analysisBatch = 32

// maxPending bounds the documents that wait in memory for the end of a very
// large transaction.
const maxPending = 8192

// index adds a new document to those that writePending puts into the text indexes, the term
// statistics and the vectors at the end of the transaction. Until then batches of them are analysed
// on another core, while this one goes on writing rows.
func (t *tx) index(c memory.Corpus, seq int64, content string, vector []float32) error {
	if vector != nil {
		if err := t.store.vector.check(vector); err != nil {
			return err
		}
	}
	t.pending = append(t.pending, &document{corpus: c, seq: seq, content: content, vector: vector})
	if some := t.pending[t.analysed:]; len(some) == analysisBatch {
		t.analysed = len(t.pending)
		t.analyses.Go(func() { analyse(some) })
	}
	if len(t.pending) >= maxPending {
		return t.writePending()
	}
	return nil
}

func analyse(documents []*document) {
	for _, d := range documents {
		d.words, d.parts, d.stems = analysis.IndexText(d.content), partsText(d.content), analysis.Content(d.content)
	}
}

// partsText returns what the trigram index gets of a text: each literal part once. Indexing the
// whole text would find the same parts and cost twice as much.
func partsText(content string) string { return strings.Join(analysis.Substrings(content), " ") }

// writePending puts the pending documents into the indexes, one index after the other.
func (t *tx) writePending() error {
	if len(t.pending) == 0 {
		return nil
	}
	analyse(t.pending[t.analysed:])
	t.analyses.Wait()
	all := t.pending
	t.pending, t.analysed = nil, 0
	for _, d := range all {
		if err := t.Exec(`INSERT INTO `+string(d.corpus)+`_words (rowid, text) VALUES (?, ?)`, d.seq, d.words); err != nil {
			return err
		}
		t.counts.Add(d.corpus, d.stems, 1)
	}
	for _, d := range all {
		if err := t.Exec(`INSERT INTO `+string(d.corpus)+`_parts (rowid, text) VALUES (?, ?)`, d.seq, d.parts); err != nil {
			return err
		}
	}
	for _, d := range all {
		if d.vector != nil {
			if err := t.storeVector(t.store.vector, d.corpus, d.seq, d.vector); err != nil {
				return err
			}
		}
		if err := t.queueVector(d.corpus, d.seq, d.vector != nil); err != nil {
			return err
		}
	}
	return nil
}

// unindex removes a document from everything that index puts it into; content is its searched text.
func (t *tx) unindex(c memory.Corpus, seq int64, content string) error {
	if err := t.writePending(); err != nil {
		return err
	}
	t.erased = true
	t.counts.Add(c, analysis.Content(content), -1)
	return t.dropDocument(c, seq)
}
