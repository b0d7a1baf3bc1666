package main

import (
	"math"
	"math/rand/v2"
	"testing"
)

// plain does what a cache does, by looking through all of a list.
type plain struct {
	room int64
	list []entry // the one used last in the end
}

func (p *plain) use(bank int, bytes int64, now float64) (hit bool) {
	var kept []entry
	for _, e := range p.list {
		if now-e.used >= idle {
			continue
		}
		if e.bank == bank {
			hit = true
			continue
		}
		kept = append(kept, e)
	}
	sum := bytes
	for _, e := range kept {
		sum += e.bytes
	}
	for len(kept) > 0 && sum > p.room {
		sum -= kept[0].bytes
		kept = kept[1:]
	}
	if bytes <= p.room {
		kept = append(kept, entry{bank: bank, bytes: bytes, used: now})
	}
	p.list = kept
	return hit
}

func TestCache(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	c, p, now := newCache(1000), &plain{room: 1000}, 0.0
	for range 20_000 {
		bank := int(30 * random.Float64() * random.Float64())
		bytes := int64(10 + bank*bank*7%1100)
		now += random.ExpFloat64() * 60
		if got, want := c.use(bank, bytes, now), p.use(bank, bytes, now); got != want {
			t.Fatalf("bank %d at %.0f: %v, want %v", bank, now, got, want)
		}
		if len(c.at) != len(p.list) || c.used > c.room {
			t.Fatalf("%d indexes of %d bytes, want %d", len(c.at), c.used, len(p.list))
		}
	}
}

var some = costs{[]cost{{20, .002, .001, 1e5}, {1000, .02, .002, 6e5}, {4000, .1, .004, 2e6}}, .002}

func TestCosts(t *testing.T) {
	for records, want := range map[float64]float64{1: .002, 20: .002, 510: .011, 1000: .02, 2500: .06, 4000: .1, 7000: .18} {
		if got := some.of(records).first; math.Abs(got-want) > 1e-9 {
			t.Errorf("%v memories: %v, want %v", records, got, want)
		}
	}
}

// TestSimulate: the same seed gives the same; more servers never keep more than their
// room, find more where a bank stays at one of them, and are less busy.
func TestSimulate(t *testing.T) {
	w := world{banks: 100_000, requests: 20_000, rate: 500, zipf: 1.05, saves: 30, memory: 64 << 20, cores: 4, seed: 1}
	before := w.simulate(some, 1, true)
	if again := w.simulate(some, 1, true); again != before {
		t.Errorf("%+v, then %+v", before, again)
	}
	for _, servers := range []int{2, 4, 8} {
		o, any := w.simulate(some, servers, true), w.simulate(some, servers, false)
		if o.most > w.memory || any.most > w.memory || o.hits <= before.hits || any.hits >= o.hits || o.busy >= before.busy {
			t.Errorf("%d servers: %+v, any %+v, with fewer %+v", servers, o, any, before)
		}
		before = o
	}
}
