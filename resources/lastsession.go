package resources

import (
	"context"
	"strings"

	"mcp-memory/memory"
	"mcp-memory/text/secrets"
	"mcp-memory/text/slots"
	"mcp-memory/text/worth"
)

// lastShare is the share of the page for the latest session, before memories take their room and
// leave the rest. workShare is the same for a session in which something was done. lastLine is the
// longest line, in characters.
const lastShare, workShare, lastLine = 0.25, 0.35, 280

// tellingWords is how many content words a sentence needs to be told. "The assistant: Noted." has
// fewer.
const tellingWords = 3

// startLast makes the section about the latest session. It leaves out sentences that newer memories
// put out of date or that a memory of the pool says as well.
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

// tell returns the sentences of the latest conversation, last, that still hold.
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

// replacedBy returns the records that the candidates have superseded.
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

// over reports whether the sentence is not worth telling: a record of the pool says the same, or a
// newer one contradicts or replaces it.
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

// overSince reports whether a sentence said later replaces it.
func (c *candidate) overSince(later []*candidate) bool {
	for _, one := range later {
		if slots.Between(c.slots, one.slots) >= slots.Likely {
			return true
		}
	}
	return false
}

// among reports whether one of the records says the same.
func (c *candidate) among(records []memory.Record) bool {
	for _, r := range records {
		if memory.SameContent(r.Content) == memory.SameContent(c.Content) ||
			slots.Between(slots.Read(r.Content, slots.Options{}), c.slots) == slots.Same {
			return true
		}
	}
	return false
}
