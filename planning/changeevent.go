package planning

import (
	"context"
	"slices"
	"time"

	"mcp-memory/memory"
)

// EventChange is what was done to an event, enough to take it back.
type EventChange struct {
	Before memory.CalendarEvent // the event as it was
	After  memory.CalendarEvent // as it is since; with RemovedAt it is gone
	Own    string               // id of the event that one occurrence has become, "" for none
}

// ChangeEvent gives an event other words and times, or only its occurrence at start if that is not zero:
// this one becomes an event of its own, without a recurrence. Where the whole event is moved,
// occurrences that were removed are moved with it. Before that, check sees the event as it is and may refuse;
// nil refuses nothing. Errors: those of [Service.AddEvent], those of [Service.RemoveEvent] and those of check.
func (s *Service) ChangeEvent(ctx context.Context, agent, id string, start time.Time, r EventRequest,
	check func(memory.CalendarEvent) error) (change EventChange, err error) {
	wanted, err := s.newEvent(agent, r)
	if err != nil {
		return change, err
	}
	err = s.store.Write(ctx, agent, func(tx memory.Tx) error {
		e, err := tx.Event(id)
		if err != nil {
			return err
		}
		if check != nil {
			if err := check(e); err != nil {
				return err
			}
		}
		change = EventChange{Before: e}
		if !start.IsZero() && e.Recurrence != "" {
			if wanted.Recurrence != "" {
				return memory.Errorf(memory.CodeInvalidArgument, "recurrence: one occurrence does not come again")
			}
			if _, err := s.remove(&e, start); err != nil {
				return err
			}
			change.After, change.Own = e, wanted.ID
			if err := tx.InsertEvent(wanted); err != nil {
				return err
			}
			return tx.UpdateEvent(e)
		}
		moved := wanted
		moved.ID, moved.CreatedAt = e.ID, e.CreatedAt
		moved.Except = movedStarts(moved, e)
		change.After = moved
		return tx.UpdateEvent(moved)
	})
	return change, err
}

// movedStarts are the removed starts of an event that has become another, as far as that has them.
func movedStarts(now, before memory.CalendarEvent) (starts []time.Time) {
	if now.Recurrence == "" {
		return nil
	}
	by := now.StartsAt.Sub(before.StartsAt)
	for _, start := range before.Except {
		if start = start.Add(by); startsAt(now, start) {
			starts = append(starts, start)
		}
	}
	return starts
}

// TakeBackEvent takes back what was done to an event: by [Service.ChangeEvent], or by [Service.RemoveEvent]
// where the caller knows both states. An event that was removed comes back under a new id. Errors:
// [memory.CodeConflict] where the event was changed again since.
func (s *Service) TakeBackEvent(ctx context.Context, agent string, c EventChange) error {
	changed := memory.Errorf(memory.CodeConflict, "the event was changed again since").WithHint("look at what it says now")
	return s.store.Write(ctx, agent, func(tx memory.Tx) error {
		if !c.After.RemovedAt.IsZero() {
			back := c.Before
			back.ID = s.ids.New()
			return tx.InsertEvent(back)
		}
		now, err := tx.Event(c.After.ID)
		if memory.CodeOf(err) == memory.CodeNotFound {
			return changed
		}
		if err != nil {
			return err
		}
		if !sameEvent(now, c.After) {
			return changed
		}
		if c.Own != "" {
			own, err := tx.Event(c.Own)
			if memory.CodeOf(err) == memory.CodeNotFound {
				return changed
			}
			if err != nil {
				return err
			}
			own.RemovedAt = s.clock.Now()
			if err := tx.UpdateEvent(own); err != nil {
				return err
			}
		}
		return tx.UpdateEvent(c.Before)
	})
}

// sameEvent reports whether two states of an event say the same.
func sameEvent(a, b memory.CalendarEvent) bool {
	return a.Title == b.Title && a.StartsAt.Equal(b.StartsAt) && a.EndsAt.Equal(b.EndsAt) && a.TimeZone == b.TimeZone &&
		a.Location == b.Location && a.Description == b.Description && a.Recurrence == b.Recurrence &&
		slices.EqualFunc(a.Except, b.Except, time.Time.Equal)
}
