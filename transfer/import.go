package transfer

import (
	"context"
	"errors"
	"io"

	"mcp-memory/memory"
	"mcp-memory/transfer/jsonl"
)

// Import reads a file into a bank. The report counts what is durable, also
// beside an error. Errors: [memory.CodeInvalidArgument] for a broken line,
// with its number, a truncated file, an unknown format and a bad scope;
// [memory.CodeUnavailable] when it was cancelled or the file or database
// failed. After any of them the same file can be imported again.
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

// errFull ends a look at a bank as soon as something is found in it.
var errFull = errors.New("the bank has something in it")

// isOwn says what [Options.Own] is for a bank.
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

// loader turns the lines of one format into batches.
type loader interface {
	// add puts a line into the batch. An error is the line's fault, and then
	// the batch is as it was; or it is of type fatal.
	add(ctx context.Context, line []byte) error
	// size is how many lines are in the batch.
	size() int
	// cut embeds the batch, begins a new one, and returns what writes it.
	cut(ctx context.Context) write
	// end returns what is wrong with a file that ends here, or nil.
	end() error
}

// undoable is a loader that keeps how all that it wrote is taken back.
type undoable interface {
	// undoID is what [remember.Service.Forget] takes it back by, "" if nothing was changed.
	undoID() string
}

// write stores a batch in one transaction and counts what it did.
type write func(context.Context) (Report, error)

// fatal is an error that no skipping of lines mends.
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

// recognise tells the format of a file by its first line; facts are the rest.
func recognise(line []byte) Format {
	var first struct {
		Type    string
		Session *jsonl.Name
		Content *string
	}
	if err := jsonl.Decode(line, &first); err != nil {
		return Facts // whose loader will say what is wrong
	}
	switch {
	case first.Type == typeHeader:
		return Bundle
	case first.Session != nil && first.Content == nil:
		return Turns
	}
	return Facts
}

// embedLocal returns the vectors of texts, or nil where they follow later.
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
