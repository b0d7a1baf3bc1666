package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"time"
)

// crew are the clients and what they have seen.
type crew struct {
	fleet  *fleet
	plan   plan
	client *http.Client

	mu     sync.Mutex
	times  map[string][]time.Duration // by tool
	errors []string
	failed int // calls without an answer while the server was away
	saved  []saved
	memory []float64 // MB of the largest server, every ten seconds and in the end
	took   time.Duration
}

// saved is what was acknowledged.
type saved struct {
	bank int
	id   string
}

func newCrew(f *fleet) *crew {
	p := f.plan
	return &crew{
		fleet: f, plan: p, times: map[string][]time.Duration{},
		client: &http.Client{Timeout: time.Minute, Transport: &http.Transport{MaxIdleConnsPerHost: p.clients, MaxConnsPerHost: p.clients}},
	}
}

const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"fleet","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`

// call calls a tool in the name of a bank and reads its structured result.
func (c *crew) call(ctx context.Context, bank int, tool string, args, out any) error {
	data, err := json.Marshal(args)
	if err != nil {
		return err
	}
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s,%s}}`, tool, data, meta)
	r, err := http.NewRequestWithContext(ctx, "POST", "http://"+c.fleet.at(bank)+"/mcp", bytes.NewReader([]byte(body)))
	if err != nil {
		return err
	}
	for name, value := range map[string]string{
		"Authorization": "Bearer " + c.fleet.tokens[bank],
		"Content-Type":  "application/json", "Accept": "application/json, text/event-stream",
		"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": tool,
	} {
		r.Header.Set(name, value)
	}
	answer, err := c.client.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return err
	}
	var reply struct {
		Result struct {
			IsError           bool
			StructuredContent json.RawMessage
		}
	}
	if answer.StatusCode != http.StatusOK || json.Unmarshal(text, &reply) != nil || reply.Result.IsError ||
		reply.Result.StructuredContent == nil {
		return fmt.Errorf("%s: %s %.300s", tool, answer.Status, text)
	}
	return json.Unmarshal(reply.Result.StructuredContent, out)
}

// warm asks until answers are quick: a server reads its index with the first.
func (c *crew) warm(ctx context.Context) error {
	const quick, inARow, tries = 50 * time.Millisecond, 5, 500
	row := 0
	for n := 0; row < inARow && n < tries; n++ {
		var out json.RawMessage
		begun := time.Now()
		if err := c.call(ctx, n%c.plan.banks, "memory_recall", map[string]any{"query": question(n)}, &out); err != nil {
			return err
		}
		if row++; time.Since(begun) > quick {
			row = 0
		}
	}
	return nil
}

// work lets all clients work until the time is over.
func (c *crew) work(ctx context.Context, out io.Writer) {
	begun := time.Now()
	ctx, stop := context.WithTimeout(ctx, c.plan.time)
	defer stop()
	var clients sync.WaitGroup
	for n := range c.plan.clients {
		clients.Go(func() { c.member(ctx, n) })
	}
	clients.Go(func() { c.watch(ctx) })
	if c.plan.kill {
		clients.Go(func() { c.disturb(ctx, out) })
	}
	clients.Wait()
	c.took = time.Since(begun)
}

// member is one client. It starts no call after the end, and finishes its last.
func (c *crew) member(ctx context.Context, n int) {
	random := rand.New(rand.NewPCG(1, uint64(n)))
	for i := 0; ctx.Err() == nil; i++ {
		tool, args := "memory_recall", map[string]any{"query": question(random.IntN(c.plan.records))}
		if random.IntN(100) < c.plan.saves {
			tool = "memory_save"
			args = map[string]any{"content": fmt.Sprintf("Client %d notes as number %d: %s", n, i, fact(random.IntN(c.plan.records)))}
		}
		var made struct{ ID string }
		bank := random.IntN(c.plan.banks)
		begun := time.Now()
		wasAway := c.fleet.away.Load()
		err := c.call(context.WithoutCancel(ctx), bank, tool, args, &made)
		c.note(tool, time.Since(begun), saved{bank, made.ID}, err, wasAway || c.fleet.away.Load())
		if err != nil {
			time.Sleep(50 * time.Millisecond)
		}
	}
}

func (c *crew) note(tool string, took time.Duration, what saved, err error, away bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case err == nil:
		c.times[tool] = append(c.times[tool], took)
		if tool == "memory_save" {
			c.saved = append(c.saved, what)
		}
	case away:
		c.failed++
	default:
		c.errors = append(c.errors, err.Error())
	}
}

// watch notes the servers' memory every ten seconds, and in the end.
func (c *crew) watch(ctx context.Context) {
	tick := time.NewTicker(10 * time.Second)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			c.mu.Lock()
			c.memory = append(c.memory, c.fleet.resident())
			c.mu.Unlock()
		case <-ctx.Done():
			c.mu.Lock()
			c.memory = append(c.memory, c.fleet.resident())
			c.mu.Unlock()
			return
		}
	}
}

// disturb kills the server in the middle and starts it again.
func (c *crew) disturb(ctx context.Context, out io.Writer) {
	select {
	case <-time.After(c.plan.time / 2):
	case <-ctx.Done():
		return
	}
	c.fleet.away.Store(true)
	begun := time.Now()
	s := c.fleet.services[0]
	s.kill()
	if err := s.start(context.WithoutCancel(ctx)); err != nil {
		c.note("start", 0, saved{}, err, false)
		return
	}
	fmt.Fprintf(out, "killed and back after %.2f s\n", time.Since(begun).Seconds())
	time.Sleep(time.Second) // calls that had been on their way come back as errors
	c.fleet.away.Store(false)
}

// rate is how many calls a second were answered.
func (c *crew) rate() float64 {
	total := 0
	for _, times := range c.times {
		total += len(times)
	}
	return float64(total) / c.took.Seconds()
}

func (c *crew) report(out io.Writer) error {
	for _, tool := range []string{"memory_save", "memory_recall"} {
		times := c.times[tool]
		slices.Sort(times)
		if len(times) == 0 {
			continue
		}
		at := func(q float64) float64 { return times[min(len(times)-1, int(q*float64(len(times))))].Seconds() * 1000 }
		fmt.Fprintf(out, "%-14s %7d calls, %6.1f a second; p50 %.1f, p95 %.1f, p99 %.1f, longest %.1f ms\n",
			tool, len(times), float64(len(times))/c.took.Seconds(), at(.5), at(.95), at(.99), at(1))
	}
	fmt.Fprintf(out, "%d clients, %.1f s: %.1f calls a second, %d errors", c.plan.clients, c.took.Seconds(), c.rate(), len(c.errors))
	if c.plan.kill {
		fmt.Fprintf(out, ", %d calls without an answer while the server was away", c.failed)
	}
	fmt.Fprintf(out, "\nresident MB of the largest server, every 10 s: %.1f\n", c.memory)
	if len(c.errors) > 0 {
		return errors.New(c.errors[0])
	}
	return nil
}

// checkSaved looks up everything that was acknowledged.
func (c *crew) checkSaved(ctx context.Context, out io.Writer) error {
	missing, of := 0, map[int][]string{}
	for _, one := range c.saved {
		of[one.bank] = append(of[one.bank], one.id)
	}
	for bank, all := range of {
		for ids := range slices.Chunk(all, 100) {
			var got struct {
				Records []json.RawMessage
				Missing []string
			}
			if err := c.call(ctx, bank, "memory_get", map[string]any{"ids": ids}, &got); err != nil {
				return err
			}
			missing += len(got.Missing)
		}
	}
	fmt.Fprintf(out, "%d saves acknowledged, %d lost\n", len(c.saved), missing)
	if missing > 0 {
		return errors.New("acknowledged saves are lost")
	}
	return nil
}
