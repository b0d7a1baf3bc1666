package recall

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode"

	"mcp-memory/memory"
	"mcp-memory/recall/index"
	"mcp-memory/text/analysis"
)

const (
	// fallbackSimilar is the similarity to a stem of the question from which another stem of
	// the bank is searched for, too.
	fallbackSimilar = 0.4
	// fewVectors is how many candidates the vectors contribute in a bank of
	// more than fewVectorsFrom: the time of sqlite-vec grows with both.
	fewVectors     = 50
	fewVectorsFrom = 20_000
	// fallbackTimes is how many of the question's times are looked at.
	fallbackTimes = 2
	// vectorsUpTo is how many documents a bank may have for its vectors to be
	// searched: half a microsecond for each.
	vectorsUpTo = 200_000
	// wholeDocuments is about how many documents are read for the sake of
	// whole sessions: what all of a session has counts for each of its turns.
	// A session that is not among those of the first candidates, or whose
	// documents are more than wholeRadius places away, counts by what is near
	// the candidates alone.
	wholeDocuments, wholeRadius = 2000, 500
)

// gatherFromStore does what gather does without an index of the bank: the
// database finds candidates, and a small index of them and their neighbours,
// with the bank's statistics and vocabulary, measures them in the same way.
func (s *Service) gatherFromStore(ctx context.Context, q question, c memory.Corpus) ([]*candidate, error) {
	stats, err := s.store.Statistics(ctx, q.Scope.Agent, c, q.stems)
	if err != nil {
		return nil, err
	}
	// With the bank's statistics it weighs words as an index of the whole bank would.
	small := index.New(s.indexes.table(), &stats)
	byMeaning := concurrently(func() ([]memory.Hit, error) { return s.nearest(ctx, q, c, stats) })
	words := slices.Clone(q.words)
	if q.hurried(stats) {
		words = rarest(words, stats)
	} else {
		words, err = s.withSimilar(ctx, q, c, small, words, stats)
	}
	var seqs []int64
	if err == nil {
		seqs, err = s.seqsFromStore(ctx, q, c, words, stats, byMeaning)
	}
	if _, failed := byMeaning(); err != nil || failed != nil || len(seqs) == 0 { // waits: the search may not outlast this
		return nil, cmp.Or(err, failed)
	}
	near, err := s.store.Around(ctx, c, q.Scope.Agent, seqs, 2*radius)
	if err != nil {
		return nil, err
	}
	docs, err := s.wholeSessions(ctx, q.Scope.Agent, c, seqs, near)
	if err != nil {
		return nil, err
	}
	seqs = withNeighbours(seqs, near)
	measured, err := s.indexes.withVectorsOf(ctx, q.Scope.Agent, c, docs, seqs)
	if err != nil {
		return nil, err
	}
	small.Add(measured)
	if c == memory.Memories { // what is rare here may not be rare in the bank
		more, err := s.store.Statistics(ctx, q.Scope.Agent, c, small.Rare())
		if err != nil {
			return nil, err
		}
		maps.Copy(stats.Frequency, more.Frequency)
	}
	query := q.forIndex(c)
	query.Allowed = seqs
	return s.load(ctx, q, c, small, small.Search(query, depth))
}

// withSimilar returns words with the stems of the bank that are similar to those of the question, and
// adds the document frequencies of these to stats.
func (s *Service) withSimilar(ctx context.Context, q question, c memory.Corpus, small *index.Index, words []string,
	stats memory.Statistics) ([]string, error) {
	vocabulary, err := s.store.Vocabulary(ctx, c, q.Scope.Agent)
	if err != nil {
		return nil, err
	}
	small.Learn(q.comparable(vocabulary))
	similar := small.Similar(q.forIndex(c), fallbackSimilar)
	more, err := s.store.Statistics(ctx, q.Scope.Agent, c, similar)
	if err != nil {
		return nil, err
	}
	maps.Copy(stats.Frequency, more.Frequency)
	return append(words, similar...), nil
}

