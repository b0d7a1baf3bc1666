package contextwindow

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"mcp-memory/memory"
	"mcp-memory/remember"
	"mcp-memory/text/analysis"
	"mcp-memory/text/secrets"
)

// Bounds on what one job takes from a summarizer.
const (
	maxFacts      = 200     // facts
	maxFactBytes  = 2 << 10 // of one fact
	maxKnownBytes = 16 << 10
	maxSentences  = 5 // of an entry in HISTORY.md
)

// findFacts has a summarizer find the facts in the turns that were not searched yet, and puts
// them into the job, unless the caller gave them.
func (r *attempt) findFacts(ctx context.Context) error {
	if r.work.FactsGiven {
		return nil
	}
	turns, err := r.novel(ctx, r.span(r.work.From, r.work.To))
	if err != nil || len(turns) == 0 {
		return err
	}
	known := ""
	if f := r.files(r.agent); f != nil && r.lease != nil {
		if known, err = f.Memory(ctx); err != nil {
			return fmt.Errorf("read MEMORY.md: %w", err)
		}
		known = strings.ToValidUTF8(known[max(0, len(known)-maxKnownBytes):], "")
	}
	request := memory.ExtractRequest{Turns: turns, Known: known, Max: maxFacts, Now: r.clock.Here()}
	if slices.ContainsFunc(r.summarizers, func(d memory.Summarizer) bool { return !d.Local() }) {
		if request.Facts, err = r.knownFacts(ctx, turns); err != nil {
			return err
		}
	}
	facts, err := firstAnswer(ctx, r, r.summarizers, func(ctx context.Context, d memory.Summarizer) ([]found, error) {
		facts, err := d.Extract(ctx, request)
		if err != nil {
			return nil, err
		}
		return checkFacts(facts, turns, request.Facts)
	})
	if err != nil {
		return err
	}
	r.work.Facts, err = r.withoutEnded(facts)
	return err
}

// saveFacts keeps the facts as records, and what else the turns leave behind, all
// in one transaction and each under a key of its own, so that doing it again
// changes nothing.
func (r *attempt) saveFacts(ctx context.Context) error {
	said := map[int]memory.Turn{}
	for _, t := range r.turns {
		said[t.Index] = t
	}
	batch := r.remember.NewBatch(memory.Scope{Agent: r.agent, Project: r.window.Project, Session: r.session})
	for i, f := range r.work.Facts {
		request, err := r.saveRequest(i, f, said)
		if err != nil {
			return err
		}
		if err := r.addTo(ctx, batch, request); err != nil {
			return fmt.Errorf("check fact %d: %w", i, err)
		}
	}
	facts := batch.Len()
	for _, request := range r.experience(said) {
		if err := r.addTo(ctx, batch, request); err != nil {
			return fmt.Errorf("check %s: %w", request.IdempotencyKey, err)
		}
	}
	ending, err := r.endings(ctx)
	if err != nil {
		return err
	}
	for _, request := range ending {
		if err := r.addTo(ctx, batch, request); err != nil {
			return fmt.Errorf("check %s: %w", request.IdempotencyKey, err)
		}
	}
	r.work.IDs, r.work.Learned = nil, nil
	if batch.Len() == 0 {
		return r.forgetAsked(ctx)
	}
	batch.Embed(ctx)
	results, err := batch.Save(ctx)
	if err != nil {
		return fmt.Errorf("save facts: %w", err)
	}
	for i, result := range results {
		switch {
		case result.ID == "": // erased since it was said
		case i < facts:
			r.work.IDs = append(r.work.IDs, result.ID)
		case result.Action == remember.Created:
			r.work.Learned = append(r.work.Learned, result.ID)
		}
	}
	return r.forgetAsked(ctx)
}

// addTo puts a memory into a batch. One that is invalid or too large would be refused at every
// attempt: it is logged and left out.
func (r *attempt) addTo(ctx context.Context, batch *remember.Batch, request remember.SaveRequest) error {
	err := batch.Add(request)
	if code := memory.CodeOf(err); code == memory.CodeInvalidArgument || code == memory.CodeTooLarge {
		r.log.WarnContext(ctx, "what was found is refused", "error", err)
		return nil
	}
	return err
}

// saveRequest returns the request to save the job's fact number i; said has the turns by index.
func (r *attempt) saveRequest(i int, f found, said map[int]memory.Turn) (remember.SaveRequest, error) {
	request := remember.SaveRequest{
		Content: f.Content, Category: f.Category, Importance: f.Importance, Source: memory.SourceAgent, OccurredAt: f.OccurredAt,
		IdempotencyKey: fmt.Sprintf("%s/%d", r.id, i), Quiet: true, Again: true, Replaces: f.Replaces,
	}
	provenance := map[string]any{"session": r.session}
	if f.Type != "" {
		provenance["type"] = f.Type
	}
	if t, ok := said[f.Turn]; ok {
		provenance["turn"], provenance["index"] = t.ID, t.Index
		if request.OccurredAt.IsZero() {
			request.OccurredAt = t.SaidAt
		}
	}
	var err error
	request.Provenance, err = json.Marshal(provenance)
	return request, err
}

