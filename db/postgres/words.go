package postgres

import (
	"cmp"
	"context"
	"hash/fnv"
	"math"
	"slices"
	"strings"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
	"mcp-memory/text/analysis"
)

// document is a new document that is to be indexed.
type document struct {
	corpus  memory.Corpus
	seq     int64
	content string
	vector  []float32 // nil if the embedding workers make it
}

// index notes a new document, which flush will add to the text indexes, the bank's statistics and
// the vectors.
func (t *tx) index(c memory.Corpus, seq int64, content string, vector []float32) error {
	if vector != nil {
		if err := t.store.vector.check(vector); err != nil {
			return err
		}
	}
	t.pending = append(t.pending, &document{corpus: c, seq: seq, content: content, vector: vector})
	return nil
}

// writePending adds the documents that index has noted to the indexes.
func (t *tx) writePending() error {
	list := t.pending
	t.pending = nil
	type queue struct {
		corpus memory.Corpus
		done   bool
	}
	queues := map[queue][]int64{}
	for _, d := range list {
		if err := t.Exec(`INSERT INTO `+string(d.corpus)+`_words (agent, seq, terms) VALUES (?, ?, ?)`, t.agent, d.seq,
			termsOf(t.bank, d.content)); err != nil {
			return err
		}
		if err := t.Exec(`INSERT INTO `+string(d.corpus)+`_text (agent, seq, parts) VALUES (?, ?, ?)`, t.agent, d.seq,
			partsOf(d.content)); err != nil {
			return err
		}
		t.counts.Add(d.corpus, analysis.Content(d.content), 1)
		if d.vector != nil {
			if err := t.storeVector(t.store.vector, d.corpus, d.seq, d.vector); err != nil {
				return err
			}
		}
		q := queue{d.corpus, d.vector != nil}
		queues[q] = append(queues[q], d.seq)
	}
	for q, seqs := range queues {
		if err := t.queueVectors(q.corpus, seqs, q.done); err != nil {
			return err
		}
	}
	return nil
}

// unindex removes a document from everything that index has added it to, or was going to.
func (t *tx) unindex(c memory.Corpus, seq int64, content string) error {
	if err := t.writePending(); err != nil {
		return err
	}
	t.erased = true
	t.counts.Add(c, analysis.Content(content), -1)
	for _, from := range []string{string(c) + "_words WHERE agent = ? AND seq = ?", string(c) + "_text WHERE agent = ? AND seq = ?",
		"vectors WHERE agent = ? AND seq = ? AND corpus = '" + string(c) + "'",
		"vector_queue WHERE agent = ? AND seq = ? AND corpus = '" + string(c) + "'"} {
		if err := t.Exec(`DELETE FROM `+from, t.agent, seq); err != nil {
			return err
		}
	}
	return nil
}

// termsOf returns the terms of a text in its order, with repeats and stop words.
func termsOf(bank int64, text string) []int64 {
	tokens := analysis.Tokens(analysis.IndexText(text))
	terms := make([]int64, len(tokens))
	for i, token := range tokens {
		terms[i] = termOf(bank, token)
	}
	return terms
}

// termOf returns the number of a stem in a bank, the FNV-1a hash of both. With 64 bits, two stems
// of a bank hardly ever have the same one.
func termOf(bank int64, stem string) int64 {
	h := fnv.New64a()
	var number [8]byte
	for i := range number {
		number[i] = byte(bank >> (8 * i))
	}
	h.Write(number[:])
	h.Write([]byte(stem))
	return int64(h.Sum64())
}

// partsOf returns what MatchSubstrings searches of a text: each of its literal parts once, in lower
// case.
func partsOf(text string) string {
	return strings.ToLower(storable(strings.Join(analysis.Substrings(text), " ")))
}

// maxPostings bounds how many documents a word query reads and scores; see rarest. With 5,000,
// about 90 % of the ten best documents of the unbounded query are among the first hundred.
const maxPostings = 5000

// The parameters of BM25, the same as those of SQLite's FTS5.
const (
	bm25K = 1.2
	bm25B = 0.75
)

// phrase is a word of a query: one term, or several in a row.
type phrase struct {
	terms    []int64
	stem     string // of the first term
	postings int    // how many documents have stem, 0 if that is not counted
}

// MatchWords implements [memory.Searcher].
func (s *Store) MatchWords(ctx context.Context, c memory.Corpus, f memory.Filter, words []string, limit int) ([]memory.Hit, error) {
	bank, err := s.bankOf(ctx, f.Agent)
	if err != nil || bank == 0 || limit <= 0 {
		return nil, err
	}
	all, err := s.wordQuery(ctx, c, f, bank, words)
	if err != nil || len(all.phrases) == 0 {
		return nil, err
	}
	rare := all.rarest()
	hits, err := s.match(ctx, rare, limit)
	if err == nil && len(hits) < limit && len(rare.phrases) < len(all.phrases) && (f.Narrow() || f.Projects != nil) {
		// What passes the filter may contain none of the rare words. It is few documents, so all
		// words are searched in it.
		return s.match(ctx, all, limit)
	}
	return hits, err
}

