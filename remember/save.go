package remember

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"mcp-memory/memory"
	"mcp-memory/text/secrets"
	"mcp-memory/text/slots"
)

// SaveRequest is a memory to keep. Only Content is needed.
type SaveRequest struct {
	Content        string
	Kind           memory.Kind   // empty is fact
	Category       string        // empty is chosen by the program
	Importance     *float64      // 0 to 1; nil is memory.DefaultImportance
	Tags           []string      // blanks around them are dropped, repeats too
	Source         memory.Source // empty is agent
	ExternalID     string        // the same id with other content is a correction
	Metadata       json.RawMessage
	Provenance     json.RawMessage // what it was derived from, an object, or nil
	OccurredAt     time.Time
	ValidFrom      time.Time
	ValidUntil     time.Time
	Supersedes     string // id of the record that this one corrects
	Pinned         bool
	IdempotencyKey string
	memory.KindDetails
	// Replaces is the id of the record whose place this one takes in the opinion
	// of somebody who may be wrong, such as a language model. It counts like what
	// [SupersedeAuto] finds out itself, and can be undone: only of a live fact of
	// the same project that nobody has pinned and that is of no later time. Any other
	// id is ignored.
	Replaces string
	// Follows is the external id of the record that this one corrects, if that is
	// there, holds and is of the same project and kind; else it says nothing.
	Follows string `json:",omitempty"`
	// Quiet leaves out what only a person or agent needs: the day's log and
	// the search for similar records. Imports are quiet.
	Quiet bool
	// Again says that this may have been saved before, word for word, because
	// a file can be imported twice. What was kept before is then left alone:
	// not counted as a confirmation, and not brought back if it was corrected
	// or forgotten meanwhile. Without an external id only the content tells.
	Again bool
	// Once says that the idempotency key alone tells that a request is the same,
	// whatever else it says.
	Once bool
	// Revive saves, or brings back, what was saved before and was forgotten
	// since; without it that stays forgotten.
	Revive bool
}

// SaveResult says what became of a save.
type SaveResult struct {
	ID           string
	Action       Action // Created, Duplicate or Superseded; of what comes again also Forgotten or Revived
	Category     string
	SearchableBy []string         // "text", and "vector" once it has one
	Similar      []Similar        // near-duplicates and what may contradict it
	SavedTo      []string         // "database", and the day's log
	Project      string           // whose it is; empty is global
	Mentions     []memory.Mention `json:",omitempty"` // the times that it speaks of
	Whose        Whose            `json:",omitempty"` // how it was decided that it is that project's
	Otherwise    string           `json:",omitempty"` // the project that it would otherwise belong to, if its words decided
	// Superseded are the ids of the records that it superseded without being told. UndoID, given
	// to [Service.Forget], takes that back; also an end of validity that was set, and a
	// correction by an import.
	Superseded []string `json:",omitempty"`
	UndoID     string   `json:",omitempty"`
	// Warning says that the content looks like a secret: what is done about it.
	Warning string `json:",omitempty"`

	replaced    string      // id of the record that was corrected
	wasArchived wasArchived // how a record that is Revived was archived
}

// Replaced returns the ids of all records that it superseded: those of Superseded, and the one
// that it corrects.
func (r SaveResult) Replaced() []string {
	if r.replaced == "" {
		return r.Superseded
	}
	return append(slices.Clone(r.Superseded), r.replaced)
}

// Save keeps one memory. Errors: [memory.CodeInvalidArgument] and
// [memory.CodeTooLarge] for what [memory.Record.Validate] refuses,
// [memory.CodeNotFound] for an unknown Supersedes, [memory.CodeConflict] if
// that was corrected before, or the key was used for another request.
func (s *Service) Save(ctx context.Context, scope memory.Scope, r SaveRequest) (SaveResult, error) {
	d, err := s.draftOfSomebody(scope, r)
	if err != nil {
		return SaveResult{}, err
	}
	if vectors := s.embed(ctx, []string{d.Content}); vectors != nil {
		d.vector = vectors[0]
	}
	similar := s.similarConcurrently(ctx, d, r.Quiet)
	created, logged := false, d.Record
	result, err := idempotent(ctx, s, scope.Agent, d.repeats, expected(d), func(tx memory.Tx) (SaveResult, error) {
		result, err := s.saveIn(tx, d)
		result.SavedTo, result.Warning = []string{database}, secrets.Warning(d.secret)
		if r.IdempotencyKey != "" { // the result is kept whole
			result.Similar = result.together(similar())
		}
		logged.Project = result.Project // the draft stays: the transaction may be tried again
		if created = result.Action != Duplicate; created && !r.Quiet {
			result.SavedTo = append(result.SavedTo, s.dayLog(d.Agent).DayLogName(logged))
		}
		return result, err
	})
	if err != nil {
		return result, err
	}
	if r.IdempotencyKey == "" {
		result.Similar = result.together(similar())
	}
	if !created {
		return result, nil
	}
	if d.vector == nil {
		s.queued()
	}
	if !r.Quiet && !s.logged(ctx, logged, result.Category) {
		result.SavedTo = []string{database}
	}
	return result, nil
}

// together joins the similar records that fill the same slots with those that share words,
// without the saved record itself and those that it superseded.
func (r SaveResult) together(worded []Similar) []Similar {
	return without(merged(r.Similar, worded), append(r.Superseded, r.ID, r.replaced)...)
}

// database is where every save goes; SaveResult.SavedTo names it.
const database = "database"

