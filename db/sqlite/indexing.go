package sqlite

import (
	"strings"

	"mcp-memory/memory"
	"mcp-memory/text/analysis"
)

// document is what the end of a transaction puts into the indexes.
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

// index notes a new document for the text indexes, the bank's statistics and
// the vectors. The end of the transaction puts it there: until then a batch is
// analysed on another core, while its rows are still written on this one.
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

// partsText is what the trigram index gets of a text: each literal part once.
// Indexing running text would find the same parts and cost twice as much.
func partsText(content string) string { return strings.Join(analysis.Substrings(content), " ") }

// writePending puts what index has noted into one index after the other.
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

// unindex takes a document out of everything that index has put it into, or
// was going to.
func (t *tx) unindex(c memory.Corpus, seq int64, content string) error {
	if err := t.writePending(); err != nil {
		return err
	}
	t.erased = true
	t.counts.Add(c, analysis.Content(content), -1)
	return t.dropDocument(c, seq)
}
