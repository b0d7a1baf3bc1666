package main

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"time"

	"mcp-memory/eval/bench"
	"mcp-memory/memory"
	"mcp-memory/recall"
	"mcp-memory/remember"
)

// costs are what was measured, in seconds and bytes.
type costs struct {
	recalls []cost // by the size of the bank, ascending
	save    float64
}

// cost is of a bank with so many memories.
type cost struct{ records, first, further, bytes float64 }

// of interpolates, and goes on in a straight line beyond what was measured.
func (c costs) of(records float64) cost {
	i := 1
	for i < len(c.recalls)-1 && c.recalls[i].records < records {
		i++
	}
	a, b := c.recalls[i-1], c.recalls[i]
	x := max(0, (records-a.records)/(b.records-a.records))
	between := func(from, to float64) float64 { return max(from+(to-from)*x, min(from, to)) }
	return cost{records, between(a.first, b.first), between(a.further, b.further), between(a.bytes, b.bytes)}
}

// sizes of banks that are measured: indexes of up to 4,000 memories are built while the
// question waits.
var sizes = []int{20, 200, 1000, 4000}

// measure fills banks and asks them.
func measure(ctx context.Context) (c costs, err error) {
	bank, err := bench.Open(ctx, time.Now)
	if err != nil {
		return c, err
	}
	defer bank.Close()
	// What the first question of a process waits for is no bank's cost.
	if err := fill(ctx, bank, "warm", 50); err != nil {
		return c, err
	}
	for n := range 10 {
		if _, err := ask(ctx, bank, "warm", n); err != nil {
			return c, err
		}
	}
	for _, size := range sizes {
		agent := fmt.Sprint("bank", size)
		if err := fill(ctx, bank, agent, size); err != nil {
			return c, err
		}
		var firsts []float64
		var grown float64
		// Of further banks alike only the time of the first recall is needed: it is the median of three.
		for n := range 3 {
			who := agent
			if n > 0 {
				who = fmt.Sprint(agent, "-", n)
				if err := fill(ctx, bank, who, size); err != nil {
					return c, err
				}
			}
			before := heap()
			took, err := ask(ctx, bank, who, n)
			if err != nil {
				return c, err
			}
			grown = max(grown, heap()-before)
			firsts = append(firsts, took)
		}
		var further []float64
		for n := range 21 {
			took, err := ask(ctx, bank, agent, n+1)
			if err != nil {
				return c, err
			}
			further = append(further, took)
		}
		c.recalls = append(c.recalls, cost{float64(size), median(firsts), median(further), max(grown, 1024)})
	}
	var saves []float64
	for n := range 21 {
		begun := time.Now()
		if _, err := bank.Remember.Save(ctx, memory.Scope{Agent: "bank200"},
			remember.SaveRequest{Content: fmt.Sprintf("Boat %d was painted in the harbour.", n)}); err != nil {
			return c, err
		}
		saves = append(saves, time.Since(begun).Seconds())
	}
	c.save = median(saves)
	return c, nil
}

func median(list []float64) float64 {
	slices.Sort(list)
	return list[len(list)/2]
}

// heap is what is in use after everything that can go has gone.
func heap() float64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return float64(stats.HeapAlloc)
}

func ask(ctx context.Context, bank bench.Bank, agent string, n int) (seconds float64, err error) {
	begun := time.Now()
	_, err = bank.Recall.Recall(ctx,
		recall.Request{Scope: memory.Scope{Agent: agent},
			Query: fmt.Sprintf("Who repaired the %s by the %s?", things[n%len(things)], places[n/3%len(places)])})
	return time.Since(begun).Seconds(), err
}

var (
	things = []string{"lantern", "bicycle", "wooden boat", "radio", "telescope", "clock", "ladder", "violin"}
	places = []string{"harbour", "mill", "north tower", "market", "station", "orchard", "library", "bridge"}
	people = []string{"Aino", "Bela", "Chidi", "Dara", "Emil", "Farah", "Goran", "Hana"}
)

// fill gives a bank so many memories.
func fill(ctx context.Context, bank bench.Bank, agent string, size int) error {
	ids := memory.NewIDs(time.Now)
	return bank.Store.Write(ctx, agent, func(tx memory.Tx) error {
		for n := range size {
			r := memory.Record{
				ID: ids.New(), Agent: agent, Kind: memory.KindFact, Category: memory.CategoryOther, Importance: memory.DefaultImportance,
				Source: memory.SourceUser, Confirmations: 1, CreatedAt: time.Now(),
				Content: fmt.Sprintf("%s repaired the %s by the %s on day %d.", people[n%len(people)], things[n/5%len(things)],
					places[n/7%len(places)], n),
			}
			vectors, err := bank.Embedder.EmbedDocuments(ctx, []string{r.Content})
			if err == nil {
				err = tx.InsertRecord(r, vectors[0])
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}
