package main

import (
	"math"
	"math/rand/v2"
	"slices"
)

// idle is how long, in seconds, an index is kept that nobody asks.
const idle = 15 * 60

// cache is a server's indexes, the one that was used last in front.
type cache struct {
	room, used  int64 // bytes
	at          map[int]int32
	entries     []entry // the first is no index: the ends of the list meet there
	free        []int32
	most, total int64
	looks       int64
}

type entry struct {
	bank       int
	bytes      int64
	used       float64 // when, in seconds
	next, back int32
}

func newCache(room int64) *cache {
	return &cache{room: room, at: map[int]int32{}, entries: make([]entry, 1)}
}

// use reports whether a bank's index is there, and puts it in front.
func (c *cache) use(bank int, bytes int64, now float64) bool {
	c.expire(now)
	c.looks++
	i, hit := c.at[bank]
	if hit {
		c.unlink(i)
		c.used -= c.entries[i].bytes
	} else if n := len(c.free); n > 0 {
		i, c.free = c.free[n-1], c.free[:n-1]
	} else {
		i, c.entries = int32(len(c.entries)), append(c.entries, entry{})
	}
	for c.used+bytes > c.room && c.entries[0].back != 0 {
		c.drop(c.entries[0].back)
	}
	if bytes > c.room { // there is no room for it at all
		delete(c.at, bank)
		c.free = append(c.free, i)
		return hit
	}
	first := c.entries[0].next
	c.entries[i] = entry{bank, bytes, now, first, 0}
	c.entries[first].back = i
	c.entries[0].next = i
	c.at[bank] = i
	c.used += bytes
	c.most, c.total = max(c.most, c.used), c.total+c.used
	return hit
}

// expire drops what nobody has asked for long.
func (c *cache) expire(now float64) {
	for last := c.entries[0].back; last != 0 && now-c.entries[last].used >= idle; last = c.entries[0].back {
		c.drop(last)
	}
}

func (c *cache) drop(i int32) {
	c.unlink(i)
	c.used -= c.entries[i].bytes
	delete(c.at, c.entries[i].bank)
	c.free = append(c.free, i)
}

func (c *cache) unlink(i int32) {
	e := c.entries[i]
	c.entries[e.back].next = e.next
	c.entries[e.next].back = e.back
}

// outcome is what came of a simulation.
type outcome struct {
	hits          float64 // share of recalls
	megabytes     float64 // of indexes in a server, on average
	most          int64   // bytes of indexes in any server at any time
	p50, p95, p99 float64 // seconds
	busy          float64 // share of the processors' time
}

// simulate sends requests to servers.
func (w world) simulate(costs costs, servers int, pinned bool) (o outcome) {
	random := rand.New(rand.NewPCG(w.seed, uint64(servers)))
	ranks := rand.NewZipf(random, w.zipf, 1, uint64(w.banks-1))
	caches := make([]*cache, servers)
	for i := range caches {
		caches[i] = newCache(w.memory)
	}
	var recalls, hits int
	var work float64
	times := make([]float64, 0, w.requests)
	for n := range 2 * w.requests {
		bank := int(ranks.Uint64())
		now := float64(n) / w.rate
		at := int(mix(uint64(bank), w.seed) % uint64(servers))
		if !pinned {
			at = random.IntN(servers)
		}
		took := costs.save
		if random.IntN(100) >= w.saves {
			c := costs.of(size(bank, w.seed))
			hit := caches[at].use(bank, int64(c.bytes), now)
			if took = c.further; !hit {
				took = c.first
			}
			if n >= w.requests {
				recalls++
				if hit {
					hits++
				}
			}
		}
		if n >= w.requests {
			work += took
			times = append(times, took)
		}
	}
	slices.Sort(times)
	at := func(q float64) float64 { return times[min(len(times)-1, int(q*float64(len(times))))] }
	o.p50, o.p95, o.p99 = at(.5), at(.95), at(.99)
	o.hits = float64(hits) / float64(max(recalls, 1))
	o.busy = work / (float64(w.requests) / w.rate) / float64(servers*w.cores)
	for _, c := range caches {
		o.megabytes += float64(c.used) / (1 << 20) / float64(servers)
		o.most = max(o.most, c.most)
	}
	return o
}

// size is how many memories a bank has: half of them have up to 300, one of a
// hundred some 5,000.
func size(bank int, seed uint64) float64 {
	const middle, spread, most = 300, 1.2, 100_000
	r := rand.New(rand.NewPCG(mix(uint64(bank), seed+1), 0))
	return min(math.Ceil(middle*math.Exp(spread*r.NormFloat64())), most)
}

// mix is SplitMix64 of Steele, Lea and Flood.
func mix(x, seed uint64) uint64 {
	x += seed * 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
