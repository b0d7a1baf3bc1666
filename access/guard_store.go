package access

import (
	"context"
	"encoding/json"
	"time"

	"mcp-memory/memory"
)

// These methods of Guard only call the store. The store is not embedded, so that a new method of
// the store does not compile until somebody has decided where it belongs: here, with the reason, or
// in guard.go.

// For indexes, which are shared by all callers and cover all projects. What an index finds is read
// by Documents, which applies the filter.

// Statistics implements [memory.Searcher].
func (g *Guard) Statistics(ctx context.Context, agent string, corpus memory.Corpus, stems []string) (memory.Statistics, error) {
	return g.store.Statistics(ctx, agent, corpus, stems)
}

// Vectors implements [memory.Searcher].
func (g *Guard) Vectors(ctx context.Context, agent string, corpus memory.Corpus, seqs []int64) (map[int64][]float32, error) {
	return g.store.Vectors(ctx, agent, corpus, seqs)
}

// Changes implements [memory.Mirror].
func (g *Guard) Changes(ctx context.Context, agent string) (memory.Changes, error) {
	return g.store.Changes(ctx, agent)
}

// After implements [memory.Mirror].
func (g *Guard) After(ctx context.Context, corpus memory.Corpus, agent string, seq int64, limit int) ([]memory.Document, error) {
	return g.store.After(ctx, corpus, agent, seq, limit)
}

// Vocabulary implements [memory.Mirror].
func (g *Guard) Vocabulary(ctx context.Context, corpus memory.Corpus, agent string) ([]string, error) {
	return g.store.Vocabulary(ctx, corpus, agent)
}

// Around implements [memory.Mirror].
func (g *Guard) Around(ctx context.Context, corpus memory.Corpus, agent string, seqs []int64, radius int) ([]memory.Document, error) {
	return g.store.Around(ctx, corpus, agent, seqs, radius)
}

// About a whole bank. Only tools, prompts and pages of the reach [WholeBank] show this, and
// [Refusal] closes them to restricted tokens.

// EachAlias implements [memory.Reader].
func (g *Guard) EachAlias(ctx context.Context, agent string, fn func(externalID, id string) error) error {
	return g.store.EachAlias(ctx, agent, fn)
}

// CountRecords implements [memory.Reader].
func (g *Guard) CountRecords(ctx context.Context, agent string, kind memory.Kind) (int, error) {
	return g.store.CountRecords(ctx, agent, kind)
}

// Stats implements [memory.Reader].
func (g *Guard) Stats(ctx context.Context, agent string) (memory.Stats, error) {
	return g.store.Stats(ctx, agent)
}

// ProcedureRuns implements [memory.Catalog].
func (g *Guard) ProcedureRuns(ctx context.Context, agent, id string, limit int) ([]memory.ProcedureRun, error) {
	return g.store.ProcedureRuns(ctx, agent, id, limit)
}

// Window implements [memory.WorkingReader].
func (g *Guard) Window(ctx context.Context, agent, session string) (*memory.Window, error) {
	return g.store.Window(ctx, agent, session)
}

// IdleSessions implements [memory.WorkingReader].
func (g *Guard) IdleSessions(ctx context.Context, from, to time.Time, limit int) ([]memory.SessionOf, error) {
	return g.store.IdleSessions(ctx, from, to, limit)
}

// Events implements [memory.WorkingReader].
func (g *Guard) Events(ctx context.Context, agent, session string, limit int) ([]memory.ContextEvent, error) {
	return g.store.Events(ctx, agent, session, limit)
}

// Jobs implements [memory.WorkingReader].
func (g *Guard) Jobs(ctx context.Context, agent, kind string) ([]memory.Job, error) {
	return g.store.Jobs(ctx, agent, kind)
}

// State implements [memory.WorkingReader].
func (g *Guard) State(ctx context.Context, agent, key string) (json.RawMessage, error) {
	return g.store.State(ctx, agent, key)
}

// UnarchivedTurns implements [memory.WorkingReader].
func (g *Guard) UnarchivedTurns(ctx context.Context, agent string, limit int) ([]memory.Turn, int, error) {
	return g.store.UnarchivedTurns(ctx, agent, limit)
}

// Sessions implements [memory.SessionReader].
func (g *Guard) Sessions(ctx context.Context, agent, prefix string, limit int) ([]string, error) {
	return g.store.Sessions(ctx, agent, prefix, limit)
}

// Todos implements [memory.PlanReader].
func (g *Guard) Todos(ctx context.Context, agent string, f memory.TodoFilter, limit int) ([]memory.Todo, int, error) {
	return g.store.Todos(ctx, agent, f, limit)
}

// TodosByID implements [memory.PlanReader].
func (g *Guard) TodosByID(ctx context.Context, agent string, ids []string) ([]memory.Todo, error) {
	return g.store.TodosByID(ctx, agent, ids)
}

// Calendar implements [memory.PlanReader].
func (g *Guard) Calendar(ctx context.Context, agent string, from, to time.Time) ([]memory.CalendarEvent, error) {
	return g.store.Calendar(ctx, agent, from, to)
}

// Links implements [memory.LinkReader].
func (g *Guard) Links(ctx context.Context, agent string, limit int) ([]memory.Link, error) {
	return g.store.Links(ctx, agent, limit)
}

