package contextwindow

import (
	"slices"
	"time"

	"mcp-memory/memory"
)

// Trigger says what starts a compaction.
type Trigger string

// The triggers.
const (
	TriggerTokens   Trigger = "tokens"   // the share of the window in use
	TriggerMessages Trigger = "messages" // the number of live messages
	TriggerBoth     Trigger = "both"
)

// Triggers lists every trigger.
func Triggers() []Trigger { return []Trigger{TriggerTokens, TriggerMessages, TriggerBoth} }

// MemoryBudget bounds what memories may take of an assembled prompt, in tokens:
// all together, and each kind.
type MemoryBudget struct {
	Total        int
	Episodic     int
	Semantic     int
	Procedural   int
	Relationship int
}

// scaled is the budget with another total, shared out in the same way.
func (b MemoryBudget) scaled(total int) MemoryBudget {
	if b.Total <= 0 {
		return MemoryBudget{}
	}
	part := func(n int) int { return int(float64(n) * float64(total) / float64(b.Total)) }
	return MemoryBudget{total, part(b.Episodic), part(b.Semantic), part(b.Procedural), part(b.Relationship)}
}

// Settings are what a person may choose.
type Settings struct {
	Thresholds
	Compaction Trigger
	// MemoryWindow is how many live messages a window may have before their number starts a
	// compaction (triggers "messages" and "both"). With 0 their number only has the window cut
	// to its last 10 messages, without facts, summary or files.
	MemoryWindow int
	KeepLast     int // messages that a compaction by tokens keeps
	Total        int // of a window whose host does not say, in tokens
	Reserve      int // kept free for the answer, likewise
	Memory       MemoryBudget
	// Idle is for how long nothing has been reported in a session whose facts are then
	// saved by [Service.FlushIdle]; 0 saves none so.
	Idle       time.Duration
	Workers    int // jobs at a time that wait for a summarizer that is not local
	QueueLimit int // jobs that wait for a worker
}

// DefaultSettings returns the program's own.
func DefaultSettings() Settings {
	return Settings{
		Thresholds: Thresholds{Flush: 60, Compact: 70}, Compaction: TriggerBoth, MemoryWindow: 50, KeepLast: 4,
		Total: 200_000, Reserve: 4096, Memory: MemoryBudget{2000, 800, 600, 400, 200},
		Idle: 15 * time.Minute, Workers: 2, QueueLimit: 64,
	}
}

// Check returns [memory.CodeInvalidArgument] for settings that make no sense,
// naming the one.
func (s Settings) Check() error {
	invalid := func(name string, value any, hint string) error {
		return memory.Errorf(memory.CodeInvalidArgument, "%s is %v", name, value).WithHint("%s", hint)
	}
	b := s.Memory
	switch {
	case !(s.Flush > 0 && s.Flush <= s.Compact && s.Compact < 100):
		return memory.Errorf(memory.CodeInvalidArgument, "context.flush is %v and context.compact %v", s.Flush, s.Compact).
			WithHint("percentages: 0 < flush ≤ compact < 100")
	case !slices.Contains(Triggers(), s.Compaction):
		return invalid("compaction", s.Compaction, "tokens, messages or both")
	case s.MemoryWindow < 0 || s.MemoryWindow == 1:
		return invalid("memory_window", s.MemoryWindow, "2 or more messages, or 0")
	case s.KeepLast < 1:
		return invalid("keep_last", s.KeepLast, "1 or more messages")
	case min(b.Total, b.Episodic, b.Semantic, b.Procedural, b.Relationship) < 0:
		return invalid("memory budget", b, "numbers of tokens, 0 or more")
	case s.Idle < 0 || s.Idle > LongIdle:
		return invalid("context.idle", s.Idle, "a time such as 15m, at most 720h, or 0")
	case s.Workers < 1 || s.QueueLimit < 1:
		return invalid("workers and queue", []int{s.Workers, s.QueueLimit}, "1 or more")
	}
	return checkSize(s.Total, s.Reserve)
}

// What a compaction by number of messages keeps.
const (
	minKeep = 2
	maxKeep = 10
)

// keepMessages is how many messages a compaction by number keeps: 10, or half
// of a window that is smaller than 20.
func (s Settings) keepMessages() int {
	if s.MemoryWindow == 0 {
		return maxKeep
	}
	return min(max(s.MemoryWindow/2, minKeep), maxKeep)
}

func (s Settings) byTokens() bool   { return s.Compaction != TriggerMessages }
func (s Settings) byMessages() bool { return s.Compaction != TriggerTokens }
