package contextwindow

import "mcp-memory/memory"

// Recommendation says what a window's utilisation calls for.
type Recommendation string

// The recommendations.
const (
	// RecommendOK: there is room.
	RecommendOK Recommendation = "ok"
	// RecommendCompress: near the limit; facts are saved, older turns go soon.
	RecommendCompress Recommendation = "compress"
	// RecommendEmergency: over budget, or full with nothing left to compact.
	RecommendEmergency Recommendation = "emergency"
)

// Recommendations lists every recommendation.
func Recommendations() []Recommendation {
	return []Recommendation{RecommendOK, RecommendCompress, RecommendEmergency}
}

// Utilization says how full a window is. Tokens are of the window's model.
type Utilization struct {
	TotalTokens    int // the model's window
	UsedTokens     int // summary and live turns
	Percent        float64
	TurnsInContext int
	// CompressedTurns are those that the summary stands for.
	CompressedTurns int
	// CompressionRatio is the summary's tokens by those of the turns that it
	// stands for; 1 where there is none.
	CompressionRatio float64
	HeadroomTokens   int // until total − reserve, at least 0
	Recommendation   Recommendation
}

// Budget says where the tokens of an assembled prompt go.
type Budget struct {
	TotalTokens        int
	ReserveTokens      int // kept free for the answer
	SystemPromptTokens int
	TodoTokens         int
	TaskTokens         int
	MemoryTokens       int
	EventTokens        int
	TurnTokens         int // turns and the summary of older ones
	// CompressionHeadroom is what may still come before a compaction, at least 0.
	CompressionHeadroom int
}

// Used is the sum of the parts.
func (b Budget) Used() int {
	return b.SystemPromptTokens + b.TodoTokens + b.TaskTokens + b.MemoryTokens + b.EventTokens + b.TurnTokens
}

// Thresholds are percentages of total − reserve.
type Thresholds struct {
	Flush   float64 // from here facts are saved
	Compact float64 // from here older turns are replaced
}

// MinCapacity is the smallest total − reserve that a window may have, in
// tokens: less has no room for a summary and a message.
const MinCapacity = 256

// checkSize refuses a window that is too small or a reserve that leaves
// nothing of it.
func checkSize(total, reserve int) error {
	const largest = 1 << 30
	switch {
	case total < 1 || total > largest:
		return memory.Errorf(memory.CodeInvalidArgument, "context_window is %d", total).
			WithHint("the model's window in tokens, up to %d", largest)
	case reserve < 0 || reserve > total:
		return memory.Errorf(memory.CodeInvalidArgument, "reserve_tokens is %d of a context_window of %d", reserve, total).
			WithHint("tokens to keep free for the answer, at most context_window − %d", MinCapacity)
	case total-reserve < MinCapacity:
		return memory.Errorf(memory.CodeInvalidArgument, "context_window − reserve_tokens is %d", total-reserve).
			WithHint("at least %d; reserve_tokens can be made smaller", MinCapacity)
	}
	return nil
}

func percent(used, capacity int) float64 { return 100 * float64(used) / float64(capacity) }

// recommend judges a utilisation; stuck says that no compaction would help.
func (t Thresholds) recommend(percent float64, stuck bool) Recommendation {
	switch {
	case percent > 100 || percent >= t.Compact && stuck:
		return RecommendEmergency
	case percent >= t.Flush:
		return RecommendCompress
	}
	return RecommendOK
}

// utilization describes a window of which used tokens are taken by live turns
// and summary.
func (t Thresholds) utilization(w memory.Window, used, turns int, stuck bool) Utilization {
	capacity := w.Total - w.Reserve
	u := Utilization{
		TotalTokens: w.Total, UsedTokens: used, Percent: percent(used, capacity), TurnsInContext: turns,
		CompressedTurns: w.Compacted, CompressionRatio: 1, HeadroomTokens: max(0, capacity-used),
	}
	if w.ReplacedTokens > 0 && w.Summary != "" {
		u.CompressionRatio = float64(w.SummaryTokens) / float64(w.ReplacedTokens)
	}
	u.Recommendation = t.recommend(u.Percent, stuck)
	return u
}

// headroom is what may still come before the compaction.
func (t Thresholds) headroom(used, capacity int) int {
	return max(0, int(t.Compact/100*float64(capacity))-used)
}
