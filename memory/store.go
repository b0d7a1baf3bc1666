package memory

import (
	"context"
	"encoding/json"
	"fmt"
	"time"
)

// Store is the database behind all banks. It is made of the ports below;
// a use case asks for the smallest one that it needs. db/dbtest has the suite
// that every implementation passes.
//
// Unless a method says otherwise its errors are [CodeUnavailable] when the
// database cannot be reached or is locked for too long, and [CodeInternal].
type Store interface {
	Writer
	Reader
	Searcher
	Mirror
	Reinforcer
	VectorQueue
	VectorSets
	Catalog
	WorkingReader
	SessionReader
	ProjectReader
	LogReader
	PlanReader
	LinkReader
	AuditPruner
	ToldLog
	ActionLog
	TokenStore
	Scrubber
	Caretaker
	// Close ends all work; calls in flight fail.
	Close() error
}

// Writer changes a bank.
type Writer interface {
	// Write runs fn in one transaction over the bank of agent and commits if
	// it returns nil. When Write returns nil the changes are durable. An error
	// of fn comes back unchanged and nothing is written. No other write to the
	// bank happens while fn runs, so what fn reads stays true until commit.
	// Should the first attempt be rolled back for lack of room, fn runs once more: so it must
	// start anew each time, and change nothing but the bank and its own results. fn may run on
	// another goroutine than the caller's and be committed together with other writes: Tx then
	// sees what those have done, while the store's readers do not see it yet.
	Write(ctx context.Context, agent string, fn func(Tx) error) error
}

// Tx is one transaction over one agent's bank; see [Writer]. Not safe for concurrent use and not
// valid after fn returned. An error of a method that only writes may be returned later, by the next
// method that reads or by Write. After such an error nothing is committed, even if fn ignores it.
type Tx interface {
	// Result returns the result that an earlier call of tool kept under an idempotency key, or
	// nil.
	Result(tool, key string) (json.RawMessage, error)
	// KeepResult stores the result of a call under an idempotency key, for when it is repeated.
	KeepResult(tool, key string, result json.RawMessage) error

	// Record returns the record with that id; [CodeNotFound] if there is none.
	Record(id string) (Record, error)
	// RecordByExternalID returns the newest record under the caller's own
	// name for it, or nil.
	RecordByExternalID(externalID string) (*Record, error)
	// RecordByContent returns the live record of a project and kind that says
	// the same (see [SameContent]), or nil.
	RecordByContent(project string, kind Kind, content string) (*Record, error)
	// RecordsBySlot returns records of a project and kind whose content is filed
	// under one of the keys (see slots.Keys), also those that were superseded,
	// without those that were archived; newest first, and of each key only so
	// many that a save stays fast. Of a record it returns what is compared: id, content,
	// whether it is pinned, source, predecessor, successor, and its times but those of superseding and of
	// access. What is to be changed is read by Record.
	RecordsBySlot(project string, kind Kind, keys []uint64) ([]Record, error)
	// InsertRecord stores a new record with its text index. A vector goes in
	// with it; without one (nil) the record is queued for embedding.
	InsertRecord(r Record, vector []float32) error
	// UpdateRecord stores everything about a record but its id, agent, kind,
	// content and times of creation; [CodeNotFound] if there is none.
	UpdateRecord(r Record) error
	// NameRecord makes externalID another name of the record.
	NameRecord(externalID, id string) error
	// EraseRecord removes the record, its details and runs, its text index, its
	// vectors and its accesses; [CodeNotFound] if there is none.
	EraseRecord(id string) error
	// ArchivedByContent returns the record of a project and kind that says the
	// same (see [SameContent]) and was archived last, or nil.
	ArchivedByContent(project string, kind Kind, content string) (*Record, error)
	// NoteErased notes, by a hash, that a record was erased on purpose, without what it said.
	NoteErased(r Record, at time.Time) error
	// Erased returns the time of the last NoteErased for a record of a project and kind that
	// says the same; the zero time if there was none.
	Erased(project string, kind Kind, content string) (time.Time, error)
	// EraseTraces removes what repeats the contents of erased records word for
	// word without being a memory, such as kept results, and notes durably that
	// the files still have to be scrubbed; see [Scrubber].
	EraseTraces(contents []string) error

	// EraseSession removes the messages and events of a session, its context
	// window and what waits to be done about it, and returns how many messages
	// there were. The files still have to be scrubbed; see [Scrubber].
	EraseSession(session string) (int, error)
	// RemoveTurns removes messages by id and returns how many of them there were; a
	// session of which none is left is gone too. What they said may stay in the files
	// for a while.
	RemoveTurns(ids []string) (int, error)
	// EraseBank removes everything of the agent: records, turns, plans, links that
	// it asked for, its log, and all that was derived from them. Its tokens are
	// revoked. Afterwards the agent has no bank until it saves again, and the
	// files still have to be scrubbed; see [Scrubber]. What it shared with others
	// is theirs.
	EraseBank() error

	// InsertTurns stores messages at the end of their sessions, except those
	// whose external id is there already, and returns how many it stored.
	// Vectors are as for InsertRecord; vectors may be nil for all.
	InsertTurns(turns []Turn, vectors [][]float32) (int, error)

	// KeepUndo stores what an action did, under an id, so that it can be undone.
	KeepUndo(u Undo) error
	// Undo returns what KeepUndo stored; [CodeNotFound] if there is none.
	Undo(id string) (Undo, error)
	// MarkUndone notes that the action was undone; [CodeConflict] if it was already. With the
	// zero time it notes that the undo was taken back.
	MarkUndone(id string, at time.Time) error

	Details
	Working
	ProjectMover
	Plans
	LinkStore
}

