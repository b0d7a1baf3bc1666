package sqlite

import (
	"context"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// thought is the condition that a turn (alias d) has thinking. It first looks at d.details, as most
// turns have no details at all.
const thought = `(d.details > 0 AND EXISTS (SELECT 1 FROM turn_details x WHERE x.agent = d.agent AND x.id = d.id AND x.thinking <> ''))`

// thoughtsQuery reads what a mirror needs of turns that have thinking, before [inBank].
const thoughtsQuery = `SELECT d.seq, x.thinking, d.created_at, d.said_at, d.session, d.turn_index, d.speaker, d.role, d.details
	FROM turns d CROSS JOIN turn_details x ON d.details > 0 AND x.agent = d.agent AND x.id = d.id AND x.thinking <> ''`

func scanThought(row rows.Row) (memory.Document, error) {
	d, _, err := rows.ScanMirroredTurn(row)
	d.Corpus = memory.Thinking
	return d, err
}

// setThinking turns documents of turns into documents of the corpus Thinking: their content becomes
// the thinking of the turn.
func (s *Store) setThinking(ctx context.Context, docs []memory.Document) error {
	places, seqs := make(map[int64]int, len(docs)), make([]int64, len(docs))
	for i, d := range docs {
		places[d.Seq], seqs[i] = i, d.Seq
	}
	return queryEach(ctx, s.read, func(row rows.Row) error {
		var seq int64
		var text string
		if err := row.Scan(&seq, &text); err != nil {
			return err
		}
		d := &docs[places[seq]]
		d.Corpus, d.Content, d.Calls = memory.Thinking, text, ""
		return nil
	}, `SELECT d.seq, x.thinking FROM json_each(?) j CROSS JOIN turns d ON d.seq = j.value
		CROSS JOIN turn_details x ON x.agent = d.agent AND x.id = d.id`, rows.List(seqs))
}
