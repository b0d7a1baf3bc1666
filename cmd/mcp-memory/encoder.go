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

// Values of the setting embed.local beside names of models.
const (
	builtinName = "builtin" // the table, and the sentence encoder where it is quick
	tableName   = "table"   // the table alone
	encoderName = "encoder" // both, wherever it is
)

// slowPatience is how long a question waits for an encoder that was asked for
// where it is slow.
const slowPatience = 60 * time.Millisecond

// isBuiltin reports whether a value of embed.local means what is in the program.
func isBuiltin(name string) bool {
	for _, own := range []string{"", builtinName, tableName, encoderName} {
		if strings.EqualFold(name, own) {
			return true
		}
	}
	return false
}

// hookPatience is how long a question of a hook waits for the encoder, as a host waits for
// the hook.
const hookPatience = 40 * time.Millisecond

// atOnce is how long a command that answers once goes on to encode what it saved, and
// unawaited how long a hook's work in the background does, which nobody waits for: others
// cannot have the data directory alone meanwhile.
const atOnce, unawaited = 60 * time.Millisecond, 5 * time.Second

const (
	// fewWaiting is how many memories a question has encoded before it is answered, if no
	// more wait, and settleTime how long that may take, for a hook hookSettle.
	fewWaiting = 32
	settleTime = 150 * time.Millisecond
	hookSettle = 60 * time.Millisecond
	// settleRest is how many times as long it is left to the worker then: of many clients
	// not every question does what others wait for.
	settleRest = 2
	// backlogRest is how long a server leaves alone what waits from before it started,
	// unless something is saved: hosts start several at once, and weigh them then.
	backlogRest = 5 * time.Second
)

// encoding is the sentence encoder and what gives memories their vectors behind the
// saves. Its methods do nothing where it is nil.
type encoding struct {
	*embed.Paced
	patience time.Duration
	sets     memory.VectorSets
	clock    memory.Clock
	set      atomic.Pointer[memory.VectorSet] // nil until it is needed, or the server has started; another after a day
	worker   atomic.Pointer[embed.Worker]
	touched  atomic.Bool   // a bank was changed, and not all of it encoded since
	ending   time.Duration // how long a process that answers once goes on to encode
	settles  time.Duration // how long a question has memories encoded first
	readOnly bool
	settling sync.Mutex
	rested   time.Time // when the rest after a question that encoded is over
}

// newEncoding returns nil where the table is used alone: by settings, and on a machine
// that would be slow at it.
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
	case p.calling: // its host waits until the process ends
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

// forRecall is the encoder as questions use it.
func (e *encoding) forRecall() *recall.Encoder {
	if e == nil {
		return nil
	}
	return &recall.Encoder{Embedder: e, Stored: e.stored, Settle: e.settle, Patience: e.patience}
}

// stored has the vectors; nil where there are none.
func (e *encoding) stored() recall.StoredVectors {
	if set := e.set.Load(); set != nil {
		return *set
	}
	if e.sets == nil {
		return nil
	}
	set, err := e.sets.VectorSet(context.Background(), e.Fingerprint())
	if err != nil {
		return nil // a bank that can only be read and has none; a server says so
	}
	e.set.CompareAndSwap(nil, &set)
	return set
}

// settle encodes the few memories that were saved just before a question, so that it
// finds them by their meaning; where no worker runs, also what others left. What fails is
// left to the next one.
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

// now is a worker that does not wait for quiet, and keeps what fails to itself.
func (e *encoding) now() *embed.Worker {
	return embed.NewWorker(*e.set.Load(), pairwise{e.Embedder}, e.clock, slog.New(slog.DiscardHandler))
}

// pairwise is an embedder whose vectors are kept two by two: what has no time to end keeps
// what it has done.
type pairwise struct{ memory.Embedder }

func (pairwise) Batch() int { return 2 }

// finish encodes what a process that answers once has saved, as far as that is done at
// once; the rest is left to the next server.
func (e *encoding) finish() {
	if e == nil || e.ending == 0 || !e.touched.Load() || e.stored() == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), e.ending)
	defer cancel()
	e.now().Drain(ctx)
}

// changed notes that a bank was changed: there may be something to encode.
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

// run opens the set of vectors, the first time with all that is stored in its queue,
// and encodes what waits there until the context ends.
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
