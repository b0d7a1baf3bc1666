package rows

import "mcp-memory/memory"

// ScanLogged reads id, action, records, how many there are, done_at and undone_at of undos.
func ScanLogged(row Row) (l memory.Logged, err error) {
	err = row.Scan(&l.ID, &l.Action, FromList(&l.Records), &l.Count, FromMicros(&l.At), FromMicros(&l.UndoneAt))
	return l, of(err, "undo", l.ID)
}

// Behind returns an upper bound for a range of ids: a text that in byte order comes after every id
// that begins with prefix.
func Behind(prefix string) string { return prefix + "\U0010FFFF" }
