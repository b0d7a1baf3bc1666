package recall

import (
	"context"
	"slices"
	"strings"
	"time"
	"unicode"

	"mcp-memory/memory"
	"mcp-memory/recall/index"
	"mcp-memory/text/analysis"
	"mcp-memory/text/gloss"
	"mcp-memory/text/slots"
	"mcp-memory/text/taxonomy"
	"mcp-memory/text/timex"
	"mcp-memory/text/when"
)

// Request asks a bank for what it knows.
type Request struct {
	Query    string
	Scope    memory.Scope
	Corpora  []memory.Corpus // where to search; nil is memories
	Filter   memory.Filter   // its agent and projects are taken from Scope
	Limit    int             // 1 to 100; 0 is DefaultLimit
	Tokens   int             // budget for the contents returned; 0 is none
	MinScore float64         // leaves out results below
	Now      time.Time       // the moment of the question; zero is the clock's
	Explain  bool            // fills Result.Why
	// Lenient keeps MinScore from cutting what an explicit filter lets pass, and
	// a bank of no more than Limit records.
	Lenient bool
	// Unasked marks a search that nobody asked for but somebody waits for, such as that of a
	// hook before each prompt: an embedder that is not local is not called, what is shown is
	// not counted as recalled, and a large bank without an index is searched for the rarest
	// words alone.
	Unasked bool
	// Looked marks a search to look at what would be answered, such as in the web interface:
	// what is shown is not counted as recalled.
	Looked bool
	// Trace, if set, receives the features and signs of the candidates, to fit weights by.
	Trace *Trace
}

// Limits of a request.
const (
	DefaultLimit = 10
	MaxLimit     = 100
)

// Floor is the score below which an answer had better be "nothing relevant":
// with it nine of ten nonsense questions are answered with nothing, and next
// to no answer is lost (docs/evaluation.md). It is what callers use unless
// they know better.
const Floor = 0.18

// question is a request that has been understood.
type question struct {
	Request
	same       string           // the query normalised by [memory.SameContent], to be found word for word
	overview   bool             // it asks for a summary of what was said; see requested
	words      []string         // informative words, as typed, for the text index
	parts      []string         // literal parts, for the substring index
	stems      []string         // content stems in order, for scoring
	stemmed    []string         // the words that the stems were made of, one for each
	vector     []float32        // nil where the embedder is away or knows no word
	encoded    func() []float32 // waits for the vector by the encoder, nil if that is late or zero; no func without encoder
	summed     bool             // the vector was summed from the semantic table
	unrelated  float64          // cosine of unrelated texts by the embedder, 0 if it is not known
	script     bool             // it is in a script and a language of which the encoder knows single characters only
	known      float64          // share of the stems that the semantic table has, 0 to 1
	categories []taxonomy.Score
	memories   *index.Index // of the bank's memories, nil if it was not looked for or is not there
	names      []string     // stems of names and numbers by which it may ask for an earlier version; see namedBy
	onlyNamed  bool         // superseded records are searched for names alone; see withoutUnnamed
	// asksAssistant is set for a question about what the assistant said.
	asksAssistant bool
	times         []index.Span   // that it asks about: "in May"
	zone          *time.Location // the user's
	when          bool           // it asks for a time: "when did ..."
	flat          bool           // categories give no tiers; see likely
	asks          slots.Question // whom and what it asks for, and of which version
	user          slots.Options  // the names of the user
	links         []slots.Link   // role and name of whom it is about: "my sister" is "Jana"
	userStems     []string       // stems of the user's names
	broadly       bool           // answered as a broad question
	recurring     bool           // what recurs in its times ("every Friday") is part of its answer
	pointed       bool           // it has a word besides times and list words; see points
	taste         taste          // whether it asks for what the user likes or dislikes
	worded        bool           // it has letters or digits
	strange       float64        // share of its words, by weight, without a similar word in the best results, 0 to 1
	related       bool           // one of the best records has anything to do with it
	chance        float64        // that the first record answers, 0 to 1; see [Service.judge]
	apart         memory.Apart   // pairs of records of which neither replaces the other: somebody undid that
}