// comparable leaves out stems of a vocabulary that no word of the question is like: long numbers and
// ids that begin with one, if the question has no digits. A large bank has many. It overwrites the
// vocabulary.
func (q question) comparable(vocabulary []string) []string {
	if strings.ContainsAny(strings.Join(q.words, " "), digits) {
		return vocabulary
	}
	return slices.DeleteFunc(vocabulary, func(stem string) bool {
		return len(stem) >= 5 && stem[0] >= '0' && stem[0] <= '9' && len(stem)-len(strings.Trim(stem, digits)) >= 3
	})
}

const digits = "0123456789"

// withNeighbours returns the numbers of documents with those of the turns up to radius places away,
// which may answer in their stead, ascending. near must reach twice as far: of each turn that is
// added all neighbours have to be known.
func withNeighbours(seqs []int64, near []memory.Document) []int64 {
	type place struct {
		session string
		index   int
	}
	chosen := map[int64]bool{}
	for _, seq := range seqs {
		chosen[seq] = true
	}
	reached := map[place]bool{}
	for _, d := range near {
		for offset := -radius; chosen[d.Seq] && d.Session != "" && offset <= radius; offset++ {
			reached[place{d.Session, d.Index + offset}] = true
		}
	}
	for _, d := range near {
		if reached[place{d.Session, d.Index}] {
			seqs = append(seqs, d.Seq)
		}
	}
	slices.Sort(seqs)
	return slices.Compact(seqs)
}

// wholeSessions returns near with all documents of the sessions that the first of seqs belong to, by
// number, each once; see wholeDocuments.
func (s *Service) wholeSessions(ctx context.Context, agent string, c memory.Corpus, seqs []int64,
	near []memory.Document) ([]memory.Document, error) {
	docs := slices.Clone(near)
	sessionOf, known := make(map[int64]string, len(docs)), map[string]int{}
	for _, d := range docs {
		sessionOf[d.Seq] = indexDocument(d).Session
		known[sessionOf[d.Seq]]++
	}
	seen, room := map[string]bool{"": true}, wholeDocuments
	for _, seq := range seqs {
		session := sessionOf[seq]
		if seen[session] {
			continue
		}
		seen[session] = true
		if known[session] == 1 {
			room-- // nothing else stands near it: most memories are of a moment of their own
			continue
		}
		whole, err := s.store.Around(ctx, c, agent, []int64{seq}, wholeRadius)
		if err != nil {
			return nil, err
		}
		docs = append(docs, whole...)
		if room -= len(whole); room <= 0 {
			break
		}
	}
	slices.SortFunc(docs, func(a, b memory.Document) int { return cmp.Compare(a.Seq, b.Seq) })
	return slices.CompactFunc(docs, func(a, b memory.Document) bool { return a.Seq == b.Seq }), nil
}

// seqsFromStore asks the database for the numbers of candidates: by words in any
// inflection, literal parts, vectors and times. The result has the first of each
// before the second of any.
func (s *Service) seqsFromStore(ctx context.Context, q question, c memory.Corpus, words []string, stats memory.Statistics,
	byMeaning lookup) ([]int64, error) {
	// Each takes about as long as the others: what has cores does them at the same time.
	lookups := []lookup{concurrently(func() ([]memory.Hit, error) { return s.store.MatchWords(ctx, c, q.Filter, words, depth) })}
	if scope := q.scope(); c == memory.Memories && len(scope) > 0 && !q.hurried(stats) {
		inside := q.Filter
		inside.Categories = scope
		lookups = append(lookups, concurrently(func() ([]memory.Hit, error) { return s.store.MatchWords(ctx, c, inside, words, depth/2) }))
	}
	lookups = append(lookups, concurrently(func() ([]memory.Hit, error) {
		return s.store.MatchSubstrings(ctx, c, q.Filter, unknownParts(q.parts, stats), depth)
	}), byMeaning)
	var lists [][]int64
	var errs []error
	for _, found := range lookups { // all are waited for
		hits, err := found()
		seqs := make([]int64, len(hits))
		for i, h := range hits {
			seqs[i] = h.Seq
		}
		lists, errs = append(lists, seqs), append(errs, err)
	}
	if err := cmp.Or(errs...); err != nil {
		return nil, err
	}
	for _, span := range head(q.times, fallbackTimes) {
		found, err := s.inTime(ctx, q, c, span)
		if err != nil {
			return nil, err
		}
		slices.Reverse(found)
		lists = append(lists, found)
	}
	return roundRobin(lists), nil
}

