package recall

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"mcp-memory/memory"
	"mcp-memory/recall/index"
	"mcp-memory/text/analysis"
	"mcp-memory/text/slots"
	"mcp-memory/text/timex"
	"mcp-memory/text/when"
)

// Tier says which stage of the three-tier search a result belongs to.
type Tier string

// The tiers that results come from; tier one ranks the categories.
const (
	TierCategory Tier = "category" // inside one of the best categories, which fits
	TierFlat     Tier = "flat"     // outside them
)

const (
	// bestCategories is how many categories the second tier searches.
	bestCategories = 3
	// categoryFloor is the score from which a category fits.
	categoryFloor = 0.15
	// depth is how many candidates words and vectors contribute each.
	depth = 150
	// loaded is how many candidates are read whole, at least; three for each
	// result wanted, if that is more.
	loaded = 30
	// radius is how many turns before and after a turn count as its neighbours.
	radius = 2
)

// candidate is a document that may answer the question.
type candidate struct {
	memory.Document
	rankedHit
	features
	measuredBy *index.Index // the index that found it; nil if none did, or one of files
	parts      []Part
	tier       Tier
	score      float64
	duplicates []string

	isRead   bool
	said     []slots.Statement // its statements, if isRead; see [question.saidBy]
	tells    *telling          // how clearly it tells of a change; nil until asked, see changes
	names    *versionNames     // nil until asked; see namesOf
	began    *string           // a year; nil until asked, see beganIn
	refused  *bool             // nil until asked; see rejected
	versions []*candidate      // other versions of the same fact
	outdated *candidate        // a version that at least likely replaces it or a part of it, or nil
	certain  *candidate        // the version that certainly replaces all that it says, or nil
	earlier  []Version         // superseded versions, to be shown with it
	pulled   bool              // exempt from MinScore: it is shown for another reason than its score; see cut
	fitted   bool              // its relevance is a logit of the fitted model, see [Service.weigh]
	kept     bool              // somebody undid that another version replaced it
	evidence *evidence         // what the features of its relevance are measured by
	moved    *candidate        // the most relevant version, if the order of versions changed its place
	want     wanted            // the kind of thing that the question asks for
	overdue  time.Time         // the day by which it was due, if that is over, in a list of tasks
}

// rankedHit has the measures of an index for a candidate, and its rank by them.
type rankedHit struct {
	index.Hit
	relevance  float64 // sum of the candidate's parts
	textRank   int     // place by words, from 1
	vectorRank int     // place by vector, from 1
}

// weighedHit is a hit before its document is read.
type weighedHit struct {
	*index.Hit
	measured             contributions
	relevance            float64 // their sum
	textRank, vectorRank int     // as in rankedHit
}

// gather returns the most relevant documents of a corpus that pass the filter, by the index or,
// where there is none, by the database.
func (s *Service) gather(ctx context.Context, q question, c memory.Corpus) ([]*candidate, error) {
	ix, err := s.indexOf(ctx, q, c)
	if err != nil {
		return nil, err
	}
	if ix == nil {
		return s.gatherFromStore(ctx, q, c)
	}
	query := q.forIndex(c)
	var ahead readAhead
	if q.encoded != nil {
		query.Encoded = func(found []index.Hit) []float32 {
			ahead = s.readAhead(ctx, q, c, found)
			return q.encoded()
		}
	}
	if !q.Filter.Narrow() {
		hits := ix.Search(query, depth)
		found, err := s.loadAfter(ctx, q, c, ix, hits, ahead)
		// Nearly everything passes an ordinary filter. Where much does not (many
		// projects), the search is repeated among the documents that do.
		if err != nil || len(found) >= min(q.Limit, len(hits)) || len(hits) == 0 {
			return found, err
		}
	}
	if query.Allowed, err = s.store.Select(ctx, c, q.Filter); err != nil || len(query.Allowed) == 0 {
		return nil, err
	}
	hits := ix.Search(query, depth)
	return s.loadAfter(ctx, q, c, ix, hits, ahead)
}

// indexOf returns the index by which the question's categories were ranked, so that both
// see the same documents, else the current one; nil if there is none.
func (s *Service) indexOf(ctx context.Context, q question, c memory.Corpus) (*index.Index, error) {
	if c == memory.Memories && q.memories != nil {
		return q.memories, nil
	}
	return s.indexes.current(ctx, q.Scope.Agent, c)
}

// load ranks the hits of an index by relevance and reads the best from the database, which
// applies the filter once more: what was forgotten a moment ago is gone. A hit that does not
// pass must not change the scores of the others, so it is taken out and the rest is ranked
// again, until all of the best have passed. Where many fail, as in a bank of mostly superseded
// records, load reads some of the hits behind the best at once, to save rounds.
func (s *Service) load(ctx context.Context, q question, c memory.Corpus, ix *index.Index, hits []index.Hit) ([]*candidate, error) {
	return s.loadAfter(ctx, q, c, ix, hits, readAhead{})
}

