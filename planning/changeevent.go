package planning

import (
	"context"
	"slices"
	"time"

	"mcp-memory/memory"
)

// EventChange has the states of an event before and after a change, enough to
// take the change back.
type EventChange struct {
	Before memory.CalendarEvent // the event as it was
	After  memory.CalendarEvent // the event afterwards; with RemovedAt if it was removed
	Own    string               // id of the event made of one occurrence, or ""
}

// ChangeEvent replaces the words and times of an event. If start is not zero
// and the event recurs, it removes only the occurrence at start and adds r as
// an event of its own, without a recurrence. If the whole event is moved, the
// removed occurrences (Except) move with it. check is called first with the
// event as it is and may refuse the change; it may be nil. Errors: those of
// [Service.AddEvent], [Service.RemoveEvent] and check.
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

// movedStarts returns the removed starts of before, moved as far as now was
// moved. It leaves out those at which now has no occurrence.
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

// TakeBackEvent takes back a change made by [Service.ChangeEvent] or
// [Service.RemoveEvent]. An event that was removed is added again under a new
// id. It returns a [memory.CodeConflict] if the event was changed again since.
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

// sameEvent reports whether two states of an event are equal in all that a user
// can set.
func sameEvent(a, b memory.CalendarEvent) bool {
	return a.Title == b.Title && a.StartsAt.Equal(b.StartsAt) && a.EndsAt.Equal(b.EndsAt) && a.TimeZone == b.TimeZone &&
		a.Location == b.Location && a.Description == b.Description && a.Recurrence == b.Recurrence &&
		slices.EqualFunc(a.Except, b.Except, time.Time.Equal)
}
