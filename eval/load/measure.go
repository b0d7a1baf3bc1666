package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"mcp-memory/eval/child"
	"mcp-memory/eval/metrics"
)

const (
	starts  = 10
	saves   = 200
	recalls = 1000
	// settle is how long a server is left alone before its idle memory is read.
	settle = time.Second
	// callTimeout is far above any budget: who hits it does not answer.
	callTimeout   = 30 * time.Second
	importTimeout = 30 * time.Minute
)

// figures are what was measured. Times are in milliseconds, sizes in bytes.
type figures struct {
	Records       int     `json:"records"`
	Imported      int     `json:"imported"` // records after the import; the same content twice is one
	ImportRate    float64 `json:"import_records_per_second"`
	Start         float64 `json:"start_ms"`
	FirstRecall   float64 `json:"first_recall_ms"`
	RecallP50     float64 `json:"recall_p50_ms"`
	RecallP95     float64 `json:"recall_p95_ms"`
	RecallP99     float64 `json:"recall_p99_ms"`
	NeedlesFound  float64 `json:"needles_found"` // share
	SaveP50       float64 `json:"save_p50_ms"`
	SaveP95       float64 `json:"save_p95_ms"`
	IdleMemory    int64   `json:"idle_memory_bytes"`
	RecallMemory  int64   `json:"memory_after_recalls_bytes"`
	DatabaseBytes int64   `json:"database_bytes"`
	BinaryBytes   int64   `json:"binary_bytes"`
	Tools         int     `json:"tools"`
	ToolTokens    int     `json:"tool_tokens"`
}

// measure takes every figure of programs over n records. Where there are several, they take
// turns, call by call, so that what else the machine does meets all of them.
func measure(ctx context.Context, sides []*side, n int, progress io.Writer) error {
	var probes []probe
	for _, s := range sides {
		s.Records = n
		info, err := os.Stat(s.program.Binary)
		if err != nil {
			return err
		}
		s.BinaryBytes = info.Size()
		fmt.Fprintf(progress, "%s: importing %d facts\n", s.name, n)
		if probes, err = s.load(ctx, s.program, n); err != nil {
			return err
		}
		fmt.Fprintf(progress, "%s: %.0f records/s\n", s.name, s.ImportRate)
	}
	fmt.Fprintf(progress, "starting %d times\n", starts)
	if err := startTimes(ctx, sides); err != nil {
		return err
	}
	fmt.Fprintf(progress, "asking %d questions, saving %d records\n", len(probes), saves)
	if err := serve(ctx, sides, probes); err != nil {
		return err
	}
	for _, s := range sides {
		if err := s.measureSize(ctx); err != nil {
			return err
		}
	}
	return nil
}

// load writes the facts to a file and has the program import it.
func (f *figures) load(ctx context.Context, p child.Program, n int) ([]probe, error) {
	path := filepath.Join(p.Home, "facts.jsonl")
	probes, err := writeFacts(path, n)
	if err != nil {
		return nil, fmt.Errorf("write facts: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, importTimeout)
	defer cancel()
	start := time.Now()
	if _, err := p.Run(ctx, "import", path, "--format", "facts"); err != nil {
		return nil, err
	}
	f.ImportRate = float64(n) / time.Since(start).Seconds()
	stats, err := statsOf(ctx, p)
	if err != nil {
		return nil, err
	}
	f.Imported = stats.Records
	if n > 0 && stats.Records == 0 {
		return nil, fmt.Errorf("the import said nothing and left no records")
	}
	return probes, os.Remove(path)
}

// stats is some of what the command of that name says.
type stats struct {
	Records       int   `json:"records"`
	DatabaseBytes int64 `json:"database_bytes"`
}

func statsOf(ctx context.Context, p child.Program) (s stats, err error) {
	out, err := p.Run(ctx, "stats", "--json")
	if err != nil {
		return s, err
	}
	if err := json.Unmarshal(out, &s); err != nil {
		return s, fmt.Errorf("read stats --json: %w", err)
	}
	return s, nil
}

func writeFacts(path string, n int) ([]probe, error) {
	file, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	w := bufio.NewWriter(file)
	lines := json.NewEncoder(w)
	probes, err := generate(n, recalls, func(f fact) error { return lines.Encode(f) })
	if err != nil {
		return nil, err
	}
	return probes, w.Flush()
}

// startTimes starts the servers again and again.
func startTimes(ctx context.Context, sides []*side) error {
	took := make([][]time.Duration, len(sides))
	for range starts {
		for i, side := range sides {
			begin := time.Now()
			s, err := side.program.Start(ctx)
			if err != nil {
				return err
			}
			err = timed(ctx, s.Initialize)
			took[i] = append(took[i], time.Since(begin))
			if stopped := s.Stop(); err == nil {
				err = stopped
			}
			if err != nil {
				return s.Explain(err)
			}
		}
	}
	for i, side := range sides {
		side.Start = millis(metrics.Percentile(took[i], 50))
	}
	return nil
}

// timed gives one call its time.
func timed(ctx context.Context, call func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	return call(ctx)
}

// databaseSize adds up the database and what SQLite keeps beside it.
func databaseSize(dir string) (sum int64, err error) {
	files, err := os.ReadDir(dir)
	for _, file := range files {
		if strings.Contains(file.Name(), ".db") {
			if info, err := file.Info(); err == nil {
				sum += info.Size()
			}
		}
	}
	return sum, err
}

func millis(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
