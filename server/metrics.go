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

// callMetrics counts tool calls. Its labels are only names of tools and error codes, so that the
// metrics reveal nothing about the agents.
type callMetrics struct {
	counters *metrics.Set

	mu        sync.Mutex
	durations map[string]*histogram // by tool
}

func newCallMetrics() *callMetrics {
	return &callMetrics{counters: metrics.NewSet(), durations: map[string]*histogram{}}
}

// bounds are the upper bounds of the buckets of a histogram, in seconds.
var bounds = [...]float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 60}

// histogram counts the durations of the calls of one tool. The histograms of the VictoriaMetrics
// library are not used, because Prometheus cannot read their buckets.
type histogram struct {
	buckets [len(bounds)]int // calls that took no longer than the bound of the same index
	count   int
	sum     float64 // seconds
}

func (m *callMetrics) call(tool, code string, took time.Duration) {
	if code == "" {
		code = "ok"
	}
	m.counters.GetOrCreateCounter(fmt.Sprintf(`mcp_memory_calls_total{tool=%q,code=%q}`, tool, code)).Inc()
	m.mu.Lock()
	defer m.mu.Unlock()
	h := m.durations[tool]
	if h == nil {
		h = &histogram{}
		m.durations[tool] = h
	}
	h.count++
	h.sum += took.Seconds()
	for i, bound := range bounds {
		if took.Seconds() <= bound {
			h.buckets[i]++
		}
	}
}

func (m *callMetrics) writeDurations(w io.Writer) {
	const name = "mcp_memory_call_seconds"
	m.mu.Lock()
	defer m.mu.Unlock()
	fmt.Fprintf(w, "# TYPE %s histogram\n", name)
	for _, tool := range slices.Sorted(maps.Keys(m.durations)) {
		h := m.durations[tool]
		for i, bound := range bounds {
			fmt.Fprintf(w, "%s_bucket{tool=%q,le=%q} %d\n", name, tool, number(bound), h.buckets[i])
		}
		fmt.Fprintf(w, "%s_bucket{tool=%q,le=\"+Inf\"} %d\n", name, tool, h.count)
		fmt.Fprintf(w, "%s_sum{tool=%q} %s\n%[1]s_count{tool=%[2]q} %[4]d\n", name, tool, number(h.sum), h.count)
	}
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// Gauge is a number for /metrics: a name without labels and its value.
type Gauge struct {
	Name  string
	Value float64
}

// WriteMetrics writes the counters and the gauges in the text format of Prometheus.
func (s *Server) WriteMetrics(w io.Writer, gauges []Gauge) {
	s.metrics.counters.WritePrometheus(w)
	s.metrics.writeDurations(w)
	for _, g := range gauges {
		fmt.Fprintf(w, "%s %s\n", g.Name, number(g.Value))
	}
	metrics.WriteProcessMetrics(w)
}
