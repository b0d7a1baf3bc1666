package memory

import "context"

// Expected names what a transaction is about to look up, so that a store can look it all up at once.
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

// Expecter is a [Tx] whose lookups cost much one by one, such as round trips to a server. Told
// beforehand what will be looked up, it finds out at once which of it exists, and answers later
// lookups from that where it can. Their results are the same as without.
type Expecter interface {
	// Expect finds out which of the expected exists. Errors are the store's.
	Expect(e Expected) error
}

// Expect tells a transaction what will be looked up in it, if it is an [Expecter]; else it does
// nothing. Errors are the store's.
func Expect(tx Tx, e Expected) error {
	if x, ok := tx.(Expecter); ok {
		return x.Expect(e)
	}
	return nil
}

// ExpectingWriter is a [Writer] that can lock the bank and find out which of the expected exists in
// the same round trip to its server.
type ExpectingWriter interface {
	// WriteExpecting is Write, and Expect of its transaction before fn runs.
	WriteExpecting(ctx context.Context, agent string, e Expected, fn func(Tx) error) error
}

// WriteExpecting runs fn in a transaction of w after telling it what will be looked up in it.
// Errors are those of [Writer].
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
