package sqlite

import (
	"context"
	"errors"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// eachReadable is eachPage for the documents of a bank, in order of their numbers, that goes on
// where the file is damaged. It leaves out what it cannot read, and returns a [memory.Unreadable]
// that names it at the end. After damage it reads single rows until a page full of them was sound.
func eachReadable[T any](ctx context.Context, s *Store, c memory.Corpus, agent string, after int64,
	page func(after int64, limit int) ([]T, error), fn func(T) (int64, error)) error {
	var lost *memory.Unreadable
	limit, sound := pageSize, 0
	for {
		rows, err := page(after, limit)
		switch err = explain(err); {
		case errors.Is(err, memory.ErrDamaged) && limit > 1:
			limit, sound = 1, 0 // find out which row of the page it is
			continue
		case errors.Is(err, memory.ErrDamaged):
			next, err := nextReadable(after, page)
			if err != nil {
				return err
			}
			if lost == nil {
				lost = &memory.Unreadable{}
			}
			lost.IDs = append(lost.IDs, s.idsBetween(ctx, c, agent, after, next)...)
			if after = next; next < 0 {
				return lost
			}
			continue
		case err != nil:
			return err
		}
		for _, row := range rows {
			if after, err = fn(row); err != nil {
				return err
			}
		}
		if sound++; limit == 1 && sound > pageSize {
			limit = pageSize
		} else if len(rows) < limit {
			break
		}
	}
	if lost != nil {
		return lost
	}
	return nil
}

// nextReadable returns a number above after, beyond which rows can be read again or there are none;
// -1 if that is nowhere so. As numbers are close together, it doubles its step ahead until reading
// succeeds, and then finds the place by bisection.
func nextReadable[T any](after int64, page func(after int64, limit int) ([]T, error)) (int64, error) {
	damaged := func(at int64) (bool, error) {
		_, err := page(at, 1)
		if err = explain(err); errors.Is(err, memory.ErrDamaged) {
			return true, nil
		}
		return false, err
	}
	bad, step := after, int64(1)
	for ; ; step *= 2 {
		if step > 1<<rows.BankShift {
			return -1, nil
		}
		is, err := damaged(after + step)
		if err != nil {
			return 0, err
		}
		if !is {
			break
		}
		bad = after + step
	}
	good := after + step
	for good-bad > 1 {
		middle := bad + (good-bad)/2
		is, err := damaged(middle)
		if err != nil {
			return 0, err
		}
		if is {
			bad = middle
		} else {
			good = middle
		}
	}
	return good, nil
}

// idsBetween returns the ids of a bank's documents with low < seq ≤ high, without an upper bound if
// high is below 0. It reads them from a covering index, not from the damaged rows; none if that is
// damaged too.
func (s *Store) idsBetween(ctx context.Context, c memory.Corpus, agent string, low, high int64) []string {
	index := "sqlite_autoindex_records_1"
	if c == memory.Conversations {
		index = "sqlite_autoindex_turns_2"
	}
	ids, err := queryAll(ctx, s.read, rows.ScanText, `SELECT id FROM `+rows.Table(c)+` INDEXED BY `+index+`
		WHERE agent = ?1 AND seq > ?2 AND (?3 < 0 OR seq <= ?3) ORDER BY seq`, agent, low, high)
	if err != nil {
		return nil
	}
	return ids
}
