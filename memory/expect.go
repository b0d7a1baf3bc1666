package memory

// Expected names what a transaction is about to look up, for many memories at once.
type Expected struct {
	ExternalIDs []string
	Contents    []ExpectedContent
	Slots       []uint64 // keys for [Tx.RecordsBySlot]
}

// ExpectedContent is what [Tx.RecordByContent], [Tx.ArchivedByContent] and [Tx.Erased] are asked about.
type ExpectedContent struct {
	Project string
	Kind    Kind
	Content string
}

// Expecter is a [Tx] whose lookups are ways to a server. Told beforehand what will be looked up, it
// finds out at once what of it is there. What it answers is the same.
type Expecter interface {
	// Expect finds out what of it is there. Errors are the store's.
	Expect(e Expected) error
}

// Expect tells a transaction what will be looked up in it, if that is of use to it. Errors are the store's.
func Expect(tx Tx, e Expected) error {
	if x, ok := tx.(Expecter); ok {
		return x.Expect(e)
	}
	return nil
}