// wordQuery is a search for documents of a corpus that have any of the phrases.
type wordQuery struct {
	corpus  memory.Corpus
	filter  memory.Filter
	phrases []phrase // alternatives
	stats   memory.Statistics
}

// wordQuery returns the query for some words, with how often each occurs.
func (s *Store) wordQuery(ctx context.Context, c memory.Corpus, f memory.Filter, bank int64, words []string) (wordQuery, error) {
	q := wordQuery{corpus: c, filter: f, phrases: phrasesOf(bank, words)}
	stems := make([]string, len(q.phrases))
	for i, p := range q.phrases {
		stems[i] = p.stem
	}
	var err error
	q.stats, err = s.Statistics(ctx, f.Agent, c, stems)
	q.count()
	return q, err
}

// phrasesOf returns the phrases of a query's words, without words that have no term.
func phrasesOf(bank int64, words []string) (list []phrase) {
	for _, w := range words[:min(len(words), memory.MaxTerms)] {
		tokens := analysis.Tokens(rows.Phrase(w))
		if len(tokens) == 0 {
			continue
		}
		p := phrase{stem: tokens[0]}
		for _, token := range tokens {
			p.terms = append(p.terms, termOf(bank, token))
		}
		list = append(list, p)
	}
	return list
}

// count sets the postings of the phrases. They are 0 for stop words, which are not counted.
func (q wordQuery) count() {
	for i := range q.phrases {
		q.phrases[i].postings = q.stats.Frequency[q.phrases[i].stem]
	}
}

// rarest returns the query with its rarest phrases only: as many as have at most maxPostings in
// all, but at least one. Words that no document has, and stop words, are left out. The query stays
// whole if the bank has few documents.
func (q wordQuery) rarest() wordQuery {
	if q.stats.Documents <= maxPostings/max(1, len(q.phrases)) {
		return q
	}
	q.phrases = slices.DeleteFunc(slices.Clone(q.phrases), func(p phrase) bool { return p.postings == 0 && len(p.terms) == 1 })
	slices.SortStableFunc(q.phrases, func(a, b phrase) int { return cmp.Compare(a.postings, b.postings) })
	total := 0
	for i, p := range q.phrases {
		if total += p.postings; total > maxPostings && i > 0 {
			q.phrases = q.phrases[:i]
			break
		}
	}
	return q
}

// match returns the documents that have any of the phrases, the best first.
func (s *Store) match(ctx context.Context, q wordQuery, limit int) ([]memory.Hit, error) {
	var hits []memory.Hit
	err := s.eachMatch(ctx, q, "", nil, func(h memory.Hit) { hits = append(hits, h) })
	return best(hits, limit), err
}

// MatchRarest implements [memory.Searcher]. The query that matches also reads the ids and contents
// of the records.
func (s *Store) MatchRarest(ctx context.Context, f memory.Filter, words []string, within memory.Rarest,
	limit int) ([]memory.Record, error) {
	bank, err := s.bankOf(ctx, f.Agent)
	if err != nil || bank == 0 || limit <= 0 {
		return nil, err
	}
	stats, err := s.Statistics(ctx, f.Agent, memory.Memories, rows.StemsOf(words))
	if err != nil {
		return nil, err
	}
	rare := wordQuery{memory.Memories, f, phrasesOf(bank, rows.RarestWords(words, stats, within)), stats}
	rare.count()
	var hits []memory.Hit
	var row memory.Record
	found := map[int64]memory.Record{}
	err = s.eachMatch(ctx, rare, ", d.id, d.content", []any{&row.ID, &row.Content}, func(h memory.Hit) {
		hits, found[h.Seq] = append(hits, h), row
	})
	var records []memory.Record
	for _, h := range best(hits, limit) {
		records = append(records, found[h.Seq])
	}
	return records, err
}

// eachMatch calls fn for each document that has any of the phrases, in no order. columns are
// further columns to select (each after a comma); they are scanned into more before fn is called.
func (s *Store) eachMatch(ctx context.Context, q wordQuery, columns string, more []any, fn func(memory.Hit)) error {
	if len(q.phrases) == 0 {
		return nil
	}
	var first []int64
	for _, p := range q.phrases {
		first = append(first, p.terms[0])
	}
	w := conditions(q.corpus, q.filter)
	return s.as(ctx, q.filter.Agent).Query(func(row rows.Row) error {
		var seq int64
		var terms []int64
		if err := row.Scan(append([]any{&seq, &terms}, more...)...); err != nil {
			return err
		}
		if score := q.score(terms); score > 0 {
			fn(memory.Hit{Seq: seq, Score: score})
		}
		return nil
	},
		`SELECT x.seq, x.terms`+columns+` FROM `+string(q.corpus)+`_words x JOIN `+rows.Table(q.corpus)+
			` d ON d.agent = x.agent AND d.seq = x.seq
		WHERE x.terms && ?::bigint[] AND x.agent = ?`+w.SQL(), append([]any{first, storable(q.filter.Agent)}, w.Args...)...)
}