// loadAfter is load for which some of the documents, those in ahead, were read before.
func (s *Service) loadAfter(ctx context.Context, q question, c memory.Corpus, ix *index.Index, hits []index.Hit,
	ahead readAhead) ([]*candidate, error) {
	found, err := s.loadWith(q, c, hits, func(seqs []int64) ([]memory.Document, error) {
		docs, rest := ahead.take(seqs)
		if len(rest) == 0 {
			return docs, nil
		}
		more, err := s.documents(ctx, q, c, rest)
		return append(docs, more...), err
	})
	for _, c := range found {
		c.measuredBy, c.told = ix, ahead.told[c.Document.Seq]
	}
	return found, err
}

// documents reads those of some documents that pass the filter and, as of the filter's
// moment, had begun (see begun).
func (s *Service) documents(ctx context.Context, q question, c memory.Corpus, seqs []int64) ([]memory.Document, error) {
	docs, err := s.store.Documents(ctx, c, q.Filter, seqs)
	return q.begun(docs), err
}

// readAhead has documents of likely candidates, read while the encoder made the question's vector.
type readAhead struct {
	docs map[int64]memory.Document
	told map[int64][]row // the stems of each, with their rows in the table
}

// readAhead reads the documents that rank best without the encoder's vector. If that fails it
// returns none, and loadAfter reads them all.
func (s *Service) readAhead(ctx context.Context, q question, c memory.Corpus, found []index.Hit) readAhead {
	ahead := readAhead{map[int64]memory.Document{}, map[int64][]row{}}
	found = slices.Clone(found)
	for i := range found {
		found[i].Vector = q.above(found[i].Vector)
	}
	best, _ := q.best(s.weighed(q, c, found))
	docs, err := s.documents(ctx, q, c, untried(best, nil))
	if err != nil {
		return ahead
	}
	table := s.table()
	for _, d := range docs {
		ahead.docs[d.Seq], ahead.told[d.Seq] = d, rowsOf(table, analysis.Content(beginning(d.Content, readable)))
	}
	return ahead
}

// take returns those of some documents that were read ahead, and the numbers of the rest.
func (a readAhead) take(seqs []int64) (docs []memory.Document, rest []int64) {
	for _, seq := range seqs {
		if d, there := a.docs[seq]; there {
			docs = append(docs, d)
		} else {
			rest = append(rest, seq)
		}
	}
	return docs, rest
}

// begun leaves out records that say that they began after the filter's AsOf: "Bo is the lead
// since 16 November", as of the 1st. It overwrites the list.
func (q question) begun(docs []memory.Document) []memory.Document {
	if q.Filter.AsOf.IsZero() {
		return docs
	}
	return slices.DeleteFunc(docs, func(d memory.Document) bool {
		return d.Corpus == memory.Memories && slices.ContainsFunc(when.OfRecord(d.Record, q.zone), func(m memory.Mention) bool {
			return m.Relation == memory.MentionSince && m.From.After(q.Filter.AsOf)
		})
	})
}

// loadWith is load with a function of its own to read documents, such as from files. It
// overwrites the hits.
func (s *Service) loadWith(q question, c memory.Corpus, hits []index.Hit,
	documents func(seqs []int64) ([]memory.Document, error)) ([]*candidate, error) {
	for i := range hits {
		hits[i].Vector = q.above(hits[i].Vector)
	}
	read, tried := map[int64]*memory.Document{}, map[int64]bool{}
	for {
		all := s.weighed(q, c, hits)
		best, rest := q.best(all)
		unread := untried(best, tried)
		if len(unread) > 0 {
			failed := len(tried) - len(read)
			unread = append(unread, untried(head(rest, failed*len(unread)/max(1, len(read))), tried)...)
			docs, err := documents(unread)
			if err != nil {
				return nil, err
			}
			for _, seq := range unread {
				tried[seq] = true
			}
			for i := range docs {
				read[docs[i].Seq] = &docs[i]
			}
		}
		gone := map[int64]bool{}
		for _, one := range best {
			if _, passed := read[one.Seq]; !passed {
				gone[one.Seq] = true
			}
		}
		if len(gone) == 0 {
			if q.Explain {
				noteRanks(all)
			}
			return q.join(best, read), nil
		}
		hits = slices.DeleteFunc(hits, func(h index.Hit) bool { return gone[h.Seq] })
	}
}

// untried returns the numbers of the hits that are not in tried.
func untried(list []*weighedHit, tried map[int64]bool) (seqs []int64) {
	for _, one := range list {
		if !tried[one.Seq] {
			seqs = append(seqs, one.Seq)
		}
	}
	return seqs
}