// PendingLink implements [memory.LinkReader].
func (g *Guard) PendingLink(ctx context.Context, to, from string, at time.Time) (*memory.Link, error) {
	return g.store.PendingLink(ctx, to, from, at)
}

// LinkOf implements [memory.LinkReader].
func (g *Guard) LinkOf(ctx context.Context, agent, id string) (memory.Link, error) {
	return g.store.LinkOf(ctx, agent, id)
}

// LinkedRecords implements [memory.LinkReader].
func (g *Guard) LinkedRecords(ctx context.Context, agent, link string) ([]string, error) {
	return g.store.LinkedRecords(ctx, agent, link)
}

// Agents implements [memory.LinkReader].
func (g *Guard) Agents(ctx context.Context) ([]string, error) {
	return g.store.Agents(ctx)
}

// AuditLog implements [memory.LinkReader].
func (g *Guard) AuditLog(ctx context.Context, agent string, limit int) ([]memory.AuditEntry, error) {
	return g.store.AuditLog(ctx, agent, limit)
}

// For work that the program does by itself, without an identity.

// Reinforce implements [memory.Reinforcer].
func (g *Guard) Reinforce(ctx context.Context, agent, session string, ids []string, at time.Time) error {
	return g.store.Reinforce(ctx, agent, session, ids, at)
}

// VectorJobs implements [memory.VectorQueue].
func (g *Guard) VectorJobs(ctx context.Context, now time.Time, limit int, of ...memory.Corpus) ([]memory.VectorJob, error) {
	return g.store.VectorJobs(ctx, now, limit, of...)
}

// FinishVectorJobs implements [memory.VectorQueue].
func (g *Guard) FinishVectorJobs(ctx context.Context, jobs []memory.VectorJob, vectors [][]float32) error {
	return g.store.FinishVectorJobs(ctx, jobs, vectors)
}

// DeferVectorJobs implements [memory.VectorQueue].
func (g *Guard) DeferVectorJobs(ctx context.Context, jobs []memory.VectorJob, until time.Time, reason string) error {
	return g.store.DeferVectorJobs(ctx, jobs, until, reason)
}

// VectorSet implements [memory.VectorSets].
func (g *Guard) VectorSet(ctx context.Context, f memory.Fingerprint) (memory.VectorSet, error) {
	return g.store.VectorSet(ctx, f)
}

// VectorBacklog implements [memory.VectorQueue].
func (g *Guard) VectorBacklog(ctx context.Context) (int, error) {
	return g.store.VectorBacklog(ctx)
}

// PruneAudit implements [memory.AuditPruner].
func (g *Guard) PruneAudit(ctx context.Context, agent string, before time.Time, limit int) (int, error) {
	return g.store.PruneAudit(ctx, agent, before, limit)
}

// NoteTold implements [memory.ToldLog].
func (g *Guard) NoteTold(ctx context.Context, agent string, entries []memory.Told) error {
	return g.store.NoteTold(ctx, agent, entries)
}

// PruneTold implements [memory.ToldLog].
func (g *Guard) PruneTold(ctx context.Context, agent string, before time.Time, limit int) (int, error) {
	return g.store.PruneTold(ctx, agent, before, limit)
}

// NoteActions implements [memory.ActionLog].
func (g *Guard) NoteActions(ctx context.Context, agent string, actions []memory.Action) (int, error) {
	return g.store.NoteActions(ctx, agent, actions)
}

// PruneActions implements [memory.ActionLog].
func (g *Guard) PruneActions(ctx context.Context, agent, project string, bytes int64) (int, error) {
	return g.store.PruneActions(ctx, agent, project, bytes)
}

// InsertToken implements [memory.TokenStore].
func (g *Guard) InsertToken(ctx context.Context, t memory.Token) error {
	return g.store.InsertToken(ctx, t)
}

// TokenByHash implements [memory.TokenStore].
func (g *Guard) TokenByHash(ctx context.Context, hash []byte) (memory.Token, error) {
	return g.store.TokenByHash(ctx, hash)
}

// Tokens implements [memory.TokenStore].
func (g *Guard) Tokens(ctx context.Context, agent string) ([]memory.Token, error) {
	return g.store.Tokens(ctx, agent)
}

// RevokeToken implements [memory.TokenStore].
func (g *Guard) RevokeToken(ctx context.Context, agent, id string, at time.Time) error {
	return g.store.RevokeToken(ctx, agent, id, at)
}

// HasTokens implements [memory.TokenStore].
func (g *Guard) HasTokens(ctx context.Context) (bool, error) {
	return g.store.HasTokens(ctx)
}

// Scrub implements [memory.Scrubber].
func (g *Guard) Scrub(ctx context.Context) error {
	return g.store.Scrub(ctx)
}

// About the database files, which belong to no bank. No tool shows this.

// Health implements [memory.Caretaker].
func (g *Guard) Health() memory.Health { return g.store.Health() }

// Tend implements [memory.Caretaker].
func (g *Guard) Tend(ctx context.Context) { g.store.Tend(ctx) }

// CopyTo implements [memory.Caretaker].
func (g *Guard) CopyTo(ctx context.Context, path string, progress func(done, total int64)) error {
	return g.store.CopyTo(ctx, path, progress)
}

// Close implements [memory.Store].
func (g *Guard) Close() error {
	return g.store.Close()
}