// score returns the BM25 score of a document with the given terms, 0 if it has none of the phrases.
func (q wordQuery) score(terms []int64) float64 {
	// AverageLength is without stop words, which are about half of a text's words
	score, length := 0.0, 1-bm25B+bm25B*float64(len(terms))/max(1, 2*q.stats.AverageLength)
	for _, p := range q.phrases {
		n := 0
		for at := range terms {
			if len(terms)-at >= len(p.terms) && slices.Equal(terms[at:at+len(p.terms)], p.terms) {
				n++
			}
		}
		if n == 0 {
			continue
		}
		documents, having := float64(max(q.stats.Documents, 1)), float64(max(p.postings, 1))
		rarity := max(math.Log(1+(documents-having+0.5)/(having+0.5)), 1e-6)
		score += rarity * float64(n) * (bm25K + 1) / (float64(n) + bm25K*length)
	}
	return score
}

// best sorts hits, the best first and of equal ones the oldest, and returns the first limit of
// them.
func best(hits []memory.Hit, limit int) []memory.Hit {
	slices.SortFunc(hits, func(a, b memory.Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Seq, b.Seq))
	})
	return hits[:min(limit, len(hits))]
}

// MatchSubstrings implements [memory.Searcher]. It reads the parts of all documents of the bank
// that pass the filter.
func (s *Store) MatchSubstrings(ctx context.Context, c memory.Corpus, f memory.Filter, parts []string, limit int) ([]memory.Hit, error) {
	var long []string
	for _, p := range parts {
		if p = strings.ToLower(storable(p)); len([]rune(p)) >= 3 && !strings.ContainsRune(p, ' ') && !slices.Contains(long, p) {
			long = append(long, p)
		}
	}
	if len(long) == 0 || limit <= 0 {
		return nil, nil
	}
	w := conditions(c, f)
	// A part weighs the more, the fewer of the found documents have it.
	return rows.All(s.as(ctx, f.Agent), rows.ScanHit, `WITH found AS (
			SELECT d.seq, p.part, octet_length(x.parts) AS length FROM `+rows.Table(c)+` d JOIN `+string(c)+
		`_text x ON x.agent = d.agent AND x.seq = d.seq
			JOIN unnest(?::text[]) p (part) ON strpos(x.parts, p.part) > 0 WHERE TRUE`+w.SQL()+`),
		rare AS (SELECT part, 1.0 / count(*) AS weight FROM found GROUP BY part)
		SELECT seq, sum(octet_length(part) * weight)::float8 AS score FROM found JOIN rare USING (part)
		GROUP BY seq, length ORDER BY score DESC, length, seq LIMIT ?`, append(append([]any{long}, w.Args...), limit)...)
}

// Documents implements [memory.Searcher].
func (s *Store) Documents(ctx context.Context, c memory.Corpus, f memory.Filter, seqs []int64) ([]memory.Document, error) {
	src, w := s.as(ctx, f.Agent), conditions(c, f)
	query := ` FROM unnest(?::bigint[]) WITH ORDINALITY j (seq, place) JOIN ` + rows.Table(c) + ` d ON d.seq = j.seq WHERE TRUE` + w.SQL() +
		` ORDER BY j.place`
	args := append([]any{seqs}, w.Args...)
	if c == memory.Memories {
		return records(src, f.Agent, `SELECT `+rows.RecordColumns+query, args...)
	}
	var called []int64
	docs, err := rows.All(src, rows.TurnDocument(&called), `SELECT `+rows.TurnColumns+query, args...)
	if err != nil {
		return nil, err
	}
	if c == memory.Thinking {
		return docs, setThinking(src, f.Agent, docs)
	}
	return docs, addCalls(src, f.Agent, docs, called)
}

// setThinking turns documents of turns into those of the turns' thinking.
func setThinking(src rows.Source, agent string, docs []memory.Document) error {
	places, seqs := make(map[int64]int, len(docs)), make([]int64, len(docs))
	for i, d := range docs {
		places[d.Seq], seqs[i] = i, d.Seq
	}
	return src.Query(func(row rows.Row) error {
		var seq int64
		var text string
		if err := row.Scan(&seq, &text); err != nil {
			return err
		}
		d := &docs[places[seq]]
		d.Corpus, d.Content = memory.Thinking, text
		return nil
	}, `SELECT d.seq, x.thinking FROM turns d JOIN turn_details x ON x.agent = d.agent AND x.id = d.id
		WHERE d.agent = ? AND d.seq = ANY (?::bigint[])`, agent, seqs)
}
