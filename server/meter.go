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

// meter counts calls. Its labels are names of tools and codes only: who may
// read the metrics learns nothing of the agents.
type meter struct {
	set *metrics.Set
	mu  sync.Mutex
	of  map[string]*durations // by tool
}

func newMeter() *meter { return &meter{set: metrics.NewSet(), of: map[string]*durations{}} }

// bounds of the buckets of a call's duration, in seconds.
var bounds = [...]float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 60}

// durations of the calls to one tool. The library's histogram has buckets that
// Prometheus does not know.
type durations struct {
	within [len(bounds)]int // calls that took no longer than the bound
	calls  int
	sum    float64 // seconds
}

func (m *meter) call(tool, code string, took time.Duration) {
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

func (m *meter) request(status int) {
	m.set.GetOrCreateCounter(fmt.Sprintf(`mcp_memory_http_requests_total{status="%d"}`, status)).Inc()
}

func (m *meter) writeDurations(w io.Writer) {
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

func (m *meter) write(w io.Writer, gauges []Gauge) {
	m.set.WritePrometheus(w)
	m.writeDurations(w)
	for _, g := range gauges {
		fmt.Fprintf(w, "%s %s\n", g.Name, number(g.Value))
	}
	metrics.WriteProcessMetrics(w)
}

// work counts what is being done.
type work struct {
	mu   sync.Mutex
	n    int
	idle chan struct{} // closed when n is 0; nil unless somebody waits
}

func (w *work) add(n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.n += n
	if w.n == 0 && w.idle != nil {
		close(w.idle)
		w.idle = nil
	}
}

// wait returns when nothing is being done, or when give is over.
func (w *work) wait(give <-chan struct{}) {
	w.mu.Lock()
	if w.n == 0 {
		w.mu.Unlock()
		return
	}
	if w.idle == nil {
		w.idle = make(chan struct{})
	}
	idle := w.idle
	w.mu.Unlock()
	select {
	case <-idle:
	case <-give:
	}
}