// forIndex returns the question as a query to the index of a corpus.
func (q question) forIndex(c memory.Corpus) index.Query {
	query := index.Query{Stems: q.stems, Words: q.stemmed, Vector: q.vector, Summed: q.summed, Times: q.times, Recurring: q.recurring}
	if q.encoded != nil {
		query.Encoded = func([]index.Hit) []float32 { return q.encoded() }
	}
	if c == memory.Memories {
		query.Categories, query.Synonyms, query.Kin = q.likely(), synonymsOf(q.stems), true
	}
	return query
}

// embedTimeout is how long an answer waits for the question's vector. After
// that it is found by text alone.
const embedTimeout = 2 * time.Second

// maxWords bounds what a long query (a pasted log) searches for. The text
// index finds its rarest words anyway.
const maxWords = 64

// maxOpening and maxEnding are the bytes of a long query that are looked at.
const maxOpening, maxEnding = 2048, 1024

// maxStems bounds the stems of a question that are scored.
const maxStems = 256

// understand checks a request and reads from its query whom and what it asks for, its times,
// words and stems, its categories and its vectors.
func (s *Service) understand(ctx context.Context, r Request) (q question, err error) {
	q = question{Request: r, flat: slices.Contains(s.without, tiers)}
	if err := s.check(&q.Request); err != nil {
		return q, err
	}
	text := shortened(q.Query)
	q.worded = strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) })
	q.zone = s.clock.Zone()
	spans := when.Asked(text, q.moment().In(q.zone))
	if q.worded && slices.ContainsFunc(q.Corpora, s.encoder.serves) && !slices.Contains(s.without, encoderPart) {
		// Begun first: another core encodes meanwhile. Words of time say nothing of the subject.
		asked := withoutTimes(text, spans)
		q.encoded, q.script = s.encoder.ask(ctx, asked), analysis.OtherScript(asked) && gloss.Language(asked) == ""
		s.encoder.settle(ctx)
	}
	user, err := s.users.names(ctx, r.Scope)
	if err != nil {
		return q, err
	}
	q.user, q.asks = user, slots.Ask(text, user)
	q.userStems = analysis.Content(strings.Join(user.UserNames, " "))
	if q.links, err = s.linksOf(ctx, &q); err != nil {
		return q, err
	}
	q.asksWhole(withoutTimes(text, spans))
	if q.asksWhatWas() {
		q.Filter.IncludeSuperseded = true // such a question asks for what was corrected since
	}
	if q.names = q.namedBy(withoutTimes(text, spans)); len(q.names) > 0 && !q.Filter.IncludeSuperseded {
		q.Filter.IncludeSuperseded, q.onlyNamed = true, true
	}
	framed := slices.Contains(s.without, unframes)
	if !framed {
		text = q.asks.Bare(text)
	}
	if slices.Contains(q.Corpora, memory.Conversations) && !slices.Contains(s.without, overviewPart) {
		q.overview, text = requested(text)
	}
	asked := text
	if !framed {
		asked = unframed(text)
	}
	asked = q.byName(asked, text)
	q.same = memory.SameContent(q.Query)
	asked = analysis.WithoutParticles(asked)
	q.words = head(analysis.QueryWords(asked), maxWords)
	q.parts = head(analysis.Substrings(text), maxWords)
	q.stems, q.stemmed = analysis.ContentWords(asked)
	q.stems, q.stemmed = head(q.stems, maxStems), head(q.stemmed, maxStems)
	q.known = s.known(q.stems)
	q.when = timex.Question(text) == timex.When
	for _, span := range when.Asked(text, q.moment().In(q.zone)) {
		if asked, ok := askedAbout(span.Mention, q.moment()); ok {
			q.times = append(q.times, asked)
		}
	}
	q.recurring = q.asksRecurring()
	if len(q.stems) == 0 {
		return q, nil
	}
	q.categories, q.asksAssistant = s.categories.Rank(text), toAssistant.MatchString(text)
	if r.Unasked && !s.embedder.Local() {
		return q, nil
	}
	ctx, cancel := context.WithTimeout(ctx, embedTimeout)
	defer cancel()
	vector, err := s.embedder.EmbedQuery(ctx, text)
	if err != nil {
		// Text still finds most things, and the answer must not wait.
		s.log.WarnContext(ctx, "embed query", "error", err)
		return q, nil
	}
	q.vector, q.summed, q.unrelated = vector, fromTable(s.embedder), leastLike(s.embedder)
	if !q.summed && !slices.ContainsFunc(vector, func(x float32) bool { return x != 0 }) {
		q.vector = nil // a local model that knows none of the words
	}
	return q, nil
}

