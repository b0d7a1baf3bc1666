package sqlite

import (
	"cmp"
	"database/sql"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// tablesOfAgents is the query for all ordinary tables with a column agent, except banks and tokens,
// so that no table that a migration adds is forgotten.
const tablesOfAgents = `SELECT m.name FROM sqlite_schema m JOIN pragma_table_info(m.name) c ON c.name = 'agent'
	WHERE m.type = 'table' AND m.sql NOT LIKE 'CREATE VIRTUAL%' AND m.name NOT IN ('banks', 'tokens')`

// EraseBank implements [memory.Tx].
func (t *tx) EraseBank() error {
	if err := t.writePending(); err != nil {
		return err
	}
	low, high := t.bank<<rows.BankShift, (t.bank+1)<<rows.BankShift-1
	for _, corpus := range memory.Corpora() {
		table, ok := documentTables[corpus]
		if !ok {
			continue
		}
		seqs, err := queryAll(t.ctx, t.tx, rows.ScanInt64, `SELECT seq FROM `+table+` WHERE seq > ? AND seq <= ?`, low, high)
		if err != nil {
			return err
		}
		for _, seq := range seqs {
			if err := t.dropDocument(corpus, seq); err != nil {
				return err
			}
		}
		if err := t.Exec(`DELETE FROM `+string(corpus)+`_terms WHERE bank = ?`, t.bank); err != nil {
			return err
		}
	}
	if err := t.Exec(`DELETE FROM corpus_totals WHERE bank = ?`, t.bank); err != nil {
		return err
	}
	tables, err := queryAll(t.ctx, t.tx, rows.ScanText, tablesOfAgents)
	if err != nil {
		return err
	}
	for _, table := range tables {
		if err := t.Exec(`DELETE FROM `+table+` WHERE agent = ?`, t.agent); err != nil {
			return err
		}
	}
	// Tokens stay, revoked: a server whose database never had a token asks for none.
	now := rows.Micros(t.store.clock())
	if err := t.Exec(`UPDATE tokens SET revoked_at = coalesce(revoked_at, ?), projects = '[]' WHERE agent = ?`, now, t.agent); err != nil {
		return err
	}
	t.counts, t.groups, t.erased, t.emptied = nil, nil, true, true
	return t.EraseTraces(nil) // notes that the files are to be scrubbed
}

// documentTables are the tables with the documents of each corpus.
var documentTables = map[memory.Corpus]string{memory.Memories: "records", memory.Conversations: "turns"}

// dropDocument removes a document from the text indexes and vectors, but not from the bank's term
// statistics.
func (t *tx) dropDocument(c memory.Corpus, seq int64) error {
	for _, index := range []string{"_words", "_parts"} {
		if err := t.Exec(`DELETE FROM `+string(c)+index+` WHERE rowid = ?`, seq); err != nil {
			return err
		}
	}
	return t.dropVectors(c, seq)
}

// erasedAt returns the value of banks.erased_at after the transaction: when the bank was erased, if
// the transaction did so, else NULL, as any other write begins an erased bank anew.
func (t *tx) erasedAt() any {
	if !t.emptied {
		return sql.NullInt64{}
	}
	return cmp.Or(t.emptiedAt, t.store.clock().UnixMicro())
}
