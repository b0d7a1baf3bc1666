package postgres

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"time"

	"github.com/jackc/pgx/v5"

	"mcp-memory/memory"
)

// noteAway records what err, the result of the last call, says about whether the database or a node
// of its cluster can be reached; see Health. nil means that the database answered.
func (s *Store) noteAway(err error) {
	switch {
	case err == nil:
		if s.lost.Load() != nil {
			s.lost.Store(nil)
		}
	case s.ofNode(err):
		s.node.CompareAndSwap(nil, &nodeAway) // cleared by lookAtNodes once all nodes answer
	case away(err) && !s.closed.Load():
		s.lost.CompareAndSwap(nil, &memory.Finding{
			Check: "database", Condition: memory.ConditionBroken,
			Detail: "the database cannot be reached", Advice: "see to the server, or to the way to it",
		})
	}
}

// Health implements [memory.Caretaker].
func (s *Store) Health() memory.Health {
	var h memory.Health
	for _, found := range []*memory.Finding{s.lost.Load(), s.node.Load()} {
		if found != nil {
			h.Problems = append(h.Problems, *found)
		}
	}
	return h
}

// lookEvery is how often Tend probes the database, so that an outage shows without a call.
const lookEvery = 10 * time.Second

// Tend implements [memory.Caretaker]. PostgreSQL maintains its own files, so Tend only probes the
// server and the nodes of a cluster every lookEvery, and sees to missing statistics (lookAtPlans).
func (s *Store) Tend(ctx context.Context) {
	for tick := time.NewTicker(lookEvery); ; {
		select {
		case <-ctx.Done():
			tick.Stop()
			return
		case <-tick.C:
			s.lookAtPlans(ctx)
			was := s.lost.Load()
			s.noteAway(s.look(ctx))
			if now := s.lost.Load(); was == nil && now != nil && ctx.Err() == nil {
				s.log.WarnContext(ctx, now.Detail)
			}
			s.lookAtNodes(ctx)
		}
	}
}

// look probes the database with a query for its time, which noteClock is given. A database that
// does not answer within connectTimeout counts as away, in a cluster as if a node was.
func (s *Store) look(ctx context.Context) error {
	short, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	var there int64
	asked := time.Now()
	err := s.read.QueryRow(short, `SELECT `+nowMicros, pgx.QueryExecModeExec).Scan(&there)
	switch {
	case err == nil:
		s.noteClock(ctx, asked, there)
	case short.Err() != nil && ctx.Err() == nil:
		return &net.OpError{Op: "read", Err: os.ErrDeadlineExceeded}
	}
	return err
}

// noteClock stores in s.offset how far the database's clock is ahead of this machine's. there is
// the database's time in microseconds since 1970, asked is when the query for it was sent.
// Differences below a second count as none.
func (s *Store) noteClock(ctx context.Context, asked time.Time, there int64) {
	const agrees = time.Second
	way := time.Since(asked)
	offset := time.UnixMicro(there).Sub(asked.Add(way / 2))
	if way > agrees {
		return // the round trip took too long to tell
	}
	if offset.Abs() < agrees {
		offset = 0
	}
	if was := time.Duration(s.offset.Swap(int64(offset))); (was - offset).Abs() > agrees {
		s.log.WarnContext(ctx, "this machine's clock is not the database's, which counts", "behind", offset.Round(time.Millisecond))
	}
}

// Offset implements [memory.Clocked].
func (s *Store) Offset() time.Duration { return time.Duration(s.offset.Load()) }

// CopyTo implements [memory.Caretaker]: it writes every table as CSV with its column names, all of
// one snapshot, into a tar archive compressed by gzip. For copies that pg_restore reads there is
// pg_dump.
func (s *Store) CopyTo(ctx context.Context, path string, progress func(done, total int64)) (err error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return memory.Errorf(memory.CodeConflict, "there is a file of that name").WithHint("choose another name")
	} else if err != nil {
		return memory.Errorf(memory.CodeUnavailable, "the copy cannot be written").WithCause(err)
	}
	err = s.copyInto(ctx, f, progress)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return errors.Join(explain(err), os.Remove(path))
	}
	return nil
}

func (s *Store) copyInto(ctx context.Context, f io.Writer, progress func(done, total int64)) error {
	packed := gzip.NewWriter(f)
	archive := tar.NewWriter(packed)
	err := pgx.BeginTxFunc(ctx, s.read, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(t pgx.Tx) error {
		if _, err := t.Exec(ctx, nameAgent, everyone); err != nil {
			return err
		}
		tables, err := t.Query(ctx, `SELECT tablename FROM pg_tables WHERE schemaname = current_schema ORDER BY 1`)
		if err != nil {
			return err
		}
		names, err := pgx.CollectRows(tables, pgx.RowTo[string])
		if err != nil {
			return err
		}
		for i, name := range names {
			if err := copyTable(ctx, t, archive, name); err != nil {
				return err
			}
			if progress != nil {
				progress(int64(i+1), int64(len(names)))
			}
		}
		return nil
	})
	return errors.Join(err, archive.Close(), packed.Close())
}

// copyTable adds a table to the archive. A tar header has the file's size and comes first, so the
// rows go to a temporary file before.
func copyTable(ctx context.Context, t pgx.Tx, archive *tar.Writer, name string) (err error) {
	rows, err := os.CreateTemp("", "mcp-memory-copy-*")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close(), os.Remove(rows.Name())) }()
	if _, err := t.Conn().PgConn().
		CopyTo(ctx, rows, `COPY (SELECT * FROM `+pgx.Identifier{name}.Sanitize()+`) TO STDOUT WITH (FORMAT csv, HEADER)`); err != nil {
		return fmt.Errorf("copy %s: %w", name, err)
	}
	size, err := rows.Seek(0, io.SeekEnd)
	if err == nil {
		_, err = rows.Seek(0, io.SeekStart)
	}
	if err == nil {
		err = archive.WriteHeader(&tar.Header{Name: name + ".csv", Mode: 0o600, Size: size})
	}
	if err == nil {
		_, err = io.Copy(archive, rows)
	}
	return err
}