// nearest searches by the question's vector, unless there is none or the bank is too large for that.
func (s *Service) nearest(ctx context.Context, q question, c memory.Corpus, stats memory.Statistics) ([]memory.Hit, error) {
	if q.vector == nil || stats.Documents > vectorsUpTo || q.hurried(stats) {
		return nil, nil
	}
	limit := depth
	if stats.Documents > fewVectorsFrom {
		limit = fewVectors
	}
	return s.store.NearestVectors(ctx, c, q.Filter, q.vector, limit)
}

// lookup is a search, or waits for the result of one.
type lookup func() ([]memory.Hit, error)

// concurrently starts a search and returns what waits for its result, which may be called again.
func concurrently(search lookup) lookup {
	type found struct {
		hits []memory.Hit
		err  error
	}
	done := make(chan found, 1)
	go func() {
		hits, err := search()
		done <- found{hits, err}
	}()
	return sync.OnceValues(func() ([]memory.Hit, error) {
		f := <-done
		return f.hits, f.err
	})
}

// hurried reports whether a bank is too large to be searched in full for a question that nobody asked
// ([Request.Unasked]).
func (q question) hurried(stats memory.Statistics) bool {
	return q.Unasked && stats.Documents > fewVectorsFrom
}

// rarestDocuments is about how many documents the words of a hurried question
// may stand in, all together: reading more takes longer than somebody waits.
const rarestDocuments = 3000

// rarest returns the words that stand in the fewest documents, rarest first: as many as stand in
// rarestDocuments together, and at least one if the bank has any.
func rarest(words []string, stats memory.Statistics) []string {
	documents := map[string]int{}
	for _, w := range words {
		for _, stem := range analysis.Content(w) {
			documents[w] = max(documents[w], stats.Frequency[stem])
		}
	}
	rare := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return documents[w] == 0 })
	slices.SortStableFunc(rare, func(a, b string) int { return cmp.Compare(documents[a], documents[b]) })
	left := rarestDocuments
	for i, w := range rare {
		if left -= documents[w]; left < 0 && i > 0 {
			return rare[:i]
		}
	}
	return rare
}

// roundRobin merges lists: the first of each, then the second of each and so
// on, every number once.
func roundRobin(lists [][]int64) (all []int64) {
	seen := map[int64]bool{}
	for i, more := 0, true; more; i++ {
		more = false
		for _, list := range lists {
			if i >= len(list) {
				continue
			}
			if more = true; !seen[list[i]] {
				seen[list[i]] = true
				all = append(all, list[i])
			}
		}
	}
	return all
}

// inTime returns the numbers of the latest documents of a time that the question asks about: a
// question may have no other word to find them by.
func (s *Service) inTime(ctx context.Context, q question, c memory.Corpus, span index.Span) ([]int64, error) {
	f := q.Filter
	from, to := span.Widest()
	if from.After(f.Since) {
		f.Since = from
	}
	if f.Until.IsZero() || to.Before(f.Until) {
		f.Until = to
	}
	return s.store.Newest(ctx, c, f, 0, depth)
}

// unknownParts leaves out the parts that are plain words of the bank: they are found sooner as words,
// and not meant as parts of other words.
func unknownParts(parts []string, stats memory.Statistics) []string {
	return slices.DeleteFunc(slices.Clone(parts), func(part string) bool {
		stems := analysis.Content(part)
		return len(stems) == 1 && stats.Frequency[stems[0]] > 0 &&
			!strings.ContainsFunc(part, func(r rune) bool { return !unicode.IsLetter(r) })
	})
}
