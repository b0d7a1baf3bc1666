package recall_test

import (
	"fmt"
	"testing"

	"mcp-memory/memory"
	"mcp-memory/recall"
)

// typed is a bank with one record for each way to mistype a question.
func typed(t *testing.T) *bank {
	b := newBank(t, builtin())
	for _, content := range []string{
		"The mechanic wants three hundred for the clutch.", "Our allotment is behind the railway bridge.", "我有一只狗，叫小白。",
		"Carla plays the guitar in a church.", "The invoice of the plumber is not paid yet.", "See you in the harbour on Sunday.",
	} {
		b.save(t, b, b.record(content))
	}
	return b
}

func TestMistyped(t *testing.T) {
	b := typed(t)
	for path, s := range map[string]*recall.Service{"index": b.service(b), "database": b.fallback()} {
		for question, want := range map[string]string{
			"mechnic": "The mechanic wants three hundred for the clutch.", "allotmen": "Our allotment is behind the railway bridge.",
			"狗": "我有一只狗，叫小白。", "guittar church": "Carla plays the guitar in a church.",
			"lpumber": "The invoice of the plumber is not paid yet.",
		} {
			got := ask(t, s, question, func(r *recall.Request) { r.Explain = true })
			if len(got) == 0 || got[0].Content != want {
				t.Errorf("%s, %q: found %q", path, question, contents(got))
			} else if got[0].Why.TextScore < 0.5 {
				t.Errorf("%s, %q: by words %v", path, question, got[0].Why.TextScore)
			}
		}
	}
}

// TestShortJapanese: of two words with a particle between them both are looked for.
func TestShortJapanese(t *testing.T) {
	const park = "東京は日本の首都であり、最大の都市である。春には上野公園で桜が咲き、多くの人が花見に訪れるので、宿は早めに予約しておくこと。"
	b := newBank(t, builtin())
	b.save(t, b, b.record(park))
	for i := range 40 {
		b.save(t, b, b.record(fmt.Sprintf("Crate %d stands in row %d of the hall.", i, i)))
	}
	floored := func(r *recall.Request) { r.MinScore = recall.Floor }
	for path, s := range map[string]*recall.Service{"index": b.service(b), "database": b.fallback()} {
		for _, question := range []string{"東京の桜", "上野の宿", "春の花見は？"} {
			if got := contents(ask(t, s, question, floored)); len(got) != 1 || got[0] != park {
				t.Errorf("%s, %q: found %q", path, question, got)
			}
		}
		for _, question := range []string{"大阪の天気", "会議の議事録"} {
			if got := contents(ask(t, s, question, floored)); len(got) > 0 {
				t.Errorf("%s, %q: found %q", path, question, got)
			}
		}
	}
}

// TestUnknownWords: stop words have a meaning for the semantic table, but no
// answer is about them.
func TestUnknownWords(t *testing.T) {
	b := typed(t)
	for path, s := range map[string]*recall.Service{"index": b.service(b), "database": b.fallback()} {
		for _, question := range []string{"What is the qwyjibo of zzyzx?", "where would you and I be", "猫", "#!%&", "x"} {
			if got := ask(t, s, question); len(got) > 0 {
				t.Errorf("%s, %q: found %q", path, question, contents(got))
			}
		}
	}
}

func TestPathsAgreeOnTyping(t *testing.T) {
	b := typed(t)
	agree(t, b, memory.Memories,
		[]string{"mechnic", "allotmen railwy", "狗", "guittar church", "lpumber invoce", "What is the qwyjibo of zzyzx?"})
}
