package recall

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"time"
	"unicode"

	"mcp-memory/memory"
	"mcp-memory/salience"
	"mcp-memory/text/semantics"
	"mcp-memory/text/taxonomy"
)

// Store is what this package needs of a database.
type Store interface {
	memory.Searcher
	memory.Mirror
	memory.Reader
}

// Options are what a [Service] is made of. All fields but Encoder, Files, Once, Models and Without are needed.
type Options struct {
	Store      Store
	Table      func() *semantics.Table // for soft matches; asked when first needed
	Embedder   memory.Embedder
	Encoder    *Encoder // beside the embedder; nil for none
	Categories *taxonomy.Classifier
	Salience   salience.Parameters
	Tokens     memory.TokenCounter
	Clock      memory.Clock
	Log        *slog.Logger
	// Recalled is called with the records that an answer showed, so that they can
	// be reinforced. It must not block.
	Recalled func(scope memory.Scope, ids []string)
	// Files opens the text files of an agent; nil if there are none to search.
	Files func(agent string) Library
	// Once is for a process that asks once: it does not index a large bank.
	Once bool
	// Models replace the fitted weights; nil is [Fitted].
	Models *Models
	// Without names signals to leave out, to measure what each is worth (ablation); see [Signals].
	Without []string
}

// Service answers questions. Safe for concurrent use.
type Service struct {
	store      Store
	indexes    *indexes
	table      func() *semantics.Table
	embedder   memory.Embedder
	encoder    *Encoder // nil for none
	categories *taxonomy.Classifier
	salience   salience.Parameters
	tokens     memory.TokenCounter
	clock      memory.Clock
	log        *slog.Logger
	recalled   func(scope memory.Scope, ids []string)
	without    []string
	models     *models
	users      *users
	files      *files // nil if there are none
}

// New returns a service over a store.
func New(o Options) *Service {
	s := &Service{
		store: o.Store, table: o.Table, embedder: o.Embedder, encoder: o.Encoder,
		categories: o.Categories, salience: o.Salience, tokens: o.Tokens,
		clock: o.Clock, log: o.Log, recalled: o.Recalled, without: o.Without,
		users: &users{store: o.Store, known: map[userKey]knownUser{}},
		indexes: &indexes{
			store: o.Store, embedder: o.Embedder, encoder: o.Encoder, table: o.Table, learns: o.Categories.Learns,
			clock: o.Clock, log: o.Log, foregroundLimit: foregroundLimit, most: maxIndexed, once: o.Once,
			entries: map[indexKey]*indexEntry{},
		},
	}
	if s.models = fitted(); o.Models != nil {
		s.models = o.Models.read()
	}
	if o.Files != nil {
		s.files = &files{open: o.Files, indexes: s.indexes, wait: patience, entries: map[string]*filesEntry{}}
	}
	return s
}

// Answer is what a bank knows about a question.
type Answer struct {
	Results     []Result
	Categories  []taxonomy.Score // of the question, best first
	TotalTokens int              // of the contents returned
	Truncated   bool             // more was found than was returned
	Confidence  Confidence       // that the first result answers
	Missed      *Missed          // the time that was asked about, if no record was found of it; else nil
	Agenda      *Agenda          // the time for which plans are asked for; nil if none are
}

// Result is one document of an answer.
type Result struct {
	memory.Document
	Score      float64 // 0 to 1, comparable within an answer
	Salience   float64 // 0 to 1
	Tier       Tier
	Duplicates []string  // ids of near-duplicates folded into this one
	OutdatedBy string    // id of the record that certainly replaces all that it says, or empty
	DoubtedBy  string    // id of the record that may replace it, or a part of it, where none certainly does, or empty
	Earlier    []Version // superseded versions of it, the newest first, at most three
	Overdue    time.Time // the day by which a task was due, if the question asks for tasks and that day is over; else zero
	Why        *Why      // if asked for
}

