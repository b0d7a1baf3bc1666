package transfer

import (
	"context"
	"errors"
	"io"

	"mcp-memory/memory"
	"mcp-memory/transfer/jsonl"
)

// Import imports a file into a bank. The report counts what was stored, also if there is an error.
// Errors: [memory.CodeInvalidArgument] for a broken line, with its number, a truncated file, an
// unknown format and a bad scope; [memory.CodeUnavailable] if it was cancelled or the file or
// database failed. After any error the same file can be imported again.
func Import(ctx context.Context, deps Deps, r io.Reader, o Options) (Report, error) {
	if err := memory.CheckAgent(o.Scope.Agent); err != nil {
		return Report{}, err
	}
	if err := o.Scope.CheckWritable(); err != nil {
		return Report{}, err
	}
	lines, err := jsonl.NewReader(r)
	if err != nil {
		return Report{}, err
	}
	if o.Format == "" {
		o.Format = recognise(lines.Peek())
	}
	if o.Own, err = isOwn(ctx, deps.Store, o); err != nil {
		return Report{}, err
	}
	loader, err := newLoader(deps, o)
	if err != nil {
		return Report{}, err
	}
	run := pipeline{loader: loader, lines: lines, skipBad: o.SkipBad, progress: o.Progress}
	report, err := run.run(ctx)
	report.Format = o.Format
	if whole, ok := loader.(undoable); ok {
		report.UndoID = whole.undoID()
	}
	return report, err
}

// errFull ends the search for anything in a bank.
var errFull = errors.New("the bank has something in it")

// isOwn returns the value of [Options.Own] that applies: true also for an empty bank.
func isOwn(ctx context.Context, store Store, o Options) (bool, error) {
	if o.Own {
		return true, nil
	}
	err := store.EachRecord(ctx, o.Scope.Agent, func(memory.Record) error { return errFull })
	if err == nil {
		err = store.EachTurn(ctx, o.Scope.Agent, func(memory.Turn) error { return errFull })
	}
	if errors.Is(err, errFull) {
		return false, nil
	}
	return err == nil, err
}

// loader collects lines of one format into batches.
type loader interface {
	// add adds a line to the batch. If it returns an error, the batch is unchanged. The error is
	// about this line only, unless it has type fatal.
	add(ctx context.Context, line []byte) error
	// size returns how many lines the batch has.
	size() int
	// cut embeds the texts of the batch, begins a new batch, and returns the function that writes
	// the old one.
	cut(ctx context.Context) write
	// end returns the error of a file that ends here, nil if it may.
	end() error
}

// undoable is a loader whose import can be undone.
type undoable interface {
	// undoID returns the id by which [remember.Service.Forget] undoes the import, "" if nothing was
	// changed.
	undoID() string
}

// write stores a batch in one transaction and counts what it did.
type write func(context.Context) (Report, error)

// fatal is an error that ends the import even if broken lines are skipped.
type fatal struct{ error }

func newLoader(deps Deps, o Options) (loader, error) {
	switch o.Format {
	case Turns:
		return newTurnLoader(deps, o.Scope, o.Revive), nil
	case Facts:
		return newFactLoader(deps, o), nil
	case Bundle:
		return newBundleLoader(deps, o), nil
	}
	return nil, memory.Errorf(memory.CodeInvalidArgument, "format %q does not exist", o.Format).WithHint("one of turns, facts and bundle")
}

// recognise returns the format of a file by its first line, facts if it is neither turns nor a
// bundle.
func recognise(line []byte) Format {
	var first struct {
		Type    string
		Session *jsonl.Name
		Content *string
	}
	if err := jsonl.Decode(line, &first); err != nil {
		return Facts // whose loader will report the error
	}
	switch {
	case first.Type == typeHeader:
		return Bundle
	case first.Session != nil && first.Content == nil:
		return Turns
	}
	return Facts
}

// embedLocal returns the vectors of texts, or nil if they are to be computed later: because the
// embedder is a remote service or has failed.
func embedLocal(ctx context.Context, deps Deps, texts []string) [][]float32 {
	if !deps.Embedder.Local() || len(texts) == 0 {
		return nil
	}
	vectors, err := deps.Embedder.EmbedDocuments(ctx, texts)
	if err != nil {
		deps.Log.WarnContext(ctx, "embed an import", "error", err)
		return nil
	}
	return vectors
}
