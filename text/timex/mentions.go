package timex

import (
	"sync"
	"time"
)

// Mentions reports whether text has a date or anything like one: whatever
// [Find] finds, and days that repeat ("every Friday", "on Mondays"). It takes
// a few microseconds for a message and allocates nothing.
func Mentions(text string) bool {
	p := borrowParser(text, reference)
	defer returnParser(p)
	for i := range p.tokens {
		if l := p.tokens[i].lex; l != nil && l.weekday != 0 && l.sense == plain {
			return true
		}
		if _, ok := p.expression(i); ok {
			return true
		}
	}
	return false
}

// reference is the now for resolving expressions if only their presence
// matters.
var reference = time.Date(2024, 5, 15, 12, 0, 0, 0, time.UTC)

// parserPool reuses token buffers, because every stored message is parsed.
var parserPool = sync.Pool{New: func() any { return &parser{tokens: make([]token, 0, 256)} }}

// keepTokens is the capacity of the largest buffer that is kept, so that one
// long text does not hold its memory for good.
const keepTokens = 4096

func borrowParser(text string, now time.Time) *parser {
	p := parserPool.Get().(*parser)
	*p = parser{text: text, tokens: appendTokens(p.tokens[:0], text), asked: now.Round(0), zone: now.Location(), now: OnWall(now)}
	return p
}

func returnParser(p *parser) {
	if cap(p.tokens) <= keepTokens {
		p.text = ""
		parserPool.Put(p)
	}
}