// Why explains a result's score, which is strength / (1 + strength). For a memory that the
// fitted model ranked, strength = exp(sum of Parts); for documents of other corpora, and in
// the answer to a broad question, strength = (sum of Parts) * Factor.
type Why struct {
	TextRank     int      `json:"text_rank,omitempty"`    // place by words, from 1
	VectorRank   int      `json:"vector_rank,omitempty"`  // place by vector, from 1
	TextScore    float64  `json:"text_score,omitempty"`   // share of the ideal BM25
	VectorScore  float64  `json:"vector_score,omitempty"` // cosine; 0 is that of unrelated texts, if the embedder knows it
	Salience     float64  `json:"salience"`
	Recency      float64  `json:"recency"`
	Stale        bool     `json:"stale,omitempty"`    // corrected or no longer true
	MatchedTerms []string `json:"matched_terms"`      // stems of the question that it has
	Parts        []Part   `json:"parts"`              // what each measure contributes
	Versions     []string `json:"versions,omitempty"` // ids of records that are taken for other versions of the same fact
	MovedBy      string   `json:"moved_by,omitempty"` // id of the most relevant version, if versions changed this one's place
	Factor       float64  `json:"factor"`             // of salience, recency and staleness; 1 for a memory of the fitted model
	Strength     float64  `json:"strength"`           // from 0 without an upper bound
}

// Part returns what a measure contributes, 0 for one that is not there.
func (w Why) Part(name string) float64 {
	for _, p := range w.Parts {
		if p.Name == name {
			return p.Value
		}
	}
	return 0
}

// Recall answers a question. Errors: [memory.CodeInvalidArgument] for an empty
// query or a limit out of range, [memory.CodeTooLarge] for a query over
// [memory.MaxQueryBytes]. A query of nothing but symbols ("🙂") is compared literally. The
// records shown count as recalled and are so reinforced, unless they are noise (a score below
// [Floor], or a confidence that is not [Confidence.Sure]) or the request forbids it.
func (s *Service) Recall(ctx context.Context, r Request) (Answer, error) {
	q, err := s.understand(ctx, r)
	if err != nil {
		return Answer{}, err
	}
	ranked, err := s.candidates(ctx, &q)
	if err != nil {
		return Answer{}, err
	}
	q.strange = s.strangeness(q, ranked)
	final := &ranking{q: &q, list: ranked}
	s.runs(final, true)
	kept, total, truncated := pack(final.list, q.Limit, q.Tokens, s.tokens)
	rank(kept) // by score again: widen has moved some up
	if err := s.addEarlier(ctx, q, kept); err != nil {
		return Answer{}, err
	}
	answer := Answer{Categories: q.categories, TotalTokens: total, Truncated: truncated, Confidence: q.confidence(kept), Agenda: q.agenda()}
	if answer.Missed, err = s.missed(ctx, q, ranked); err != nil {
		return Answer{}, err
	}
	var shown []string
	for _, c := range kept {
		one, room := c.result(q.Explain), -1
		if q.Tokens > 0 {
			room = q.Tokens - answer.TotalTokens
		}
		earlier, n := s.earlierOf(c, kept, room)
		one.Earlier, answer.TotalTokens = earlier, answer.TotalTokens+n
		answer.Results = append(answer.Results, one)
		if c.Corpus == memory.Memories && answer.Confidence.Sure() && c.score >= Floor {
			shown = append(shown, c.ID)
		}
	}
	if len(shown) > 0 && !q.Unasked && !q.Looked {
		s.recalled(q.Scope, shown)
	}
	return s.withArchive(ctx, r, answer)
}

// Fetched reinforces live records that were read by their ids, as if an answer had
// shown them: who fetches a record has use for it.
func (s *Service) Fetched(scope memory.Scope, records []memory.Record) {
	var ids []string
	for _, r := range records {
		if r.Live() {
			ids = append(ids, r.ID)
		}
	}
	if len(ids) > 0 {
		s.recalled(scope, ids)
	}
}

// Clock tells the time where the user is.
func (s *Service) Clock() memory.Clock { return s.clock }

// Day returns the date of a stored time where the user is, YYYY-MM-DD.
func (s *Service) Day(t time.Time) string { return s.clock.Day(t) }

