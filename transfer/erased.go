package transfer

import (
	"context"

	"mcp-memory/memory"
)

// erasures finds messages that were said before their conversation was erased. They stay erased,
// unless revive is set. Messages said since are imported.
type erasures struct {
	store  Store
	agent  string
	revive bool
	until  map[string]int64 // microseconds since 1970, by session; 0 if it was not erased
}

func newErasures(store Store, agent string, revive bool) *erasures {
	return &erasures{store: store, agent: agent, revive: revive, until: map[string]int64{}}
}

// gone reports whether a message belongs to an erased time. A message without a time of its own,
// which has the time at which it was read, counts as erased if the conversation ever was.
func (e *erasures) gone(ctx context.Context, t memory.Turn) (bool, error) {
	until, err := e.of(ctx, t.Session)
	return until > 0 && (t.SaidAt.UnixMicro() <= until || t.SaidAt.Equal(t.CreatedAt)), err
}

// of returns until when a conversation was erased, in microseconds since 1970, 0 for never.
func (e *erasures) of(ctx context.Context, session string) (int64, error) {
	if e.revive {
		return 0, nil
	}
	if until, known := e.until[session]; known {
		return until, nil
	}
	raw, err := e.store.State(ctx, e.agent, memory.StateErased+memory.SessionTag(session))
	if err != nil {
		return 0, err
	}
	at, err := memory.ErasedAt(raw)
	if err != nil {
		return 0, err
	}
	until := int64(0)
	if !at.IsZero() {
		until = at.UnixMicro()
	}
	e.until[session] = until
	return until, nil
}

// left returns the messages that were not erased, and how many were.
func (e *erasures) left(ctx context.Context, turns []memory.Turn) (left []memory.Turn, gone int, err error) {
	for _, t := range turns {
		erased, err := e.gone(ctx, t)
		if err != nil {
			return nil, 0, err
		}
		if erased {
			gone++
		} else {
			left = append(left, t)
		}
	}
	return left, gone, nil
}

// done returns the actions of a conversation that were not erased with it.
func (e *erasures) done(ctx context.Context, session string, actions []memory.Action) (left []memory.Action, err error) {
	until, err := e.of(ctx, session)
	for _, a := range actions {
		if until == 0 || a.At.UnixMicro() > until {
			left = append(left, a)
		}
	}
	return left, err
}
