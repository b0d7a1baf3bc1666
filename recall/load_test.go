package recall_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"mcp-memory/memory"
	"mcp-memory/recall"
)

// odd are questions that nobody would write and that arrive all the same.
func odd() map[string]string {
	random := rand.New(rand.NewPCG(9, 9))
	var log, words, unknown strings.Builder
	for i := range 400 {
		fmt.Fprintf(&log, "2026-03-01T09:%02d:%02d ERROR router[%d]: timeout after %d ms at harbour.go:%d +0x%x\n", i/60%60, i%60, i,
			i*7, i, i*31)
		fmt.Fprintf(&words, "%s and %s %s of the %s. ", sentence(random, i), "library", "ferry", "compiler")
		fmt.Fprintf(&unknown, "q%xz%dw ", random.Uint32(), i)
	}
	return map[string]string{
		"ordinary":    "What did Anna write about the museum garden?",
		"stop words":  "where would you and I be",
		"a letter":    "x",
		"a log":       head30(log.String()),
		"30 kB":       head30(words.String()),
		"unknown":     head30(strings.Repeat(unknown.String(), 5)),
		"one word":    strings.Repeat("harbour ", 3700),
		"no spaces":   strings.Repeat("z", 30_000),
		"Chinese":     head30(strings.Repeat("我有一只狗叫小白它不能吃巧克力", 700)),
		"stack trace": "panic: runtime error: index out of range [5] with length 3\n\ngoroutine 1 [running]:\nmain.(*router).dial(0xc000012345, {0x1, 0x2})\n\t/srv/harbour/router.go:42 +0x1d\nmain.main()\n\t/srv/harbour/main.go:7 +0x25\nexit status 2",
		"SQL":         "SELECT d.seq, 'x'; DROP TABLE records; -- FROM library l JOIN router r ON l.id = r.id WHERE name LIKE '%ferry%' AND note MATCH 'a OR \"b\" NEAR/3'",
		"a regex":     `^(?:[A-Z]{1}-\d{4})+(harbour|ferry)?\s*$ (((((((((( [[[[ \\\\ *** ???`,
		"mixed":       "Анна harbour 東京 مرحبا ferry 🛥️ çalışma 狗 naïve ﬁle",
	}
}

func head30(s string) string { return strings.ToValidUTF8(s[:min(len(s), 30_000)], "") }

// TestOddQuestions: whatever is asked, there is an answer or none, never an
// error, the same one from both paths, and scores are in range.
func TestOddQuestions(t *testing.T) {
	b, _ := varied(t, 120)
	indexed, database := b.service(b), b.fallback()
	for name, q := range odd() {
		want := ask(t, indexed, q)
		for _, r := range want {
			if !(r.Score > 0 && r.Score < 1) {
				t.Errorf("%s: score %v", name, r.Score)
			}
		}
		if err := alike(ask(t, database, q), want); err != nil {
			t.Errorf("%s: from the database: %v", name, err)
		}
		silent := name == "stop words" || name == "a letter" || name == "no spaces" || name == "unknown" || name == "Chinese"
		if silent != (len(want) == 0) {
			t.Errorf("%s: found %d", name, len(want))
		}
	}
}

// TestQuestionBehindALog: people paste first and ask then.
func TestQuestionBehindALog(t *testing.T) {
	b := typed(t)
	log := head30(strings.Repeat("2026-03-01 ERROR qzx: wvq timeout after 7 ms\n", 700))
	for _, q := range []string{log + "\nWho plays the guitar?", "Who plays the guitar?\n" + log} {
		if got := contents(ask(t, b.service(b), q)); !slices.Contains(got[:min(2, len(got))], "Carla plays the guitar in a church.") {
			t.Errorf("found %q", got)
		}
	}
}

// BenchmarkOddQuestions compares what odd questions cost with an ordinary one.
func BenchmarkOddQuestions(b *testing.B) {
	const records, batch = 100_000, 1000
	bank, random := newBank(b, builtin()), rand.New(rand.NewPCG(5, 5))
	for i := 0; i < records; i += batch {
		list := make([]memory.Record, batch)
		for j := range list {
			list[j] = bank.record(sentence(random, i+j) +
				fmt.Sprintf(" The %s of item%d is q%dz.", things[random.IntN(len(things))], random.IntN(20_000), random.IntN(60_000)))
		}
		bank.save(b, bank, list...)
	}
	for path, s := range map[string]*recall.Service{"index": bank.service(bank), "database": bank.fallback()} {
		for name, q := range odd() {
			ask(b, s, q)
			b.Run(path+"/"+name, func(b *testing.B) {
				for range b.N {
					ask(b, s, q, func(r *recall.Request) { r.Limit = 10 })
				}
			})
		}
	}
}
