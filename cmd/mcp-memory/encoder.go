package main

import (
	"context"
	"log/slog"
	"runtime"
	"strings"
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

// atOnce is how long a command that answers once goes on to encode what it saved.
const atOnce = 60 * time.Millisecond

// encoding is the sentence encoder and what gives memories their vectors behind the
// saves. Its methods do nothing where it is nil.
type encoding struct {
	*embed.Paced
	patience time.Duration
	set      atomic.Pointer[memory.VectorSet] // nil until the server has started; another after a day
	worker   atomic.Pointer[embed.Worker]
	touched  atomic.Bool       // a bank was changed
	once     memory.VectorSets // of a process that answers once: opened when it is needed
	awaited  bool              // a host waits until the process ends
}

// newEncoding returns nil where the table is used alone: by settings, and on a machine
// that would be slow at it.
func (p *Program) newEncoding(sets memory.VectorSets) *encoding {
	name := p.settings.get("embed.local")
	if p.settings.get("embed.url") != "" || !isBuiltin(name) || strings.EqualFold(name, tableName) {
		return nil
	}
	e := &encoding{Paced: embed.NewPaced(minilm.New()), patience: recall.EncoderPatience}
	if !p.serving {
		e.once = sets
	}
	if p.calling {
		e.patience, e.awaited = hookPatience, true
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
	return &recall.Encoder{Embedder: e, Stored: e.stored, Patience: e.patience}
}

// stored has the vectors of memories; nil before the set is open.
func (e *encoding) stored() recall.StoredVectors {
	if set := e.set.Load(); set != nil {
		return *set
	}
	if e.once == nil {
		return nil
	}
	set, err := e.once.VectorSet(context.Background(), e.Fingerprint())
	if err != nil {
		return nil // a bank that can only be read and has none
	}
	e.set.Store(&set)
	return set
}

// finish encodes what a process that answers once has saved, as far as that is done at
// once; the rest is left to the next server, and so are errors.
func (e *encoding) finish(clock memory.Clock, log *slog.Logger) {
	if e == nil || e.once == nil || e.awaited || !e.touched.Load() {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), atOnce)
	defer cancel()
	if e.stored() != nil {
		embed.NewWorker(*e.set.Load(), e.Embedder, clock, log).Drain(ctx)
	}
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

// run opens the set of vectors, the first time with all memories in its queue,
// and encodes what waits there until the context ends.
func (e *encoding) run(ctx context.Context, sets memory.VectorSets, readOnly bool, clock memory.Clock, log *slog.Logger) {
	if e == nil {
		return
	}
	keepOpen(ctx, sets, e.Fingerprint(), log, func(ctx context.Context, set memory.VectorSet) {
		e.set.Store(&set)
		e.Embedder.EmbedQuery(ctx, "") // opens the model before somebody waits for it
		if readOnly {
			<-ctx.Done()
			return
		}
		worker := embed.NewWorker(set, e, clock, log)
		e.worker.Store(worker)
		worker.Run(ctx)
	})
}
