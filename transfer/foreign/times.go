package foreign

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"time"

	"mcp-memory/memory"
	"mcp-memory/transfer/jsonl"
)

// Times of foreign programs outside this range are ignored.
var (
	earliest = time.Date(1971, 1, 1, 0, 0, 0, 0, time.UTC)
	latest   = time.Date(2200, 1, 1, 0, 0, 0, 0, time.UTC)
)

// anyTime reads a time as text, or as a number of seconds or milliseconds since 1970. It returns
// the zero time for anything else.
func anyTime(value any) time.Time {
	var t time.Time
	switch v := value.(type) {
	case string:
		var ok bool
		if t, ok = jsonl.ParseTime(v); ok {
			break
		}
		if number, err := strconv.ParseFloat(strings.TrimSpace(v), 64); err == nil {
			t = sinceEpoch(number)
		}
	case []byte:
		return anyTime(string(v))
	case json.Number:
		return anyTime(v.String())
	case int64:
		t = sinceEpoch(float64(v))
	case float64:
		t = sinceEpoch(v)
	}
	if t.Before(earliest) || t.After(latest) {
		return time.Time{}
	}
	return t
}

// sinceEpoch reads a number of seconds or, from 1e11 on, of milliseconds. As seconds, 1e11 would be
// in the year 5138.
func sinceEpoch(n float64) time.Time {
	if math.IsNaN(n) || math.IsInf(n, 0) || math.Abs(n) > 1e14 {
		return time.Time{}
	}
	if math.Abs(n) >= 1e11 {
		n /= 1000
	}
	return memory.StoredTime(time.UnixMicro(int64(math.Round(n * 1e6))))
}
