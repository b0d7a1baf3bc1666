package memory

// ActionSupersede is the [Undo] action of a save that decided by itself, without being told to by
// the caller, that the new record supersedes others. The undo has the id of the new record.
const ActionSupersede = "supersede"

// PartOfImport stands before the action of an [Undo] of a save that was a part of an import. The
// undo of the import takes it back: it is no change of its own.
const PartOfImport = "imported "

// Apart is a set of pairs of record ids. In each pair one record had superseded the other, or ended
// its validity, by the program's own decision, and somebody undid that. So neither replaces the
// other, whatever their contents suggest. A nil Apart is empty.
type Apart map[[2]string]bool

// Has reports whether two records, in any order, are a pair.
func (a Apart) Has(one, other string) bool { return len(a) > 0 && a[pairOf(one, other)] }

// Add makes a pair of two records.
func (a Apart) Add(one, other string) { a[pairOf(one, other)] = true }

func pairOf(one, other string) [2]string { return [2]string{min(one, other), max(one, other)} }