// Warm makes the indexes of a bank and returns when they are there, for a
// process that would rather wait now than answer its first questions from the
// database. One that asks only once gets none, and neither does a bank that is
// too large.
func (s *Service) Warm(ctx context.Context, agent string) error {
	if s.indexes.once {
		return nil
	}
	for _, corpus := range memory.Corpora() {
		if _, err := s.indexes.warm(ctx, agent, corpus); err != nil {
			return err
		}
	}
	return nil
}

// candidates gathers, measures and scores the candidates of all corpora, and returns those
// that reach the request's MinScore or are exempt from it (see cut), best first. What it
// learns on the way, such as q.apart and q.chance, it puts into q.
func (s *Service) candidates(ctx context.Context, q *question) ([]*candidate, error) {
	if q.broad() {
		if found, err := s.broadly(ctx, *q); err != nil || len(found) > 0 || q.asks.Broad && q.asks.TimeOnly && q.byTimeAlone() {
			q.broadly = true
			return found, err
		}
	}
	if err := s.rankCategories(ctx, q); err != nil {
		return nil, err
	}
	r := &ranking{q: q}
	for _, corpus := range q.Corpora {
		found, small, err := s.found(ctx, *q, corpus)
		if err != nil {
			return nil, err
		}
		for _, c := range found {
			fuse(c)
		}
		r.list, r.small = append(r.list, found...), r.small || small
	}
	r.list = slices.DeleteFunc(r.list, func(c *candidate) bool { return c.score <= 0 && !c.pulled && !(r.small && q.Lenient) })
	r.list = q.withoutUnnamed(r.list)
	rank(r.list)
	var err error
	if q.apart, err = s.apart(ctx, *q, r.list); err != nil {
		return nil, err
	}
	s.runs(r, false)
	return r.list, nil
}

// cut leaves out candidates below the request's MinScore. Those that are marked pulled stay,
// unless MinScore is above the usual [Floor]. If a lenient request has a small pool, or one of
// its best records is related to the question, the first leastShown records are marked so,
// except where the best has the question word for word.
func (q question) cut(ranked []*candidate, small bool) []*candidate {
	if q.Lenient && (small || q.related) {
		for _, c := range head(ranked, leastShown) {
			c.pulled = c.pulled || c.fitted && ranked[0].verbatim == 0
		}
	}
	return slices.DeleteFunc(ranked, func(c *candidate) bool { return c.score < q.MinScore && (!c.pulled || q.MinScore > Floor) })
}

// found returns the measured candidates of one corpus: what the search finds, and what a
// lenient request shows whatever its score. small reports whether few records pass the filter;
// see fill for both.
func (s *Service) found(ctx context.Context, q question, corpus memory.Corpus) (list []*candidate, small bool, err error) {
	if outside := map[memory.Corpus]func(context.Context, question) ([]*candidate, error){
		memory.Workspace: s.inFiles, memory.Thinking: s.inThinking,
	}[corpus]; outside != nil {
		list, err = outside(ctx, q)
		for _, c := range list {
			measure(c, q, s.salience)
		}
		return list, false, err
	}
	if len(q.stems) > 0 {
		list, err = s.gather(ctx, q, corpus)
	} else {
		list, err = s.verbatim(ctx, q, corpus)
	}
	if err != nil || len(q.words)+len(q.stems) == 0 && !q.worded {
		return list, false, err
	}
	list, small, err = s.fill(ctx, q, corpus, list)
	for _, c := range list {
		measure(c, q, s.salience)
	}
	return list, small, err
}

// fill reports whether the pool is small: no more than smallPool records pass the filter. For
// a lenient request it adds documents that the search did not find: to a small pool all of
// them, so that all are compared with the question. Where an explicit filter chose the pool, or
// the pool has no more documents than the answer has places, it adds the newest, and all that
// it returns are marked pulled, which keeps them from being cut.
func (s *Service) fill(ctx context.Context, q question, corpus memory.Corpus, list []*candidate) (all []*candidate, small bool, err error) {
	seqs, counted, err := s.pool(ctx, q, corpus, len(list))
	if err != nil || !counted {
		return list, false, err
	}
	small = corpus == memory.Memories && len(seqs) <= smallPool
	keep := q.Lenient && (q.chosen() || len(seqs) <= q.Limit)
	if !q.Lenient || !small && !keep {
		return list, small, nil
	}
	known := map[int64]bool{}
	for _, c := range list {
		known[c.Document.Seq] = true
	}
	seqs = slices.DeleteFunc(seqs, func(seq int64) bool { return known[seq] })
	more, err := s.unmatched(ctx, q, corpus, seqs[max(0, len(seqs)-max(smallPool, q.Limit)):])
	list = append(list, more...)
	for _, c := range list {
		c.pulled = c.pulled || keep
	}
	return list, small, err
}

