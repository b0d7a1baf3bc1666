package metrics

import (
	"math"
	"slices"
	"time"
)

// Spread says how much a figure differs between cases.
type Spread struct {
	Cases     int     `json:"cases"`
	Mean      float64 `json:"mean"`
	Min       float64 `json:"min"`
	Max       float64 `json:"max"`
	Deviation float64 `json:"deviation"` // standard deviation of the sample; 0 for one case
}

// SpreadOf returns the spread of values, one a case.
func SpreadOf(values []float64) Spread {
	if len(values) == 0 {
		return Spread{}
	}
	s := Spread{Cases: len(values), Min: slices.Min(values), Max: slices.Max(values)}
	for _, v := range values {
		s.Mean += v / float64(len(values))
	}
	if len(values) > 1 {
		var squares float64
		for _, v := range values {
			squares += (v - s.Mean) * (v - s.Mean)
		}
		s.Deviation = math.Sqrt(squares / float64(len(values)-1))
	}
	return s
}

// Percentile returns the smallest duration that at least p percent (0 to 100)
// of the sample do not exceed (nearest rank); 0 for an empty sample. The
// sample keeps its order.
func Percentile(sample []time.Duration, p float64) time.Duration {
	if len(sample) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(sample))
	rank := int(math.Ceil(p / 100 * float64(len(sorted))))
	return sorted[min(max(rank, 1), len(sorted))-1]
}