// Undo names the records that one action archived, so that it can be taken back.
type Undo struct {
	ID       string
	Action   string // the tool's name
	Records  []string
	Data     json.RawMessage // what else the action needs to be taken back, or nil
	At       time.Time
	UndoneAt time.Time
}

// Reader looks at a bank without searching it.
type Reader interface {
	// Records returns the records with those ids, in their order, leaving out
	// the ones that are not there.
	Records(ctx context.Context, agent string, ids []string) ([]Record, error)
	// Said reports for each of some contents, in their order, whether a live
	// record of one of the projects and kinds says the same (see [SameContent]).
	Said(ctx context.Context, agent string, projects []string, kinds []Kind, contents []string) ([]bool, error)
	// FactsBySlot is [Tx.RecordsBySlot] for facts of some projects, nil for all.
	FactsBySlot(ctx context.Context, agent string, projects []string, keys []uint64) ([]Document, error)
	// Apart returns the pairs of which neither record replaces the other because somebody undid
	// what the save of one of them, whose id is among ids, had decided; see [ActionSupersede].
	Apart(ctx context.Context, agent string, ids []string) (Apart, error)
	// History returns the chain of corrections that id belongs to, oldest first.
	History(ctx context.Context, agent, id string) ([]Record, error)
	// Salient returns live records of the readable projects that are true at a
	// moment (see [Record.TrueAt]) and pinned, important or often recalled, best
	// first as far as the database can tell cheaply; callers rank the result with
	// package salience. What is not true takes no place of the limit.
	Salient(ctx context.Context, scope Scope, at time.Time, limit int) ([]Record, error)
	// EachRecord calls fn for every record of the bank in order of creation.
	EachRecord(ctx context.Context, agent string, fn func(Record) error) error
	// EachAlias calls fn for every name of a record (see [Tx.NameRecord]) that
	// is not the record's own external id, in order of names.
	EachAlias(ctx context.Context, agent string, fn func(externalID, id string) error) error
	// EachTurn calls fn for every turn of the bank in order of arrival.
	EachTurn(ctx context.Context, agent string, fn func(Turn) error) error
	// CountRecords counts live records of a kind.
	CountRecords(ctx context.Context, agent string, kind Kind) (int, error)
	// Stats counts what the bank holds.
	Stats(ctx context.Context, agent string) (Stats, error)
}

// Stats says what a bank holds.
type Stats struct {
	Agent         string         `json:"agent"`
	Records       int            `json:"records"`  // live
	Archived      int            `json:"archived"` // set aside
	Superseded    int            `json:"superseded"`
	Turns         int            `json:"turns"`
	Sessions      int            `json:"sessions"`
	ByKind        map[string]int `json:"by_kind"`
	ByCategory    map[string]int `json:"by_category"`
	ByProject     map[string]int `json:"by_project"`
	Embedder      string         `json:"embedder"`                 // fingerprint of the current embedder
	Vectors       int            `json:"vectors"`                  // documents with a vector of it
	VectorsQueued int            `json:"vectors_queued"`           // documents waiting for one
	VectorsFailed int            `json:"vectors_failed"`           // of these, tried and failed so far
	Encoded       int            `json:"encoded,omitempty"`        // memories with a vector by the sentence encoder
	EncoderQueued int            `json:"encoder_queued,omitempty"` // memories waiting for one
	SchemaVersion int            `json:"schema_version"`
	DatabaseBytes int64          `json:"database_bytes"`          // 0 where a node of a cluster does not tell
	ErasePending  bool           `json:"erase_pending,omitempty"` // remains of what was erased are still in the files
}

// DatabaseSize is a size in bytes for people; 0 is one that is not known.
func DatabaseSize(bytes int64) string {
	if bytes == 0 {
		return "size not known"
	}
	return fmt.Sprintf("%.1f MiB", float64(bytes)/(1<<20))
}

// Scrubber makes sure that what was erased is not left in the database's files either, such as in
// free pages.
type Scrubber interface {
	// Scrub removes what is left of erased data from the files behind the database, unless
	// nothing was erased since the last time. That takes time in proportion to their size, but
	// other writes need not wait for it. Should ctx end before, [Caretaker.Tend] goes on with
	// it, or else Close. [CodeUnavailable] if it is not done yet, or others use the files for
	// too long.
	Scrub(ctx context.Context) error
}

// Reinforcer counts accesses to records, by which their salience grows.
type Reinforcer interface {
	// Reinforce counts one access of each record by the session, unless that
	// session has accessed it before. Unknown ids are ignored.
	Reinforce(ctx context.Context, agent, session string, ids []string, at time.Time) error
}
