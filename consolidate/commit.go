package consolidate

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"time"

	"mcp-memory/memory"
)

// maxTags bounds the tags of a summary: the most frequent ones of what it
// covers.
const maxTags = 16

// outcome is the result of a batch that was committed, or in a dry run what it
// would be.
type outcome struct {
	work
	undoID    string
	summaries []memory.Record
	watermark time.Time
	after     int // tokens of the summaries
	folded    int // tokens of the earlier summaries that they replace
}

// provenance is the JSON in Record.Provenance of a summary.
type provenance struct {
	Action string `json:"action"`
	By     string `json:"by"` // "agent", or the name of the summarizer
	Batch  string `json:"batch"`
}

// byAgent reports whether the agent wrote the summary r itself, in [ModeAgent].
func byAgent(r memory.Record) bool {
	var p provenance
	return json.Unmarshal(r.Provenance, &p) == nil && p.By == string(ModeAgent)
}

// untouched reports whether a memory may be summarised: it is live and not
// pinned.
func untouched(r memory.Record) bool { return r.Live() && !r.Pinned }

// commit stores the summaries, archives what they cover, keeps what an undo
// needs, moves the watermark and deletes the job, all in one transaction. It
// returns [errStale] and changes nothing if a memory was changed after the
// batch was planned. In a dry run it writes nothing.
func (r *attempt) commit(ctx context.Context) (outcome, error) {
	made, err := r.drafts()
	if err != nil {
		return outcome{}, err
	}
	done := outcome{work: r.work, undoID: r.id, summaries: made}
	for _, s := range made {
		done.after += r.counter.Count(s.Content)
	}
	for _, e := range r.earlier {
		done.folded += r.counter.Count(e.Content)
	}
	if r.lease == nil {
		done.undoID, done.watermark = "", r.work.Until
		return done, nil
	}
	vectors := r.embed(ctx, made)
	err = r.lease.Finish(ctx, StepCommitted, func(tx memory.Tx) error {
		if err := r.check(tx); err != nil {
			return err
		}
		done.watermark, err = r.write(tx, made, vectors)
		return err
	})
	if err == nil && vectors == nil {
		r.queued()
	}
	return done, err
}

// embed returns one vector for each summary. It returns nil if the embedder is
// remote or fails: the vectors are then made later, in the background.
func (r *attempt) embed(ctx context.Context, made []memory.Record) [][]float32 {
	if !r.embedder.Local() {
		return nil
	}
	texts := make([]string, len(made))
	for i, s := range made {
		texts[i] = s.Content
	}
	vectors, err := r.embedder.EmbedDocuments(ctx, texts)
	if err != nil {
		r.log.WarnContext(ctx, "embed summaries", "error", err)
		return nil
	}
	return vectors
}

// drafts returns the valid records of the summaries, one for each group.
func (r *attempt) drafts() ([]memory.Record, error) {
	var made []memory.Record
	for _, g := range r.work.Groups {
		s := r.draft(g)
		if err := s.Validate(); err != nil {
			return nil, err
		}
		made = append(made, s)
	}
	return made, nil
}

func (r *attempt) draft(g group) memory.Record {
	origin, _ := json.Marshal(provenance{jobKind, g.By, r.id}) // strings only: it cannot fail
	details := memory.SummaryDetails{Of: string(r.work.of()), Focus: r.work.Focus, Covers: slices.Clone(g.Members), Count: len(g.Members)}
	s := memory.Record{
		ID: r.ids.New(), Agent: r.agent, Project: g.Project, Kind: memory.KindSummary, Category: g.Category, CategoryGuessed: true,
		Content: g.Summary, Source: memory.SourceAgent, Provenance: origin, CreatedAt: r.now(), Confirmations: 1,
		KindDetails: memory.KindDetails{Summary: &details},
	}
	tags := map[string]int{}
	add := func(one memory.Record) {
		s.Importance = max(s.Importance, one.Importance)
		if at := one.EventTime(); at.After(s.OccurredAt) {
			s.OccurredAt = at
		}
		for _, t := range one.Tags {
			tags[t]++
		}
	}
	if e, ok := r.earlier[g.Earlier]; ok {
		details.Covers, details.Count = append(details.Covers, e.ID), details.Count+max(e.Summary.Count, len(e.Summary.Covers))
		s.Supersedes = e.ID
		add(e)
	}
	for _, id := range g.Members {
		if t, ok := r.turns[id]; ok {
			add(memory.Record{Importance: memory.DefaultImportance, OccurredAt: t.SaidAt})
		} else {
			add(r.records[id])
		}
	}
	s.Tags = mostFrequent(tags, maxTags)
	return s
}

