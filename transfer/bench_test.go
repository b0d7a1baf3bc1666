package transfer_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"mcp-memory/transfer"
)

// syntheticFacts returns n facts of about 100 characters, of a vocabulary with
// the skewed frequencies of language.
func syntheticFacts(n int) []byte {
	subjects := strings.Fields("Anna Boris Carla Deniz Emil Farah Goran Hanna Ivan Jonas Karim Lea Marta Nils Olga Pavel")
	verbs := []string{"moved the billing service to", "prefers the quiet corner of", "fixed a timeout in", "signed a contract with",
		"met the new owner of", "wrote a report about", "cancelled the subscription to"}
	things := strings.Fields("harbour library database router kitchen orchestra garden bakery ferry compiler clinic museum tractor invoice stadium bridge")
	random := rand.New(rand.NewPCG(1, 2))
	skewed := func(words []string) string {
		return words[int(float64(len(words))*random.Float64()*random.Float64())]
	}
	var out bytes.Buffer
	for i := range n {
		content := fmt.Sprintf("%s %s the %s %s near %s street %d because the %s of ticket K%d was late again.",
			skewed(subjects), skewed(verbs), skewed(things), skewed(things), skewed(things), random.IntN(400), skewed(things), i)
		b, _ := json.Marshal(map[string]any{"id": fmt.Sprintf("fact-%d", i), "content": content, "ts": "2026-01-02T03:04:05Z"})
		out.Write(append(b, '\n'))
	}
	return out.Bytes()
}

// syntheticStates returns n facts that say how things are with few people, so
// that many take the place of others.
func syntheticStates(n int) []byte {
	names := strings.Fields("Anna Boris Carla Deniz Emil Farah Goran Hanna Ivan Jonas Karim Lea Marta Nils Olga Pavel")
	cities := strings.Fields("Oslo Bergen Graz Linz Lyon Turin Kyoto Quito Berlin Dakar")
	random := rand.New(rand.NewPCG(3, 4))
	pick := func(words []string) string { return words[random.IntN(len(words))] }
	var out bytes.Buffer
	for i := range n {
		content := fmt.Sprintf("%s %s moved to %s, house %d.", pick(names), pick(names), pick(cities), i)
		if i%2 == 1 {
			content = fmt.Sprintf("%s's %s costs %d euros now.", pick(names),
				pick([]string{"rent", "train ticket", "insurance", "piano"}), i)
		}
		b, _ := json.Marshal(map[string]any{"id": fmt.Sprintf("fact-%d", i), "content": content,
			"ts": start.Add(time.Duration(i) * time.Minute)})
		out.Write(append(b, '\n'))
	}
	return out.Bytes()
}

// BenchmarkImportFacts measures records a second into a new database: of facts
// that stand beside each other, and of states that are compared.
func BenchmarkImportFacts(b *testing.B) {
	const n = 20_000
	for name, file := range map[string][]byte{"beside": syntheticFacts(n), "states": syntheticStates(n)} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				bank := newBank(b)
				b.StartTimer()
				report, err := transfer.Import(b.Context(), bank.Deps, bytes.NewReader(file),
					transfer.Options{Format: transfer.Facts, Scope: anna})
				if err != nil || report.Read != n {
					b.Fatal(report, err)
				}
			}
			b.ReportMetric(float64(b.N*n)/b.Elapsed().Seconds(), "records/s")
		})
	}
}
