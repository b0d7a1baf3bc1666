package resources

import (
	"context"
	"strings"

	"mcp-memory/memory"
	"mcp-memory/text/secrets"
	"mcp-memory/text/slots"
	"mcp-memory/text/worth"
)

// lastShare is how much of the page tells of the latest conversation, until
// memories have taken what they need, workShare the same of a session in which something was done, and
// lastLine the length of a line of it, in characters.
const lastShare, workShare, lastLine = 0.25, 0.35, 280

// tellingWords is how many words a sentence needs to tell something: "The
// assistant: Noted." does not.
const tellingWords = 3

// startLast is how the latest session went, without what the bank knows to be out of
// date by now, and what the page says anyway.
func (s *Service) startLast(ctx context.Context, scope memory.Scope, known *chooser) (section, error) {
	p := section{title: titleLast, share: lastShare}
	h, err := s.latest(ctx, scope, known)
	if err != nil || h.Session == "" {
		return p, err
	}
	if len(h.Done) > 0 {
		p.share = workShare
	}
	for i := range h.Asked {
		h.Asked[i] = oneLine(h.Asked[i], partLine)
	}
	h.Asked, h.Done = h.Asked[:min(1, len(h.Asked))], h.Done[:min(mostNamed, len(h.Done))]
	p.title, p.more = titleLast+" ("+s.clock.Day(h.At)+")", Sessions+escape(h.Session)
	for _, line := range h.lines() {
		p.lines = append(p.lines, "- "+oneLine(line, lastLine)+"\n")
	}
	return p, err
}

// tell returns the sentences of a conversation that still hold.
func (s *Service) tell(ctx context.Context, scope memory.Scope, last memory.DatedText, known *chooser) ([]*candidate, error) {
	former, err := s.replacedBy(ctx, scope, known)
	if err != nil {
		return nil, err
	}
	options := slots.Options{UserNames: known.user}
	var told []*candidate
	for sentence := range strings.Lines(last.Text) {
		if secrets.Find(sentence) != "" {
			continue
		}
		one := &candidate{Record: memory.Record{Content: strings.TrimSpace(sentence), OccurredAt: last.At}}
		one.Judgement, one.slots = worth.Of(one.Content, s.clock.In(last.At)), slots.Read(one.Content, options)
		told = append(told, one)
	}
	var kept []*candidate
	for i, one := range told {
		if len(stemsOf(one.Content)) >= tellingWords && !one.over(known.all) && !one.overSince(told[i+1:]) && !one.among(former) {
			kept = append(kept, one)
		}
	}
	return kept, nil
}

// replacedBy returns what records of a pool took the place of.
func (s *Service) replacedBy(ctx context.Context, scope memory.Scope, known *chooser) ([]memory.Record, error) {
	var ids []string
	for _, one := range known.all {
		if one.Supersedes != "" {
			ids = append(ids, one.Supersedes)
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	return s.store.Records(ctx, scope.Agent, ids)
}

// over reports whether a record that came to the bank after a sentence was said
// tells otherwise, or one of any age says the same.
func (c *candidate) over(pool []*candidate) bool {
	about := stemsOf(c.Content)
	for _, one := range pool {
		newer := one.EventTime().After(c.OccurredAt)
		relation := slots.Between(c.slots, one.slots)
		switch {
		case relation == slots.Same, memory.SameContent(one.Content) == memory.SameContent(c.Content):
			return true
		case newer && relation >= slots.Contradicts:
			return true
		case newer && overrides(c, one) && shared(about, stemsOf(one.News)) >= max(2, needed(c)):
			return true
		}
	}
	return false
}

// overSince reports whether something that was said later takes its place.
func (c *candidate) overSince(later []*candidate) bool {
	for _, one := range later {
		if slots.Between(c.slots, one.slots) >= slots.Likely {
			return true
		}
	}
	return false
}

// among reports whether it says what one of some records says.
func (c *candidate) among(records []memory.Record) bool {
	for _, r := range records {
		if memory.SameContent(r.Content) == memory.SameContent(c.Content) ||
			slots.Between(slots.Read(r.Content, slots.Options{}), c.slots) == slots.Same {
			return true
		}
	}
	return false
}
