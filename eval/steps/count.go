package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"runtime"
	"runtime/coverage"
)

// allocated is how many bytes of new memory count as one step: making and filling it is
// work too, and the counters do not see what append and + copy.
const allocated = 16

// steps does something and returns how many steps that took: how often a block of
// instrumented code was entered, and its share of what was allocated.
func steps(do func()) (int, error) {
	if err := coverage.ClearCounters(); err != nil {
		return 0, fmt.Errorf("%w; see the package document", err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	var counters bytes.Buffer
	if err := coverage.WriteCounters(&counters); err != nil {
		return 0, err
	}
	n, err := sum(counters.Bytes())
	return n + int(after.TotalAlloc-before.TotalAlloc)/allocated, err
}

var errFormat = errors.New("the counters are in another form than of Go 1.26")

// Sizes of the parts around the counters; see internal/coverage of the standard library.
const (
	headerBytes  = 32
	segmentBytes = 16
	footerBytes  = 16
)

// sum adds up the counters of all functions in what [coverage.WriteCounters] writes: behind a
// header and two tables of a segment, for each function the count of its counters, its package,
// its number and the counters, in ULEB128.
func sum(data []byte) (total int, err error) {
	if len(data) < headerBytes+segmentBytes+footerBytes || data[24] != 2 {
		return 0, errFormat
	}
	functions := binary.LittleEndian.Uint64(data[headerBytes:])
	tables := binary.LittleEndian.Uint32(data[headerBytes+8:]) + binary.LittleEndian.Uint32(data[headerBytes+12:])
	at := headerBytes + segmentBytes + int(tables)
	at = (at + 3) &^ 3
	if at > len(data)-footerBytes {
		return 0, errFormat
	}
	rest := data[at : len(data)-footerBytes]
	next := func() uint64 {
		v, n := binary.Uvarint(rest)
		if n <= 0 {
			err = errFormat
			return 0
		}
		rest = rest[n:]
		return v
	}
	for range functions {
		counters := next()
		next()
		next()
		for range counters {
			total += int(next())
		}
		if err != nil {
			return 0, err
		}
	}
	return total, nil
}
