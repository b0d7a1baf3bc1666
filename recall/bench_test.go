package recall_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"mcp-memory/memory"
)

// states are sentences that say how things are, of few people: many of them
// later versions of others.
func states(random *rand.Rand, n int) []string {
	cities := []string{"Oslo", "Bergen", "Graz", "Linz", "Lyon", "Turin", "Kyoto", "Quito"}
	list := make([]string, n)
	for i := range list {
		who := subjects[random.IntN(len(subjects))]
		switch i % 3 {
		case 0:
			list[i] = fmt.Sprintf("%s moved to %s, and told %s of flat %d.", who, cities[random.IntN(len(cities))],
				subjects[random.IntN(len(subjects))], i)
		case 1:
			list[i] = fmt.Sprintf("I bought %d tickets for the %s with %s.", i, things[random.IntN(len(things))], who)
		default:
			list[i] = sentence(random, i)
		}
	}
	return list
}

// BenchmarkBroadQuestion asks a bank of 20,000 records, of which a third is
// superseded, what it has of somebody or of all, and one question that is not
// broad.
func BenchmarkBroadQuestion(b *testing.B) {
	const records, batch = 20_000, 1000
	bank := newBank(b, builtin())
	contents := states(rand.New(rand.NewPCG(5, 5)), records)
	for i := 0; i < records; i += batch {
		list := make([]memory.Record, batch)
		for j := range list {
			list[j] = bank.record(contents[i+j], func(r *memory.Record) {
				if j%3 == 0 {
					r.SupersededBy, r.SupersededAt = "x", bank.clock()
				}
			})
			bank.pass(time.Minute)
		}
		bank.save(b, bank, list...)
	}
	s := bank.service(bank)
	for name, q := range map[string]string{
		"all": "What do you know about me?", "somebody": "What do you know about Anna?",
		"a time": "What happened last week?", "ordinary": "Where does Anna live?",
	} {
		if len(ask(b, s, q)) == 0 {
			b.Fatalf("%s: nothing", name)
		}
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				ask(b, s, q)
			}
		})
	}
}
