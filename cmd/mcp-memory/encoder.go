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
	"mcp-memory/embed/encoder/uselite"
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

// encoding is the sentence encoder of a server and what gives memories their
// vectors behind the saves. Its methods do nothing where it is nil.
type encoding struct {
	*embed.Paced
	patience time.Duration
	set      atomic.Pointer[memory.VectorSet] // nil until the server has started; another after a day
	worker   atomic.Pointer[embed.Worker]
}

// newEncoding returns nil where the table is used alone: by settings, by a
// process that answers once, and on a machine that would be slow at it.
func (p *Program) newEncoding() *encoding {
	name := p.settings.get("embed.local")
	if !p.serving || p.settings.get("embed.url") != "" || !isBuiltin(name) || strings.EqualFold(name, tableName) {
		return nil
	}
	e := &encoding{Paced: embed.NewPaced(uselite.New()), patience: recall.EncoderPatience}
	slow, forced := encoder.Kernel() == encoder.PlainGo || runtime.GOMAXPROCS(0) < 2, strings.EqualFold(name, encoderName)
	switch {
	case !uselite.Available():
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
	return nil
}

// changed notes that a bank was changed: there may be something to encode.
func (e *encoding) changed() {
	if e == nil {
		return
	}
	e.Called()
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
