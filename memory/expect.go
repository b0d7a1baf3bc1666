package memory

import "context"

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

// ExpectingWriter is a [Writer] that finds out with the lock of the bank, on the same way to its server,
// what is there of what a transaction will look up.
type ExpectingWriter interface {
	// WriteExpecting is Write, and Expect of its transaction before fn runs.
	WriteExpecting(ctx context.Context, agent string, e Expected, fn func(Tx) error) error
}

// WriteExpecting runs fn in a transaction of w that was told what will be looked up in it, if that is of
// use. Errors are those of [Writer].
func WriteExpecting(ctx context.Context, w Writer, agent string, e Expected, fn func(Tx) error) error {
	if x, ok := w.(ExpectingWriter); ok {
		return x.WriteExpecting(ctx, agent, e, fn)
	}
	return w.Write(ctx, agent, func(tx Tx) error {
		if err := Expect(tx, e); err != nil {
			return err
		}
		return fn(tx)
	})
}
