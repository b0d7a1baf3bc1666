package dbtest

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"mcp-memory/memory"
	"mcp-memory/text/analysis"
)

var statisticsTests = map[string]func(*testing.T, *env){
	"exact after any writes": exactStatistics,
	"of nothing":             emptyStatistics,
}

// vocabulary has words that are stemmed and words that are not, stop words, names, and scripts that
// are indexed as pairs of characters.
var vocabulary = []string{
	"harbour", "harbours", "ferry", "ferries", "the", "is", "Running", "runs", "café", "Größe", "parseHTTPRequest", "vat_rate_bp",
	"東京都", "한국어", "ไทย", "v1.2", "don't", "2026-03-01", "🌕", ".", "AND", "\"quoted\"",
}

// exactStatistics saves and erases random texts and compares Statistics with a count.
func exactStatistics(t *testing.T, e *env) {
	banks := 0
	rapid.Check(t, func(rt *rapid.T) {
		banks++
		who := fmt.Sprint("agent ", banks)
		stored := map[string]string{} // id → content
		said := map[string]string{}   // id → searched text
		for range rapid.IntRange(1, 3).Draw(rt, "transactions") {
			fails := rapid.IntRange(0, 4).Draw(rt, "fails") == 0
			pending, talk := maps.Clone(stored), maps.Clone(said)
			err := e.Write(t.Context(), who, func(tx memory.Tx) error {
				for range rapid.IntRange(1, 6).Draw(rt, "writes") {
					text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(vocabulary), 1, 8).Draw(rt, "text"), " ")
					switch rapid.SampledFrom([]string{"insert", "insert", "erase", "say", "say", "take out"}).Draw(rt, "what") {
					case "insert":
						r := e.record(text, func(r *memory.Record) { r.Agent = who })
						pending[r.ID] = text
						if err := tx.InsertRecord(r, nil); err != nil {
							return err
						}
					case "erase":
						if len(pending) == 0 {
							continue
						}
						id := slices.Min(slices.Collect(maps.Keys(pending)))
						delete(pending, id)
						if err := tx.EraseRecord(id); err != nil {
							return err
						}
					case "say":
						turn := e.turn(text, func(turn *memory.Turn) { turn.Agent = who })
						turn.Speaker = rapid.SampledFrom([]string{"", "assistant", "Élodie Ferry"}).Draw(rt, "speaker")
						if rapid.Bool().Draw(rt, "calls") {
							call := memory.ToolCall{Name: "harbour", Arguments: json.RawMessage(`{"of":"ferries"}`)}
							turn.Details = &memory.TurnDetails{ToolCalls: []memory.ToolCall{call}}
						}
						talk[turn.ID] = turn.SearchText()
						if _, err := tx.InsertTurns([]memory.Turn{turn}, nil); err != nil {
							return err
						}
					case "take out":
						if len(talk) == 0 {
							continue
						}
						id := slices.Min(slices.Collect(maps.Keys(talk)))
						delete(talk, id)
						if _, err := tx.RemoveTurns([]string{id}); err != nil {
							return err
						}
					}
				}
				if fails {
					return errFails
				}
				return nil
			})
			if fails != (err == errFails) {
				rt.Fatal(err)
			}
			if !fails {
				stored, said = pending, talk
			}
		}
		checkStatistics(rt, e, who, memory.Memories, slices.Collect(maps.Values(stored)))
		checkStatistics(rt, e, who, memory.Conversations, slices.Collect(maps.Values(said)))
	})
}

var errFails = fmt.Errorf("this write is to fail")

func checkStatistics(t *rapid.T, e *env, who string, c memory.Corpus, contents []string) {
	total, frequency := 0, map[string]int{}
	for _, text := range contents {
		stems, seen := analysis.Content(text), map[string]bool{}
		total += len(stems)
		for _, stem := range stems {
			if !seen[stem] {
				frequency[stem]++
			}
			seen[stem] = true
		}
	}
	average := 1.0
	if len(contents) > 0 {
		average = max(1, float64(total)/float64(len(contents)))
	}
	asked := append(analysis.Content(strings.Join(vocabulary, " ")), "elodi", "absent", "")
	got, err := e.Statistics(t.Context(), who, c, asked)
	if err != nil {
		t.Fatal(err)
	}
	if got.Documents != len(contents) || math.Abs(got.AverageLength-average) > 1e-9 || !maps.Equal(got.Frequency, frequency) {
		t.Fatalf("%s of %q\n got %+v\nwant %d documents, average %v, %v", c, contents, got, len(contents), average, frequency)
	}
}

func emptyStatistics(t *testing.T, e *env) {
	e.save(t, nil, e.record("harbour"))
	for _, stems := range [][]string{nil, {""}, {"absent"}} {
		got, err := e.Statistics(t.Context(), agent, memory.Memories, stems)
		if err != nil || got.Documents != 1 || len(got.Frequency) != 0 || got.AverageLength != 1 {
			t.Errorf("%q: %+v, %v", stems, got, err)
		}
	}
}
