package hooks

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"mcp-memory/memory"
	"mcp-memory/transfer/transcripts"
)

// Keys of the state that a bank keeps for hooks, see [memory.Working]. The
// state of a session has a key of its own. If the session is erased, only what
// [memory.ReadBefore] returns of it is left.
const (
	stateOpen = "hook.open"
	stateSeen = "hook.seen"
)

// session is the state that a bank keeps of a session.
type session struct {
	Host    string           `json:"host"`
	Project string           `json:"project,omitempty"`
	Path    string           `json:"path,omitempty"` // of the transcript
	Mark    transcripts.Mark `json:"mark,omitzero"`  // how far the transcript was read
	Shown   []string         `json:"shown,omitempty"`
	// Said is what was said and is not stored as turns yet, if the host has no
	// transcript or writes it late. Count numbers these messages.
	Said  []Message `json:"said,omitempty"`
	Count int       `json:"count,omitempty"`
}

// maxShown is how many ids of shown memories are kept for a session.
const maxShown = 300

// show adds the ids of memories that were shown.
func (s *session) show(ids []string) {
	for _, id := range ids {
		if !slices.Contains(s.Shown, id) {
			s.Shown = append(s.Shown, id)
		}
	}
	s.Shown = s.Shown[max(0, len(s.Shown)-maxShown):]
}

// opened is a session that may have something that is not stored as turns yet.
type opened struct {
	Host    string    `json:"host"`
	Project string    `json:"project,omitempty"`
	Path    string    `json:"path,omitempty"`
	At      time.Time `json:"at"`
}

// maxOpen is how many open sessions are kept for [Service.CatchUp].
const maxOpen = 64

// Seen has the time of a host's last call for each event, by the host's names
// of events.
type Seen map[string]time.Time

func (s *Service) session(ctx context.Context, scope memory.Scope, name string) (session, error) {
	var one session
	err := s.state(ctx, scope.Agent, memory.StateHook+name, &one)
	return one, err
}

// state reads a value of the bank's state. A value that cannot be decoded, as
// of another version, is ignored.
func (s *Service) state(ctx context.Context, agent, key string, value any) error {
	raw, err := s.store.State(ctx, agent, key)
	if err == nil && raw != nil {
		_ = json.Unmarshal(raw, value)
	}
	return err
}

// keep changes the state of a call's session with change, notes the call in
// [Seen], and notes whether the session is open, in one transaction.
func (s *Service) keep(ctx context.Context, scope memory.Scope, c Call, open bool, change func(*session)) error {
	return s.store.Write(ctx, scope.Agent, func(tx memory.Tx) error {
		err := changeIn(tx, memory.StateHook+c.Session, func(one *session) {
			one.Host, one.Project = c.Host, scope.Project
			if c.Transcript != "" {
				one.Path = c.Transcript
			}
			change(one)
		})
		if err != nil {
			return err
		}
		if err := changeIn(tx, stateSeen, func(all *map[string]Seen) { note(all, c, s.clock.Now()) }); err != nil {
			return err
		}
		return changeIn(tx, stateOpen, func(all *map[string]opened) {
			if *all == nil {
				*all = map[string]opened{}
			}
			if !open {
				delete(*all, c.Session)
				return
			}
			(*all)[c.Session] = opened{c.Host, scope.Project, c.Transcript, s.clock.Now()}
			for len(*all) > maxOpen {
				delete(*all, oldest(*all))
			}
		})
	})
}

// changeIn changes a value of the bank's state.
func changeIn[T any](tx memory.Tx, key string, change func(*T)) error {
	raw, err := tx.State(key)
	if err != nil {
		return err
	}
	var value T
	if raw != nil {
		_ = json.Unmarshal(raw, &value) // one of another version is ignored
	}
	change(&value)
	after, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("write %s: %w", key, err)
	}
	if string(after) == string(raw) {
		return nil
	}
	return tx.SetState(key, after)
}

// maxSeen is how many hosts are kept in stateSeen, and how many events of each.
const maxSeen = 32

func note(all *map[string]Seen, c Call, now time.Time) {
	if *all == nil {
		*all = map[string]Seen{}
	}
	one := (*all)[c.Host]
	if one == nil {
		if len(*all) >= maxSeen {
			return
		}
		one = Seen{}
		(*all)[c.Host] = one
	}
	if _, known := one[c.Name]; known || len(one) < maxSeen {
		one[c.Name] = now.Truncate(time.Second)
	}
}

func oldest(all map[string]opened) string {
	return slices.MinFunc(slices.Sorted(maps.Keys(all)), func(a, b string) int { return all[a].At.Compare(all[b].At) })
}

// LastSeen returns the time of the last call of each host for each event: by
// host, then by event.
func LastSeen(ctx context.Context, store memory.WorkingReader, agent string) (map[string]Seen, error) {
	raw, err := store.State(ctx, agent, stateSeen)
	if raw == nil || err != nil {
		return nil, err
	}
	var all map[string]Seen
	_ = json.Unmarshal(raw, &all)
	return all, nil
}