// askedAbout returns the span that a question asks about by a time that it names: of "since May"
// the time from May to now. It is false for "before May" and "until May", which are most of
// all time and so say little, and for an empty span.
func askedAbout(m memory.Mention, now time.Time) (index.Span, bool) {
	asked := index.Span{From: m.From, To: m.To}
	switch m.Relation {
	case memory.MentionSince:
		asked.To = now
	case memory.MentionBefore, memory.MentionUntil:
		return asked, false
	}
	return asked, asked.From.Before(asked.To)
}

// byName returns the words to search for. Where the question says who somebody is ("my sister")
// and the bank knows the name ("Jana"), the name is added. Where it is about the user, the
// user's name is left out: "I live in Oslo" does not have it, and what is said of a namesake does.
func (q *question) byName(asked, text string) string {
	if name := q.asks.Alias; name != "" && !strings.Contains(strings.ToLower(text), name) {
		asked += " " + name
	}
	if q.asks.Subject == slots.User {
		return without(asked, q.user.UserNames)
	}
	return asked
}

// without returns a text without the words of names, or the text itself if that leaves no
// content word.
func without(text string, names []string) string {
	words := strings.Fields(strings.ToLower(strings.Join(names, " ")))
	kept := slices.DeleteFunc(strings.Fields(text), func(w string) bool {
		bare := strings.TrimSuffix(strings.TrimSuffix(strings.ToLower(strings.TrimFunc(w, unicode.IsPunct)), "'s"), "’s")
		return slices.Contains(words, bare)
	})
	if bare := strings.Join(kept, " "); len(analysis.Content(bare)) > 0 {
		return bare
	}
	return text
}

// asksWhole replaces q.asks if the question is one that selves.txt knows: who the user is, what
// was worked on, what the project is, what the user likes or dislikes, or what is new. For the
// first two it need only have one of the phrases (see asksAs).
// It also sets q.taste and, unless the question is for tastes or news, q.pointed.
func (q *question) asksWhole(text string) {
	switch q.taste = asksTaste(text); {
	case asksAs(text, "asked"):
		q.asks = slots.Question{Subject: slots.User, Broad: true}
	case asksAs(text, "work asked"):
		q.asks = slots.Question{Subject: slots.User, Attribute: workInHand, Broad: true}
	case q.Scope.Project != "" && asksOnly(text, "project asked"):
		q.asks = slots.Question{Subject: "project", Broad: true}
	case q.taste != notTaste:
		q.asks = slots.Question{Subject: slots.User, Attribute: "preference", Broad: true}
		return
	case asksOnly(text, "news asked"):
		q.asks = slots.Question{Attribute: news, Broad: true}
		return
	}
	q.pointed = q.points(text)
}

// rankCategories ranks the bank's own categories together with the others, if the index has
// records of some: a question near to the centroid of a category's records belongs to it,
// whatever the category's name says. It sets q.memories to that index.
func (s *Service) rankCategories(ctx context.Context, q *question) (err error) {
	if len(q.stems) == 0 || q.flat || !slices.Contains(q.Corpora, memory.Memories) {
		return nil
	}
	if q.memories, err = s.indexes.current(ctx, q.Scope.Agent, memory.Memories); err != nil || q.memories == nil {
		return err
	}
	if own := q.memories.Centroids(); len(own) > 0 {
		q.categories = s.categories.With(own).Rank(shortened(q.Query))
	}
	return nil
}

