package memory

// ActionSupersede is the [Undo] action of a save that superseded records without
// having been told. The undo has the id of the record that was saved.
const ActionSupersede = "supersede"

// Apart has pairs of ids of records of which one took the place of the other on
// its own, or ended its validity, until somebody undid that: whatever their
// sentences say, neither replaces the other. The nil one has none.
type Apart map[[2]string]bool

// Has reports whether two records, in any order, are a pair.
func (a Apart) Has(one, other string) bool { return len(a) > 0 && a[pairOf(one, other)] }

// Add makes a pair of two records.
func (a Apart) Add(one, other string) { a[pairOf(one, other)] = true }

func pairOf(one, other string) [2]string { return [2]string{min(one, other), max(one, other)} }