// mergeMemory writes the facts to MEMORY.md. Before, it sees to it that the session's
// file has the turns: whoever stored them may have died before writing there.
func (r *attempt) mergeMemory(ctx context.Context) error {
	f := r.files(r.agent)
	if f == nil {
		return nil
	}
	if err := f.AppendSession(ctx, r.session, r.turns); err != nil {
		return fmt.Errorf("append to the session's file: %w", err)
	}
	if len(r.work.IDs) == 0 {
		return nil
	}
	records, err := r.store.Records(ctx, r.agent, r.work.IDs)
	if err != nil {
		return err
	}
	// If a state changed within the conversation, only the last fact about it is live. No secret
	// goes into a file.
	records = slices.DeleteFunc(records, func(r memory.Record) bool { return !r.Live() || secrets.Is(r) })
	if err := f.MergeMemory(ctx, records); err != nil {
		return fmt.Errorf("merge MEMORY.md: %w", err)
	}
	return nil
}

// nothingSaid is the summary of turns in which nothing is worth one.
const nothingSaid = "Nothing that has to be kept in mind was said."

// summarize makes the summary that replaces older turns, unless the caller
// gave it.
func (r *attempt) summarize(ctx context.Context) error {
	if r.work.SummaryGiven {
		return nil
	}
	counter := r.counter(r.window.Model)
	l := liveWindow{window: r.window}
	limit := r.summaryLimit(l) - messageTokens(counter, summaryMessage(""))
	request := memory.SummaryRequest{
		Turns: r.spoken(r.window.Compacted, r.work.Keep), Earlier: r.window.Summary, MaxTokens: max(limit, 50), Now: r.clock.Here(),
	}
	if len(request.Turns) == 0 {
		r.work.Summary = r.window.Summary
		return nil
	}
	if request.Earlier == nothingSaid {
		request.Earlier = ""
	}
	var err error
	r.work.Summary, err = firstAnswer(ctx, r, r.summarizers, func(ctx context.Context, d memory.Summarizer) (string, error) {
		text, err := d.Summarize(ctx, request)
		if err == nil && text == "" && d.Local() { // small talk: nothing of it is worth a word
			text = cmp.Or(r.window.Summary, nothingSaid)
		}
		if err != nil {
			return "", err
		}
		return checkSummary(counter, text, limit)
	})
	return err
}

// appendHistory adds an entry to HISTORY.md: the same stretch of the conversation in a
// few sentences.
func (r *attempt) appendHistory(ctx context.Context) error {
	f := r.files(r.agent)
	if f == nil {
		return nil
	}
	request := memory.SummaryRequest{Turns: r.spoken(r.window.Compacted, r.work.Keep), MaxTokens: 300, Sentences: maxSentences,
		Now: r.clock.Here()}
	summarizers := r.summarizers
	if r.work.SummaryGiven {
		request.Turns, request.Texts = nil, []memory.DatedText{{ID: r.id, Text: r.work.Summary, At: r.clock.Here()}}
		summarizers = local(summarizers)
	}
	if len(request.Turns)+len(request.Texts) == 0 {
		return nil
	}
	counter := r.counter(r.window.Model)
	entry, err := firstAnswer(ctx, r, summarizers, func(ctx context.Context, d memory.Summarizer) (string, error) {
		text, err := d.Summarize(ctx, request)
		if err != nil || text == "" && d.Local() {
			return "", err
		}
		return checkSummary(counter, text, 2*request.MaxTokens)
	})
	if err != nil {
		return err
	}
	sentences := slices.DeleteFunc(analysis.Sentences(entry), func(one string) bool { return secrets.Find(one) != "" })
	if entry = strings.Join(sentences[:min(maxSentences, len(sentences))], " "); entry == "" {
		return nil
	}
	// The session is in the marker, so that the entry can be erased with it.
	id := r.id + "." + memory.SessionTag(r.session)
	if err := f.AppendHistory(ctx, id, r.lease.Job.CreatedAt, entry); err != nil {
		return fmt.Errorf("append to HISTORY.md: %w", err)
	}
	return nil
}

// spoken returns the turns with from ≤ index < to as a summarizer reads them; see told.
func (r *attempt) spoken(from, to int) []memory.Turn { return r.told(r.span(from, to)) }
