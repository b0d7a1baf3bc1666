package server

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/VictoriaMetrics/metrics"
)

// callMetrics count calls. Its labels are names of tools and codes only: who may
// read the metrics learns nothing of the agents.
type callMetrics struct {
	set *metrics.Set
	mu  sync.Mutex
	of  map[string]*durations // by tool
}

func newCallMetrics() *callMetrics {
	return &callMetrics{set: metrics.NewSet(), of: map[string]*durations{}}
}

// bounds of the buckets of a call's duration, in seconds.
var bounds = [...]float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 60}

// durations of the calls to one tool. The library's histogram has buckets that
// Prometheus does not know.
type durations struct {
	within [len(bounds)]int // calls that took no longer than the bound
	calls  int
	sum    float64 // seconds
}

func (m *callMetrics) call(tool, code string, took time.Duration) {
	if code == "" {
		code = "ok"
	}
	m.set.GetOrCreateCounter(fmt.Sprintf(`mcp_memory_calls_total{tool=%q,code=%q}`, tool, code)).Inc()
	m.mu.Lock()
	defer m.mu.Unlock()
	d := m.of[tool]
	if d == nil {
		d = &durations{}
		m.of[tool] = d
	}
	d.calls++
	d.sum += took.Seconds()
	for i, bound := range bounds {
		if took.Seconds() <= bound {
			d.within[i]++
		}
	}
}

func (m *callMetrics) writeDurations(w io.Writer) {
	const name = "mcp_memory_call_seconds"
	m.mu.Lock()
	defer m.mu.Unlock()
	fmt.Fprintf(w, "# TYPE %s histogram\n", name)
	for _, tool := range slices.Sorted(maps.Keys(m.of)) {
		d := m.of[tool]
		for i, bound := range bounds {
			fmt.Fprintf(w, "%s_bucket{tool=%q,le=%q} %d\n", name, tool, number(bound), d.within[i])
		}
		fmt.Fprintf(w, "%s_bucket{tool=%q,le=\"+Inf\"} %d\n", name, tool, d.calls)
		fmt.Fprintf(w, "%s_sum{tool=%q} %s\n%[1]s_count{tool=%[2]q} %[4]d\n", name, tool, number(d.sum), d.calls)
	}
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// Gauge is a number for /metrics: a name without labels and its value.
type Gauge struct {
	Name  string
	Value float64
}

// WriteMetrics writes what was counted, and gauges besides, in the form of
// Prometheus.
func (s *Server) WriteMetrics(w io.Writer, gauges []Gauge) {
	s.metrics.set.WritePrometheus(w)
	s.metrics.writeDurations(w)
	for _, g := range gauges {
		fmt.Fprintf(w, "%s %s\n", g.Name, number(g.Value))
	}
	metrics.WriteProcessMetrics(w)
}
