package sqlite

import (
	"encoding/json"
)

// writeCounts adds the changes that the transaction has collected to the tables of term statistics
// and of record counts.
func (t *tx) writeCounts() error {
	for c, counts := range t.counts {
		err := t.Exec(`INSERT INTO corpus_totals (bank, corpus, documents, stems) VALUES (?, ?, ?, ?)
			ON CONFLICT DO UPDATE SET documents = documents + excluded.documents, stems = stems + excluded.stems`,
			t.bank, c, counts.Documents, counts.Stems)
		if err != nil {
			return err
		}
		if err := t.writeTerms(string(c)+"_terms", counts.Terms); err != nil {
			return err
		}
	}
	t.counts = nil
	return t.writeGroups()
}

// writeTerms adds changes (stem → difference) to the document frequencies. It does so in one
// statement and in the order of the table, which takes half the time of a statement for each term.
func (t *tx) writeTerms(table string, changes map[string]int) error {
	terms, err := json.Marshal(changes) // sorted by key
	if err != nil {
		return err
	}
	err = t.Exec(`INSERT INTO `+table+` (bank, term, documents) SELECT ?, key, value FROM json_each(?) WHERE value <> 0
		ON CONFLICT DO UPDATE SET documents = documents + excluded.documents`, t.bank, string(terms))
	if err != nil {
		return err
	}
	for _, n := range changes {
		if n < 0 {
			return t.Exec(`DELETE FROM `+table+` WHERE bank = ? AND documents <= 0
				AND term IN (SELECT key FROM json_each(?) WHERE value < 0)`, t.bank, string(terms))
		}
	}
	return nil
}
