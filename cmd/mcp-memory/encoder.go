package main

import (
	"context"
	"log/slog"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"mcp-memory/embed"
	"mcp-memory/embed/encoder"
	"mcp-memory/embed/encoder/minilm"
	"mcp-memory/memory"
	"mcp-memory/recall"
)

// Values of the setting embed.local, besides names of models.
const (
	builtinName = "builtin" // the table of words, and the sentence encoder where it is fast
	tableName   = "table"   // the table of words only
	encoderName = "encoder" // both, even where the encoder is slow
)

// slowPatience is how long a question waits for the encoder on a machine where it is slow, but
// configured.
const slowPatience = 60 * time.Millisecond

// isBuiltin reports whether a value of embed.local selects what is built into the program.
func isBuiltin(name string) bool {
	for _, own := range []string{"", builtinName, tableName, encoderName} {
		if strings.EqualFold(name, own) {
			return true
		}
	}
	return false
}

// hookPatience is how long a question of a hook waits for the encoder. It is short, because the
// host waits for the hook.
const hookPatience = 40 * time.Millisecond

// atOnce is how long a command goes on at its end to encode what it saved. unawaited is the same
// for a hook's process in the background. Nobody waits for that one, but meanwhile no other process
// can have the data directory alone.
const atOnce, unawaited = 60 * time.Millisecond, 5 * time.Second

const (
	// fewWaiting is up to how many waiting memories a question encodes before it is answered. If
	// more are waiting, it encodes none. settleTime is how long that may take, hookSettle in a
	// hook.
	fewWaiting = 32
	settleTime = 150 * time.Millisecond
	hookSettle = 60 * time.Millisecond
	// settleRest is the pause after such encoding, in multiples of its duration, in which questions
	// leave it to the worker. So of many clients not every question is delayed.
	settleRest = 2
	// backlogRest is how long a server waits after its start before it encodes what was left from
	// before, unless something is saved. Hosts start several servers at once, which would all
	// compute then.
	backlogRest = 5 * time.Second
)

// encoding is the sentence encoder, with the worker that computes the vectors of memories after
// they are saved. The methods of a nil encoding do nothing.
type encoding struct {
	*embed.Paced
	patience time.Duration
	sets     memory.VectorSets
	clock    memory.Clock
	set      atomic.Pointer[memory.VectorSet] // nil until first used, or until a server has started; renewed each day
	worker   atomic.Pointer[embed.Worker]
	touched  atomic.Bool   // a bank was changed and not all of it is encoded
	ending   time.Duration // how long a command goes on to encode at its end
	settles  time.Duration // how long a question encodes before it is answered
	readOnly bool
	settling sync.Mutex
	rested   time.Time // when the pause after encoding by a question ends
}

// newEncoding returns nil if the sentence encoder is not used: by the settings, because it is not
// in this build, or because it would be slow on this machine.
func (p *Program) newEncoding(sets memory.VectorSets, readOnly bool) *encoding {
	name := p.settings.get("embed.local")
	if p.settings.get("embed.url") != "" || !isBuiltin(name) || strings.EqualFold(name, tableName) {
		return nil
	}
	e := &encoding{Paced: embed.NewPaced(minilm.New()), patience: recall.EncoderPatience, ending: atOnce, settles: settleTime, sets: sets,
		readOnly: readOnly, clock: p.Clock}
	switch {
	case p.behind > 0:
		e.ending = p.behind
	case p.calling: // the host waits until the process ends
		e.patience, e.ending, e.settles = max(hookPatience, p.patience/8), 0, max(hookSettle, p.patience/5)
	}
	slow, forced := encoder.Kernel() == encoder.PlainGo || runtime.GOMAXPROCS(0) < 2, strings.EqualFold(name, encoderName)
	switch {
	case !minilm.Available():
		p.log.Info("questions are understood by the table of words alone: this program was built without the sentence encoder")
		return nil
	case slow && !forced:
		p.log.Info("questions are understood by the table of words alone: the sentence encoder would be slow here; embed.local: encoder uses it all the same",
			"kernel", encoder.Kernel(), "processors", runtime.GOMAXPROCS(0))
		return nil
	case slow:
		e.patience = slowPatience
	}
	return e
}

// forRecall returns the encoder for questions.
func (e *encoding) forRecall() *recall.Encoder {
	if e == nil {
		return nil
	}
	return &recall.Encoder{Embedder: e, Stored: e.stored, Settle: e.settle, Patience: e.patience}
}

// stored returns the stored vectors, nil if there are none.
func (e *encoding) stored() recall.StoredVectors {
	if set := e.set.Load(); set != nil {
		return *set
	}
	if e.sets == nil {
		return nil
	}
	set, err := e.sets.VectorSet(context.Background(), e.Fingerprint())
	if err != nil {
		return nil // such as for a read-only bank without vectors; a server logs it
	}
	e.set.CompareAndSwap(nil, &set)
	return set
}

// settle encodes a few memories that were saved just before a question, so that the question finds
// them by their meaning. In a process without a worker it also encodes those of other processes.
// After a failure they are left to the next question or worker.
func (e *encoding) settle(ctx context.Context) {
	if e.readOnly || !e.touched.Load() && e.worker.Load() != nil || !e.settling.TryLock() {
		return
	}
	defer e.settling.Unlock()
	began := time.Now()
	if began.Before(e.rested) || e.stored() == nil {
		return
	}
	e.touched.Store(false)
	ctx, cancel := context.WithTimeout(ctx, e.settles)
	defer cancel()
	e.now().DrainFew(ctx, fewWaiting)
	ended := time.Now()
	e.rested = ended.Add(settleRest * ended.Sub(began))
}

// now returns a worker that encodes immediately and does not log its errors.
func (e *encoding) now() *embed.Worker {
	return embed.NewWorker(*e.set.Load(), pairwise{e.Embedder}, e.clock, slog.New(slog.DiscardHandler))
}

// pairwise is an embedder with batches of two, so that a worker that is stopped loses little.
type pairwise struct{ memory.Embedder }

func (pairwise) Batch() int { return 2 }

// finish encodes what a command has saved, for up to e.ending. The rest is left to the next server.
func (e *encoding) finish() {
	if e == nil || e.ending == 0 || !e.touched.Load() || e.stored() == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), e.ending)
	defer cancel()
	e.now().Drain(ctx)
}

// changed notes that a bank was changed and may have something to encode.
func (e *encoding) changed() {
	if e == nil {
		return
	}
	e.Called()
	e.touched.Store(true)
	if w := e.worker.Load(); w != nil {
		w.Wake()
	}
}

// run opens the set of vectors and encodes what waits in its queue until ctx is done. The queue of
// a new set has everything that is stored.
func (e *encoding) run(ctx context.Context, sets memory.VectorSets, clock memory.Clock, log *slog.Logger) {
	if e == nil {
		return
	}
	keepOpen(ctx, sets, e.Fingerprint(), log, func(ctx context.Context, set memory.VectorSet) {
		e.set.Store(&set)
		if e.readOnly {
			<-ctx.Done()
			return
		}
		worker := embed.NewWorker(set, e, clock, log)
		worker.Rest = backlogRest
		e.worker.Store(worker)
		worker.Run(ctx)
	})
}
