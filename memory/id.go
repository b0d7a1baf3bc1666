package memory

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strconv"
	"sync"
	"time"
)

// IDs makes identifiers: UUIDs of version 7 (RFC 9562, section 5.7), whose
// text sorts in the order in which one process made them. The millisecond
// comes from the clock; 12 bits after it count up within a millisecond
// (RFC 9562, section 6.2, method 1), the other 62 are random.
//
// The zero value is not usable; call [NewIDs]. Safe for concurrent use.
type IDs struct {
	clock Clock
	mu    sync.Mutex
	milli int64
	count uint16
}

// NewIDs returns a source of identifiers that takes its time from clock.
func NewIDs(clock Clock) *IDs { return &IDs{clock: clock} }

// New returns the next identifier, 36 characters long.
func (g *IDs) New() string {
	milli, count := g.next()
	var b [16]byte
	rand.Read(b[8:]) // never fails, see crypto/rand
	binary.BigEndian.PutUint64(b[:8], uint64(milli)<<16|0x7000|uint64(count))
	return text(b)
}

// farthest is how far ahead of the clock, in milliseconds, the time of an identifier may be for
// [IDs.Behind] to believe it: about 100 years.
const farthest = 100 * 366 * 24 * 60 * 60 * 1000

// Behind makes every further identifier sort behind id, which may have been made while the clock was
// ahead of what it is now. A text that is no UUID of version 7, or is too far in the future, changes
// nothing.
func (g *IDs) Behind(id string) {
	if len(id) != 36 || id[14] != '7' {
		return
	}
	milli, err := strconv.ParseInt(id[:8]+id[9:13], 16, 64)
	if err != nil {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if milli >= g.milli && milli < g.clock().UnixMilli()+farthest {
		g.milli, g.count = milli, 0xfff
	}
}

// text returns the 36 characters of an identifier, after setting its variant bits.
func text(b [16]byte) string {
	b[8] = b[8]&0x3f | 0x80
	var s [36]byte
	hex.Encode(s[0:8], b[0:4])
	hex.Encode(s[9:13], b[4:6])
	hex.Encode(s[14:18], b[6:8])
	hex.Encode(s[19:23], b[8:10])
	hex.Encode(s[24:], b[10:])
	s[8], s[13], s[18], s[23] = '-', '-', '-', '-'
	return string(s[:])
}

// NamedID returns an identifier in the form of [IDs] that depends only on its arguments: at gives
// its time, and a hash of names takes the place of the random bits. Something imported twice so
// gets the same identifier.
func NamedID(at time.Time, names ...string) string {
	h := sha256.New()
	for _, name := range names {
		fmt.Fprintf(h, "%d %s ", len(name), name)
	}
	b := [16]byte(h.Sum(nil)[:16])
	binary.BigEndian.PutUint64(b[:8], uint64(max(at.UnixMilli(), 0))<<16|0x7000|uint64(b[6]&0x0f)<<8|uint64(b[7]))
	return text(b)
}

// next returns a pair that is larger than every earlier one, also when the
// clock stands still or goes back.
func (g *IDs) next() (milli int64, count uint16) {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := g.clock().UnixMilli()
	switch {
	case now > g.milli:
		g.milli, g.count = now, 0
	case g.count == 0xfff:
		g.milli, g.count = g.milli+1, 0
	default:
		g.count++
	}
	return g.milli, g.count
}