func mostFrequent(count map[string]int, limit int) []string {
	var list []string
	for t := range count {
		list = append(list, t)
	}
	slices.SortFunc(list, func(a, b string) int { return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a, b)) })
	return list[:min(len(list), limit)]
}

// check returns [errStale] if a memory was erased, archived or pinned after the
// batch was planned, or if a summary to be folded in was erased or archived.
// Turns never change, and only self-care archives them; write notices those
// that were erased.
func (r *attempt) check(tx memory.Tx) error {
	for _, records := range []map[string]memory.Record{r.records, r.earlier} {
		for id := range records {
			now, err := tx.Record(id)
			if memory.CodeOf(err) == memory.CodeNotFound {
				return errStale
			}
			if err != nil {
				return err
			}
			if !now.Live() || now.Pinned && now.Kind != memory.KindSummary {
				return errStale
			}
		}
	}
	return nil
}

// write makes all changes of a commit in its transaction, and returns the
// watermark. It returns [errStale] if a turn was erased after the batch was
// planned.
func (r *attempt) write(tx memory.Tx, made []memory.Record, vectors [][]float32) (time.Time, error) {
	now := r.now()
	undo := memory.Undo{ID: r.id, Action: jobKind, At: now}
	data := undoData{Phase: r.work.Phase, Previous: r.work.Previous}
	for i, s := range made {
		var vector []float32
		if vectors != nil {
			vector = vectors[i]
		}
		if err := tx.InsertRecord(s, vector); err != nil {
			return now, err
		}
		if s.Supersedes != "" {
			if err := setAside(tx, s.Supersedes, s.ID, now); err != nil {
				return now, err
			}
		}
		data.Made = append(data.Made, madeSummary{s.ID, s.Supersedes})
	}
	for _, g := range r.work.Groups {
		for _, id := range g.Members {
			if r.work.Phase == PhaseConversations {
				data.Turns = append(data.Turns, id)
				continue
			}
			undo.Records = append(undo.Records, id)
			if err := setAside(tx, id, "", now); err != nil {
				return now, err
			}
		}
	}
	if n, err := tx.ArchiveTurns(data.Turns, now); err != nil {
		return now, err
	} else if n != len(data.Turns) { // some were erased after the batch was planned
		return now, errStale
	}
	watermark, err := moveWatermark(tx, r.work.Until, &data)
	if err != nil {
		return now, err
	}
	if undo.Data, err = json.Marshal(data); err != nil {
		return now, err
	}
	if err := tx.KeepUndo(undo); err != nil {
		return now, err
	}
	return watermark, nil
}

// setAside archives a record. by is the id of the summary that supersedes it,
// or empty for a member of the batch.
func setAside(tx memory.Tx, id, by string, now time.Time) error {
	old, err := tx.Record(id)
	if err != nil {
		return err
	}
	old.ArchivedAt, old.ArchiveWhy = now, jobKind
	if by != "" {
		old.SupersededBy, old.SupersededAt = by, now
	}
	return tx.UpdateRecord(old)
}

// watermarkKey is the key of the agent's state that holds the watermark: the
// time of the newest turn that was summarised.
const watermarkKey = "conversations_summarised_until"

// moveWatermark sets the watermark to until and keeps its former value in data,
// for an undo. It never moves the watermark back. It returns the watermark that
// is valid now.
func moveWatermark(tx memory.Tx, until time.Time, data *undoData) (time.Time, error) {
	before, err := tx.State(watermarkKey)
	if err != nil {
		return time.Time{}, err
	}
	at, err := watermarkOf(before)
	if err != nil || !until.After(at) {
		return at, err
	}
	data.Moved, data.Watermark = true, before
	value, err := json.Marshal(until)
	if err != nil {
		return at, err
	}
	return until, tx.SetState(watermarkKey, value)
}

func watermarkOf(value json.RawMessage) (at time.Time, err error) {
	if value != nil {
		err = json.Unmarshal(value, &at)
	}
	return at, err
}