// weighed returns hits with their relevance by the weights of the index's measures, in the same
// order.
func (s *Service) weighed(q question, c memory.Corpus, hits []index.Hit) []*weighedHit {
	missing := 1.0
	for _, h := range hits {
		missing = min(missing, 1-h.Coverage)
	}
	trusted := q.trusted(hits)
	var weights [2]Weights // of hits in conversations with an assistant, second, and of all others
	for i := range weights {
		w := s.weightsOf(q, i > 0, c)
		weights[i] = w.yielding(missing, q.known, q.knownByVector(), trusted)
	}
	all, list := make([]weighedHit, len(hits)), make([]*weighedHit, len(hits))
	for i := range hits {
		h, w := &hits[i], &weights[0]
		if h.Assisted {
			w = &weights[1]
		}
		measured := contributionsOf(h, w, q.when)
		all[i] = weighedHit{Hit: h, measured: measured, relevance: measured.sum()}
		list[i] = &all[i]
	}
	return list
}

// best returns the hits to be read: the first by relevance, in that order, and behind them, if
// they are not among these, the hit with the highest coverage, on which the weights depend (see
// yielding), and the hits that share a rare word with one of the best (Kin), which may be later
// versions of it. rest has all hits behind the first ones, in order of relevance.
func (q question) best(hits []*weighedHit) (best, rest []*weighedHit) {
	if len(hits) == 0 {
		return nil, nil
	}
	covering := hits[0]
	for _, one := range hits {
		if one.Coverage > covering.Coverage {
			covering = one
		}
	}
	list := slices.Clone(hits)
	slices.SortFunc(list, func(a, b *weighedHit) int {
		return cmp.Or(cmp.Compare(b.relevance, a.relevance), cmp.Compare(a.Seq, b.Seq))
	})
	best = head(list, max(loaded, 3*q.Limit))
	rest = list[len(best):]
	for _, one := range rest {
		if one == covering || one.Kin {
			best = append(slices.Clip(best), one)
		}
	}
	return best, rest
}

// join makes candidates of hits and of the documents that were read for them.
func (q question) join(list []*weighedHit, read map[int64]*memory.Document) []*candidate {
	scope := q.scope()
	found := make([]*candidate, len(list))
	for i, one := range list {
		found[i] = &candidate{Document: *read[one.Seq], rankedHit: rankedHit{*one.Hit, one.relevance, one.textRank, one.vectorRank},
			parts: one.measured.parts(), tier: TierFlat}
		if slices.Contains(scope, found[i].Category) {
			found[i].tier = TierCategory
		}
	}
	return found
}

// noteRanks sets the rank of each hit by words alone and by vector alone, from 1.
func noteRanks(list []*weighedHit) {
	by := slices.Clone(list)
	slices.SortStableFunc(by, func(a, b *weighedHit) int { return cmp.Compare(b.Lexical, a.Lexical) })
	for i, c := range by {
		if c.Lexical > 0 {
			c.textRank = i + 1
		}
	}
	slices.SortStableFunc(by, func(a, b *weighedHit) int { return cmp.Compare(b.Vector, a.Vector) })
	for i, c := range by {
		if c.Vector > 0 {
			c.vectorRank = i + 1
		}
	}
}

// likely returns the categories that are searched first, however little they
// fit; none where the caller named the categories or tiers are left out.
func (q question) likely() []string {
	if q.flat || len(q.Filter.Categories) > 0 {
		return nil
	}
	var names []string
	for _, c := range head(q.categories, bestCategories) {
		names = append(names, c.Name)
	}
	return names
}

// scope returns those of the likely categories that fit: with a score of categoryFloor or more.
func (q question) scope() []string {
	names := q.likely()
	for i := range names {
		if q.categories[i].Score < categoryFloor {
			return names[:i]
		}
	}
	return names
}

// indexDocument returns what an index keeps of a stored document. Records that happened at the
// same moment (OccurredAt) count as turns of one session.
func indexDocument(d memory.Document) index.Document {
	one := index.Document{Seq: d.Seq, Text: d.SearchText(), At: d.EventTime(), Role: d.Role, Category: d.Category}
	switch {
	case d.Corpus == memory.Workspace:
		one.Session = d.Session
	case d.Corpus != memory.Memories:
		one.Session, one.Asks, one.Dated = d.Session, asking(d.Content), timex.Mentions(d.Content)
		one.Speaker = d.Person()
	case !d.OccurredAt.IsZero():
		one.Session = strconv.FormatInt(d.OccurredAt.UnixMicro(), 36)
	}
	for _, m := range d.Mentions {
		one.Spoken = append(one.Spoken, index.Span{From: m.From, To: m.To})
	}
	if d.Corpus == memory.Memories {
		if habits := when.Habits(d.Content); len(habits) > 0 {
			one.Recurs = func(span index.Span) bool {
				_, comes := when.Next(habits, span.From, span.To)
				return comes
			}
		}
	}
	return one
}

// asking returns the share of a text that stands in questions, by length, 0 to 1.
func asking(text string) float64 {
	if !strings.ContainsAny(text, "?？") {
		return 0
	}
	asks, total := 0, 0
	for _, sentence := range analysis.Sentences(text) {
		total += len(sentence)
		if strings.ContainsAny(sentence, "?？") {
			asks += len(sentence)
		}
	}
	return float64(asks) / float64(total)
}