// draft is a checked record that is ready to be stored, unless the bank has it already.
type draft struct {
	memory.Record
	vector []float32
	again  bool // SaveRequest.Again
	// imported is set for a part of an [Import], which keeps how it is taken back.
	imported bool
	revive   bool // SaveRequest.Revive
	repeats  call
	weighed  bool   // SaveRequest.Importance was given
	quiet    bool   // SaveRequest.Quiet
	secret   string // what kind of secret it holds, "" for none; see package secrets
	// outdates is SaveRequest.Replaces.
	outdates string
	follows  string // SaveRequest.Follows

	whose     Whose
	otherwise string // the project that it would otherwise belong to, if its words decided

	said   []slots.Statement // what it says, nil if it is not to be compared
	begins time.Time         // when what it says begins to hold, zero if it does already
	user   slots.Options     // the names of the user
	links  []slots.Link      // names and roles of those whom it names: "Jana" is "my sister"
	memo   *batchMemo        // of the batch, nil for a save alone
}

// callOf returns the call under which the result of a save is kept. For a request that may have
// been saved before ([SaveRequest.Again], Once) the idempotency key alone tells: whoever found it
// anew may have worded it differently. Else the call has a hash of the request.
func callOf(scope memory.Scope, kind memory.Kind, r SaveRequest) (call, error) {
	c := call{tool: "save " + string(kind), key: r.IdempotencyKey}
	if c.key == "" || r.Again || r.Once {
		return c, nil
	}
	// Times do not count: "yesterday" may be another day when the call is tried again.
	r.OccurredAt, r.ValidFrom, r.ValidUntil = time.Time{}, time.Time{}, time.Time{}
	data, err := json.Marshal(struct {
		Project string
		SaveRequest
	}{scope.Project, r})
	if err != nil {
		return c, memory.Errorf(memory.CodeInvalidArgument, "metadata is not a JSON object").WithHint(`such as {"page": 7}`)
	}
	c.request = fmt.Sprintf("%x", sha256.Sum256(data))
	return c, nil
}

// draftOfSomebody is draft that also decides by [Scoping] whether the memory is global, unless
// the caller has chosen.
func (s *Service) draftOfSomebody(scope memory.Scope, r SaveRequest) (draft, error) {
	d, err := s.draft(scope, r)
	if err == nil {
		s.whose(scope, &d)
	}
	return d, err
}

// draft checks a request and returns it as a record to be stored, with what its words tell:
// category, times, statements, and whether it holds a secret.
func (s *Service) draft(scope memory.Scope, r SaveRequest) (draft, error) {
	if err := scope.CheckWritable(); err != nil {
		return draft{}, err
	}
	category, err := memory.NormalCategory(r.Category)
	if err != nil {
		return draft{}, err
	}
	now := s.clock.Now()
	rec := memory.Record{
		ID: s.ids.New(), Agent: scope.Agent, Project: scope.Project, Kind: r.Kind, Category: category,
		Content: strings.TrimSpace(r.Content), Importance: memory.DefaultImportance, Pinned: r.Pinned,
		Tags: normalTags(r.Tags), Source: r.Source, ExternalID: r.ExternalID, Metadata: r.Metadata, Provenance: r.Provenance,
		CreatedAt: now, OccurredAt: r.OccurredAt, ValidFrom: r.ValidFrom, ValidUntil: r.ValidUntil,
		Supersedes: r.Supersedes, Confirmations: 1, KindDetails: r.KindDetails,
	}
	if r.Importance != nil {
		rec.Importance = *r.Importance
	}
	if rec.Kind == "" {
		rec.Kind = memory.KindFact
	}
	if rec.Source == "" {
		rec.Source = memory.SourceAgent
	}
	rec = rec.Tidied()
	rec.Mentions = s.mentions(rec)
	if err := rec.Validate(); err != nil {
		return draft{}, err
	}
	d := draft{Record: rec, again: r.Again, revive: r.Revive, weighed: r.Importance != nil, quiet: r.Quiet, outdates: r.Replaces,
		follows: r.Follows, secret: secrets.In(rec)}
	if d.Category == "" || d.secret != "" { // whatever somebody took it for
		d.Category, d.CategoryGuessed = s.category(d.Content, d.secret), true
	}
	if d.repeats, err = callOf(scope, rec.Kind, r); err != nil {
		return draft{}, err
	}
	if s.compared(rec) {
		d.said = slots.Read(rec.Content, slots.Options{})
		if d.begins = begins(rec, d.said, s.clock.Zone()); !d.begins.IsZero() && d.ValidFrom.IsZero() && allBegins(d.said) {
			d.ValidFrom = d.begins
		}
	}
	return d, nil
}

// category chooses a category for a content; secret is what kind of secret it holds, "" for none.
func (s *Service) category(content, secret string) string {
	if secret != "" {
		return memory.CategorySecret
	}
	return s.categories.Choose(content)
}

func normalTags(tags []string) []string {
	var list []string
	for _, t := range tags {
		if t = strings.TrimSpace(t); !slices.Contains(list, t) {
			list = append(list, t)
		}
	}
	return list
}

func (d draft) searchableBy() []string {
	if d.vector == nil {
		return []string{"text"}
	}
	return []string{"text", "vector"}
}

// notWritten stands for a secret in the files.
const notWritten = "(not written here)"

// logged mirrors a durable record to the day's log and reports whether it
// could: the save has succeeded either way.
func (s *Service) logged(ctx context.Context, r memory.Record, category string) bool {
	r.Category = category
	if secrets.Is(r) {
		r.Content = notWritten
	}
	err := s.dayLog(r.Agent).AppendDayLog(r)
	if err != nil {
		s.log.WarnContext(ctx, "append to the day's log", "error", err)
	}
	return err == nil
}
