package upkeep

import (
	"context"
	"errors"
	"slices"
	"time"

	"mcp-memory/memory"
)

// Banks is the part of a store that an [Overview] needs.
type Banks interface {
	// Agents is documented at [memory.LinkReader.Agents].
	Agents(ctx context.Context) ([]string, error)
	// Stats is documented at [memory.Reader.Stats].
	Stats(ctx context.Context, agent string) (memory.Stats, error)
	// Log is documented at [memory.LogReader.Log].
	Log(ctx context.Context, agent, before string, limit int) ([]memory.Logged, error)
	// Told is documented at [memory.ToldLog.Told].
	Told(ctx context.Context, agent, before string, limit int) ([]memory.Told, error)
	// LatestWindow is documented at [memory.WorkingReader.LatestWindow].
	LatestWindow(ctx context.Context, agent string, projects []string) (*memory.Window, error)
	// Health is documented at [memory.Caretaker.Health].
	Health() memory.Health
}

// Bank describes a bank by numbers and times. It contains no content and no names of what is in it.
type Bank struct {
	Agent                        string
	Memories, Archived, Replaced int // valid, archived, and superseded memories
	Messages, Sessions           int // of conversations
	Queued                       int // texts that wait for their vectors
	Failed                       int // of Queued, those whose embedding has failed so far
	Unencoded                    int // memories that wait for the sentence encoder
	ErasePending                 bool
	Asked                        time.Time // when an agent was last given something, as far as that is kept; zero for never
	Changed                      time.Time // when something was last saved, changed or said; zero for never
}

// State describes a server.
type State struct {
	Program       string // version of the program
	Since         time.Time
	SchemaVersion int    // 0 if there is no bank yet
	DatabaseBytes int64  // of all banks together; 0 if there is none yet
	Embedder      string // fingerprint of the embedder in use
	Health        memory.Health
	BackupDir     string    // directory of daily backups; "" for none
	Backup        time.Time // time of the newest backup; zero for none
	Banks         int       // number of banks
}

// Overview describes a server and all of its banks. It is safe for concurrent use.
type Overview struct {
	store   Banks
	program string
	since   time.Time
	backups func() (dir string, newest time.Time, err error)
}

// NewOverview returns an overview. program is the server's version, and since when it was started.
// backups returns the directory of daily backups, "" for none, and the time of the newest one.
func NewOverview(store Banks, program string, since time.Time, backups func() (string, time.Time, error)) *Overview {
	return &Overview{store, program, since, backups}
}

// overviewPage is how many banks List returns at most. Counting a bank takes some milliseconds.
const overviewPage = 20

// List returns the state of the server and up to overviewPage banks with names greater than after,
// ordered by name. more says that others follow.
func (o *Overview) List(ctx context.Context, after string) (state State, banks []Bank, more bool, err error) {
	agents, err := o.store.Agents(ctx)
	if err != nil {
		return state, nil, false, err
	}
	state = State{Program: o.program, Since: o.since, Health: o.store.Health(), Banks: len(agents)}
	if state.BackupDir, state.Backup, err = o.backups(); err != nil {
		return state, nil, false, err
	}
	at, found := slices.BinarySearch(agents, after)
	if found {
		at++
	}
	rest := agents[at:]
	more = len(rest) > overviewPage
	for _, agent := range rest[:min(len(rest), overviewPage)] {
		bank, counted, err := o.bank(ctx, agent)
		if err != nil {
			return state, nil, false, err
		}
		state.SchemaVersion, state.DatabaseBytes, state.Embedder = counted.SchemaVersion, counted.DatabaseBytes, counted.Embedder
		banks = append(banks, bank)
	}
	return state, banks, more, nil
}

// bank describes one bank. It also returns its counts.
func (o *Overview) bank(ctx context.Context, agent string) (Bank, memory.Stats, error) {
	s, err := o.store.Stats(ctx, agent)
	told, toldErr := o.store.Told(ctx, agent, "", 1)
	changes, logErr := o.store.Log(ctx, agent, "", 1)
	window, windowErr := o.store.LatestWindow(ctx, agent, nil)
	if err := errors.Join(err, toldErr, logErr, windowErr); err != nil {
		return Bank{}, s, err
	}
	b := Bank{
		Agent: agent, Memories: s.Records, Archived: s.Archived, Replaced: s.Superseded, Messages: s.Turns, Sessions: s.Sessions,
		Queued: s.VectorsQueued, Failed: s.VectorsFailed, Unencoded: s.EncoderQueued, ErasePending: s.ErasePending,
	}
	if len(told) > 0 {
		b.Asked = told[0].At
	}
	if len(changes) > 0 {
		b.Changed = changes[0].At
		if changes[0].UndoneAt.After(b.Changed) {
			b.Changed = changes[0].UndoneAt
		}
	}
	if window != nil && window.UpdatedAt.After(b.Changed) {
		b.Changed = window.UpdatedAt
	}
	return b, s, nil
}
