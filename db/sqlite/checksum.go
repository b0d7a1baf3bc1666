package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// summed is a document with the columns that its checksum is made of, and the stored checksum.
type summed struct {
	seq                      int64
	agent, id, kind, content string        // kind is the session for a turn
	stored                   sql.NullInt64 // NULL if it has none yet
	past                     bool          // a record that is superseded or archived
}

func scanSummed(row rows.Row) (s summed, err error) {
	err = row.Scan(&s.seq, &s.agent, &s.id, &s.kind, &s.content, &s.stored, &s.past)
	return s, err
}

func (s summed) sum() int64 { return rows.Sum(s.agent, s.id, s.kind, s.content) }

// summedColumns returns the beginning of a query of a corpus, up to FROM, whose rows scanSummed
// reads.
func summedColumns(c memory.Corpus) string {
	if c == memory.Conversations {
		return `SELECT seq, agent, id, session, content, checksum, 0 FROM turns`
	}
	return `SELECT seq, agent, id, kind, content, checksum, superseded_by IS NOT NULL OR archived_at IS NOT NULL FROM records`
}

// sumsAtOnce is how many older documents get their checksum in one transaction.
const sumsAtOnce = 500

// sumDue gives some documents of one bank that were stored without a checksum theirs, and reports
// whether there was anything to do. Table checksums_due has for each such bank the number below
// which documents may lack one.
func (s *Store) sumDue(ctx context.Context) (more bool, err error) {
	type due struct {
		agent string
		bank  int64
		seq   int64
	}
	next, err := queryOne(ctx, s.read, func(row rows.Row) (d due, err error) {
		err = row.Scan(&d.agent, &d.bank, &d.seq)
		return d, err
	}, `SELECT d.agent, b.bank, d.seq FROM checksums_due d CROSS JOIN banks b ON b.agent = d.agent LIMIT 1`)
	if err != nil || next == nil {
		return false, explain(err)
	}
	return true, explain(s.writer.do(ctx, func(w *writer) error {
		lowest, full := next.bank<<rows.BankShift, false
		for _, c := range memory.Corpora() {
			docs, err := queryAll(ctx, w, scanSummed, summedColumns(c)+` WHERE seq > ? AND seq < ? AND seq >= ? ORDER BY seq DESC`,
				next.bank<<rows.BankShift, next.seq, next.seq-sumsAtOnce)
			if err != nil {
				return err
			}
			for _, d := range docs {
				if d.stored.Valid {
					continue
				}
				if err := w.exec(ctx, `UPDATE `+rows.Table(c)+` SET checksum = ? WHERE seq = ?`, d.sum(), d.seq); err != nil {
					return err
				}
			}
		}
		if full = next.seq-sumsAtOnce > lowest+1; full {
			return w.exec(ctx, `UPDATE checksums_due SET seq = ? WHERE agent = ? AND seq = ?`, next.seq-sumsAtOnce, next.agent, next.seq)
		}
		return w.exec(ctx, `DELETE FROM checksums_due WHERE agent = ?`, next.agent)
	}))
}

// maxNamed bounds how many documents a finding names.
const maxNamed = 20

// contentsCheck is the name of the check of [examination.contents].
const contentsCheck = "contents"

// changed returns the names of the documents of some corpora whose checksum does not fit, with those
// of superseded and archived records in past, and how many documents it checked.
func changed(ctx context.Context, q queryer, corpora ...memory.Corpus) (names, past []string, checked int, err error) {
	for _, c := range corpora {
		err := queryEach(ctx, q, func(row rows.Row) error {
			d, err := scanSummed(row)
			if err != nil {
				return err
			}
			checked++
			if name := lostName(documentName(c), d.id, d.agent); !rows.Differs(d.stored, d.sum()) {
				return nil
			} else if d.past {
				past = append(past, name)
			} else {
				names = append(names, name)
			}
			return nil
		}, summedColumns(c)+` ORDER BY seq`)
		if err != nil {
			return nil, nil, 0, err
		}
	}
	return names, past, checked, nil
}

// contents compares each document with its checksum. No repair knows what a changed document should
// say, so somebody has to tell. If all changed ones have been superseded or archived since, somebody
// has, and there is only a warning.
func (e *examination) contents(ctx context.Context) error {
	names, past, checked, err := changed(ctx, e.db, memory.Corpora()...)
	if err != nil {
		return err
	}
	if len(names) == 0 && len(past) > 0 {
		e.note(contentsCheck, memory.ConditionWarning, strings.Join(complaintsOf(past), "; ")+"; corrected or forgotten since",
			"nothing has to be done; `forget ID --permanent --confirm` erases what was forgotten")
		return nil
	}
	e.verdict(contentsCheck, fmt.Sprintf("%d are what was saved", checked), complaintsOf(append(names, past...)),
		"no repair knows what was saved: look with `mcp-memory get ID` and say what is right with `update ID --content TEXT`, or `forget ID`; "+
			"of a turn, `forget --session NAME --permanent --confirm`; or restore a backup")
	return nil
}

// complaintsOf returns a complaint for each of some changed documents, at most 20 and how many more.
func complaintsOf(names []string) (complaints []string) {
	for _, name := range names[:min(maxNamed, len(names))] {
		complaints = append(complaints, name+" is not what was saved")
	}
	if more := len(names) - maxNamed; more > 0 {
		complaints = append(complaints, fmt.Sprintf("and %d more", more))
	}
	return complaints
}

func documentName(c memory.Corpus) string {
	if c == memory.Conversations {
		return "turn"
	}
	return "record"
}