// maxPhrase is how many words of a question, the first ones, verbatim looks for as a phrase. An
// index compares the places of all words of a phrase in a document that may have thousands.
const maxPhrase = 32

// verbatim finds the documents that have a question without content words word for word: its
// words one by one, all of them stop words, stand everywhere. A query without letters and
// digits is left to bySymbols.
func (s *Service) verbatim(ctx context.Context, q question, corpus memory.Corpus) ([]*candidate, error) {
	if !q.worded {
		return s.bySymbols(ctx, q, corpus)
	}
	words := head(plainWords(q.Query), maxPhrase)
	if len(words) < 2 {
		return nil, nil
	}
	hits, err := s.store.MatchWords(ctx, corpus, q.Filter, []string{strings.Join(words, " ")}, depth)
	if err != nil || len(hits) == 0 {
		return nil, err
	}
	seqs := make([]int64, len(hits))
	for i, h := range hits {
		seqs[i] = h.Seq
	}
	list, err := s.unmatched(ctx, q, corpus, seqs)
	for _, c := range list {
		c.parts, c.relevance = []Part{{verbatimPart, verbatimWeight}}, verbatimWeight
	}
	return list, err
}

// broadly returns the candidates for a broad question, such as "what do you know about my
// family?", best first and without those below the request's MinScore.
func (s *Service) broadly(ctx context.Context, q question) ([]*candidate, error) {
	list, err := s.gatherBroad(ctx, &q)
	if err != nil {
		return nil, err
	}
	list = q.withoutUnnamed(list)
	for _, c := range list {
		measure(c, q, s.salience)
		fuse(c)
		q.saidBy(c)
	}
	if q.apart, err = s.apart(ctx, q, list); err != nil {
		return nil, err
	}
	return q.cut(q.byBreadth(list), false), nil
}

// leastShown is how many records a lenient request shows however low their scores are, if the
// pool is small or one of the best records has anything to do with the question.
const leastShown = 5

// fitting says how large a bank may be for the documents that pass the filter to be counted
// (see pool): fitting times the limit of the answer.
const fitting = 10

func (c *candidate) result(explain bool) Result {
	r := Result{Document: c.Document, Score: c.score, Salience: c.features.salience, Tier: c.tier, Duplicates: c.duplicates,
		Overdue: c.overdue}
	switch {
	case c.certain != nil:
		r.OutdatedBy = c.certain.ID
	case c.outdated != nil:
		r.DoubtedBy = c.outdated.ID
	}
	if explain {
		r.Why = c.why()
	}
	return r
}

func (c *candidate) why() *Why {
	w := &Why{
		TextRank: c.textRank, VectorRank: c.vectorRank, TextScore: min(1, c.Lexical), VectorScore: c.Vector,
		Salience: c.features.salience, Recency: c.recency, Stale: c.stale, MatchedTerms: c.Matched, Factor: c.factor(),
	}
	parts := slices.Clone(c.parts)
	if !c.fitted {
		parts = append(parts, Part{literalPart, literalWeight * c.literal}, Part{verbatimPart, verbatimWeight * c.verbatim})
	}
	for _, p := range parts {
		if p.Value != 0 {
			w.Parts = append(w.Parts, p)
		}
	}
	w.Strength = c.strength()
	for _, v := range c.versions {
		w.Versions = append(w.Versions, v.ID)
	}
	if c.moved != nil {
		w.MovedBy = c.moved.ID
	}
	return w
}

func head[T any](list []T, n int) []T { return list[:min(n, len(list))] }

func blank(s string) bool { return strings.TrimFunc(s, unicode.IsSpace) == "" }
