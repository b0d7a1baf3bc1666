package sqlite

import (
	"context"
	"errors"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// dropUnreadable deletes the documents of a bank whose rows cannot be read as documents, and returns
// their ids. It is for a salvaged database in which nothing is indexed yet.
func (s *Store) dropUnreadable(ctx context.Context, c memory.Corpus, agent string) (ids []string, err error) {
	if c == memory.Memories {
		err = s.EachRecord(ctx, agent, func(memory.Record) error { return nil })
	} else {
		err = s.EachTurn(ctx, agent, func(memory.Turn) error { return nil })
	}
	var unreadable *memory.Unreadable
	if !errors.As(err, &unreadable) {
		return nil, err
	}
	return unreadable.IDs, explain(s.writer.do(ctx, func(w *writer) error {
		t := s.newTx(ctx, w, agent)
		for _, id := range unreadable.IDs {
			tables := []string{"turn_details", "turns"}
			if c == memory.Memories {
				tables = []string{"procedure_runs", "accesses", "record_names", "record_origins", "records"}
				for _, kind := range memory.Kinds() {
					if err := t.RemoveDetails(kind, id); err != nil {
						return err
					}
				}
			}
			if err := t.DeleteRows(id, tables...); err != nil {
				return err
			}
		}
		return nil
	}))
}

// rebuildBank makes the derived data of a bank that has nothing but rows: text indexes, counters,
// slots, and the queue for vectors.
func (s *Store) rebuildBank(ctx context.Context, agent string) error {
	low, high, err := s.bankRange(ctx, agent)
	if err != nil {
		return err
	}
	err = eachPage(low, func(after int64) ([]memory.Document, error) {
		docs, err := queryRecords(ctx, s.read, `SELECT `+rows.RecordColumns+` FROM records d`+inBank, after, high, pageSize)
		if err == nil {
			err = s.rebuildPage(ctx, agent, memory.Memories, docs)
		}
		return docs, err
	}, func(d memory.Document) (int64, error) { return d.Seq, nil })
	if err != nil {
		return err
	}
	return eachPage(low, func(after int64) ([]rows.Turn, error) {
		turns, err := s.turns(ctx, agent, inBank, after, high, pageSize)
		docs := make([]memory.Document, len(turns))
		for i, t := range turns {
			docs[i] = t.Document()
			docs[i].Content = t.SearchText()
		}
		if err == nil {
			err = s.rebuildPage(ctx, agent, memory.Conversations, docs)
		}
		return turns, err
	}, func(t rows.Turn) (int64, error) { return t.Seq, nil })
}

// rebuildPage indexes some documents that are stored but in no index.
func (s *Store) rebuildPage(ctx context.Context, agent string, c memory.Corpus, docs []memory.Document) error {
	if len(docs) == 0 {
		return nil
	}
	return explain(s.writer.do(ctx, func(w *writer) error {
		t := s.newTx(ctx, w, agent)
		if err := t.openBank(); err != nil {
			return err
		}
		for _, d := range docs {
			if c == memory.Memories {
				t.groups.Add(rows.GroupOf(d.Record), 1)
			}
			if c == memory.Memories && d.Kind == memory.KindFact {
				if err := t.file(d.Seq, rows.SlotsOf(d.Content)); err != nil {
					return err
				}
			}
			if err := t.index(c, d.Seq, d.Content, nil); err != nil {
				return err
			}
		}
		return t.flush()
	}))
}