// known returns the share of stems that the semantic table has, 0 to 1; 0 for no stems.
func (s *Service) known(stems []string) float64 {
	if len(stems) == 0 {
		return 0
	}
	table, n := s.table(), 0
	for _, stem := range stems {
		if _, ok := table.Lookup(stem); ok {
			n++
		}
	}
	return float64(n) / float64(len(stems))
}

// knownByVector returns the share of the question's words that its vector stands for, 0 to 1: those
// that the table has, if the vector was summed from the table or is missing, else all.
func (q question) knownByVector() float64 {
	if q.summed || q.vector == nil {
		return q.known
	}
	return 1
}

// fromTable reports whether an embedder sums the rows of this program's table.
// A local model may have a table of its own: what ours knows of a question then
// says nothing about the vector.
func fromTable(e memory.Embedder) bool {
	other, ok := e.(interface{ OwnTable() bool })
	return e.Local() && !(ok && other.OwnTable())
}

// leastLike returns the cosine of unrelated texts by an embedder that has measured it, else 0.
func leastLike(e memory.Embedder) float64 {
	if measured, ok := e.(interface{ Unrelated() float64 }); ok {
		return measured.Unrelated()
	}
	return 0
}

// above rescales a cosine by the embedder: that of unrelated texts (q.unrelated) and less
// becomes 0, and 1 stays 1.
func (q question) above(cosine float64) float64 {
	if q.unrelated <= 0 || q.unrelated >= 1 {
		return cosine
	}
	return max(0, (cosine-q.unrelated)/(1-q.unrelated))
}

// asksWhatWas reports whether the question asks for a past state or a history, which may be no
// longer true: "Where did I live before Ghent?"
func (q question) asksWhatWas() bool {
	return q.asks.Tense == slots.Then || q.asks.Tense == slots.History
}

// shortened returns the part of a query that is read: of a long one, such as a pasted log, the
// beginning and the end, where people put the question. The rest would cost much and says
// little of what is asked.
func shortened(query string) string {
	if len(query) <= maxOpening+maxEnding {
		return query
	}
	opening, ending := query[:maxOpening], query[len(query)-maxEnding:]
	if i := strings.LastIndexFunc(opening, unicode.IsSpace); i > 0 { // not in the middle of a word
		opening = opening[:i]
	}
	if i := strings.IndexFunc(ending, unicode.IsSpace); i > 0 {
		ending = ending[i:]
	}
	return strings.ToValidUTF8(opening+"\n"+ending, "")
}

// moment returns the time from which "yesterday" counts: the filter's AsOf, else the time of
// the question.
func (q question) moment() time.Time {
	if !q.Filter.AsOf.IsZero() {
		return q.Filter.AsOf
	}
	return q.Now
}

// check fills in a request's defaults, and fails for an empty query and for values out of range.
func (s *Service) check(r *Request) error {
	if err := memory.CheckText("query", r.Query, memory.MaxQueryBytes); err != nil {
		return err
	}
	if len(r.Query) == 0 || blank(r.Query) {
		return memory.Errorf(memory.CodeInvalidArgument, "query is empty").WithHint("ask a question or give some words")
	}
	if r.Limit == 0 {
		r.Limit = DefaultLimit
	}
	if r.Limit < 1 || r.Limit > MaxLimit {
		return memory.Errorf(memory.CodeInvalidArgument, "limit is %d", r.Limit).WithHint("a whole number from 1 to %d", MaxLimit)
	}
	if r.Now.IsZero() {
		r.Now = s.clock()
	}
	if r.Corpora == nil {
		r.Corpora = []memory.Corpus{memory.Memories}
	}
	r.Filter.Agent, r.Filter.Projects, r.Filter.Now = r.Scope.Agent, r.Scope.Readable(), r.Now
	return nil
}
