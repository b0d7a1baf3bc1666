package transfer

import (
	"context"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

	"mcp-memory/memory"
	"mcp-memory/remember"
	"mcp-memory/transfer/jsonl"
	"mcp-memory/transfer/transcripts"
)

// turnLine is a line of the format turns.
type turnLine struct {
	ID      jsonl.Name   `json:"id"`
	Session jsonl.Name   `json:"session"`
	Speaker string       `json:"speaker"`
	Role    *string      `json:"role"`
	TS      jsonl.Moment `json:"ts"`
	Text    string       `json:"text"`
	Content string       `json:"content"` // used if text is ""
}

// turnLoader imports messages.
type turnLoader struct {
	deps   Deps
	scope  memory.Scope
	turns  []memory.Turn
	whole  *remember.Import // collects what the import did, for its undo
	erased *erasures
	gone   int // messages of erased conversations since the last cut
	// positions counts the messages of each session, by a hash of its name. Sessions with the same
	// hash share a count, which is still the same at each reading of the file. So its size does not
	// grow with the file.
	positions [1 << 16]uint32
}

func newTurnLoader(deps Deps, scope memory.Scope, revive bool) *turnLoader {
	return &turnLoader{deps: deps, scope: scope, erased: newErasures(deps.Store, scope.Agent, revive),
		whole: deps.Service.NewImport(scope.Agent)}
}

func (l *turnLoader) size() int { return len(l.turns) + l.gone }

func (l *turnLoader) end() error { return nil }

// undoID implements undoable.
func (l *turnLoader) undoID() string { return l.whole.UndoID() }

func (l *turnLoader) add(ctx context.Context, text []byte) error {
	var line turnLine
	if err := jsonl.Decode(text, &line); err != nil {
		return err
	}
	if line.Text == "" {
		line.Text = line.Content
	}
	role, err := line.role()
	if err != nil {
		return err
	}
	now := l.deps.Clock.Now()
	t := memory.Turn{
		ID: l.deps.IDs.New(), Agent: l.scope.Agent, Project: l.scope.Project, Session: string(line.Session),
		Role: role, Speaker: line.Speaker, Content: line.Text, ExternalID: string(line.ID),
		SaidAt: line.TS.Time, CreatedAt: now,
	}
	position := l.position(t.Session) // also for a broken line, which may be corrected later
	if t.ExternalID == "" {
		t.ExternalID = transcripts.ExternalID(t, position)
	}
	if t.SaidAt.IsZero() {
		t.SaidAt = now
	}
	if t = t.Tidied(); t.Speaker == "" {
		t.Speaker = string(role)
	}
	if err := t.Validate(); err != nil {
		return err
	}
	gone, err := l.erased.gone(ctx, t)
	if gone {
		l.gone++
	} else {
		l.turns = append(l.turns, t)
	}
	return err
}

// role returns the role of the line, or that which the speaker is named after, or "".
func (t turnLine) role() (memory.Role, error) {
	roles := memory.Roles()
	if t.Role != nil && *t.Role != "" {
		if role := memory.Role(strings.ToLower(*t.Role)); slices.Contains(roles, role) {
			return role, nil
		}
		return "", fmt.Errorf("role %q does not exist: system, user, assistant and tool do", *t.Role)
	}
	if role := memory.Role(t.Speaker); slices.Contains(roles, role) {
		return role, nil
	}
	return "", nil
}

// position returns how many messages were read before in the session, and counts this one.
func (l *turnLoader) position(session string) uint32 {
	h := fnv.New32a()
	h.Write([]byte(session))
	n := &l.positions[h.Sum32()%uint32(len(l.positions))]
	*n++
	return *n - 1
}

func (l *turnLoader) cut(ctx context.Context) write {
	turns, gone := l.turns, l.gone
	l.turns, l.gone = nil, 0
	vectors := embedLocal(ctx, l.deps, turnTexts(turns))
	return func(ctx context.Context) (Report, error) {
		stored, kept := 0, func() {}
		err := l.deps.Store.Write(ctx, l.scope.Agent, func(tx memory.Tx) error {
			fresh, err := newTurns(tx, turns)
			if err != nil {
				return err
			}
			if stored, err = tx.InsertTurns(turns, vectors); err != nil {
				return err
			}
			if kept, err = l.whole.Keep(tx, fresh); err != nil {
				return err
			}
			if fresh = slices.DeleteFunc(fresh, func(t memory.Turn) bool { return t.Person() == "" }); len(fresh) == 0 ||
				l.deps.Met == nil {
				return nil
			}
			return l.deps.Met(ctx, tx, l.scope, fresh)
		})
		if err != nil {
			return Report{}, err
		}
		kept()
		if vectors == nil && stored > 0 {
			l.deps.Queued()
		}
		return Report{Created: stored, Turns: stored, Duplicates: len(turns) - stored, Forgotten: gone}, nil
	}
}

// newTurns returns the turns that the bank does not have, without duplicates.
func newTurns(tx memory.Tx, turns []memory.Turn) (fresh []memory.Turn, err error) {
	type name struct{ session, id string }
	seen := map[name]bool{}
	for _, t := range turns {
		n := name{t.Session, t.ExternalID}
		if seen[n] {
			continue
		}
		seen[n] = true
		at, err := tx.TurnPosition(t.Session, t.ExternalID)
		if err != nil {
			return nil, err
		}
		if at < 0 {
			fresh = append(fresh, t)
		}
	}
	return fresh, nil
}

func turnTexts(turns []memory.Turn) []string {
	texts := make([]string, len(turns))
	for i, t := range turns {
		texts[i] = t.Content
	}
	return texts
}
