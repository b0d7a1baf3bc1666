package cognition

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"mcp-memory/memory"
	"mcp-memory/remember"
)

// Bounds on the relationships that arise by themselves: a group chat has hundreds
// of names, and few of them are somebody whom the agent knows.
const (
	maxMetInSession = 20
	maxMet          = 200 // live relationships of a bank, whoever made them
)

// meeting is what happened with somebody.
type meeting struct {
	party       string
	times       int
	first, last time.Time
}

// origin says where relationships arose; it is their provenance.
type origin struct {
	Session string `json:"session,omitempty"`
	Link    string `json:"link,omitempty"`
}

// Met counts interactions with the people who speak in turns that a transaction
// stores, one a message, and begins a relationship with those whom the agent did not
// know: neutral, trust 0.5, up to 20 of a session, those first who said most. Roles
// are nobody, and neither is the agent itself. Where only one project is open nothing
// happens, for relationships belong to the whole agent.
func (s *Service) Met(ctx context.Context, tx memory.Tx, scope memory.Scope, turns []memory.Turn) error {
	if scope.Closed {
		return nil
	}
	sessions, met := []string{}, map[string]map[string]*meeting{}
	for _, t := range turns {
		party := speakerOf(scope.Agent, t)
		if party == "" {
			continue
		}
		if met[t.Session] == nil {
			met[t.Session] = map[string]*meeting{}
			sessions = append(sessions, t.Session)
		}
		key := memory.SameContent(party)
		m := met[t.Session][key]
		if m == nil {
			m = &meeting{party: party, first: t.SaidAt, last: t.SaidAt}
			met[t.Session][key] = m
		}
		m.add(1, t.SaidAt, t.SaidAt)
	}
	for _, session := range sessions {
		if err := s.meet(ctx, tx, scope.Agent, slices.Collect(maps.Values(met[session])), origin{Session: session}); err != nil {
			return err
		}
	}
	return nil
}

// MetByLink is Met for another agent with which a neural link was made.
func (s *Service) MetByLink(ctx context.Context, tx memory.Tx, agent, other, link string, at time.Time) error {
	return s.meet(ctx, tx, agent, []*meeting{{other, 1, at, at}}, origin{Link: link})
}

func (m *meeting) add(times int, first, last time.Time) {
	m.times += times
	if first.Before(m.first) {
		m.first = first
	}
	if last.After(m.last) {
		m.last = last
	}
}

// speakerOf is the name of somebody else who speaks, empty for anybody else.
func speakerOf(agent string, t memory.Turn) string {
	if t.Role != memory.RoleUser && t.Role != "" {
		return "" // the agent itself, under whatever name, and its tools
	}
	name := strings.Join(strings.Fields(t.Person()), " ")
	switch strings.ToLower(name) {
	case "human", "ai", "bot", "model", "me", "you", "unknown", "anonymous", strings.ToLower(agent):
		return ""
	}
	return name
}

// meet counts meetings of known people, and introduces others while there is room.
func (s *Service) meet(ctx context.Context, tx memory.Tx, agent string, meetings []*meeting, from origin) error {
	c := s.remember.In(ctx, tx, memory.Scope{Agent: agent})
	var strangers []*meeting
	for _, m := range meetings {
		found, _, err := c.List(memory.CatalogFilter{Kind: memory.KindRelationship, Party: m.party, Limit: 1, Uncounted: true})
		if err != nil {
			return err
		}
		if len(found) == 0 {
			strangers = append(strangers, m)
			continue
		}
		next := *found[0].Relationship
		m.countIn(&next)
		found[0].Relationship = &next
		if err := c.UpdateRecord(found[0]); err != nil {
			return err
		}
	}
	if len(strangers) == 0 {
		return nil
	}
	room, err := roomFor(c, from)
	if err != nil {
		return err
	}
	slices.SortFunc(strangers, func(a, b *meeting) int {
		return cmp.Or(cmp.Compare(b.times, a.times), a.first.Compare(b.first), strings.Compare(a.party, b.party))
	})
	for _, m := range strangers {
		if room == 0 {
			return nil
		}
		begun, err := m.begin(c, from)
		if err != nil {
			return err
		}
		if begun {
			room--
		}
	}
	return nil
}

// countIn adds the meeting to what is known of somebody.
func (m *meeting) countIn(d *memory.RelationshipDetails) {
	d.Interactions += m.times
	if d.FirstMet.IsZero() || m.first.Before(d.FirstMet) {
		d.FirstMet = m.first
	}
	if m.last.After(d.LastInteraction) {
		d.LastInteraction = m.last
	}
}

// roomFor returns how many relationships may still arise from an origin.
func roomFor(c *remember.Change, from origin) (int, error) {
	known, _, err := c.List(memory.CatalogFilter{Kind: memory.KindRelationship, Limit: maxMet, Uncounted: true})
	if err != nil {
		return 0, err
	}
	room := min(maxMetInSession, maxMet-len(known))
	for _, r := range known {
		var o origin
		if json.Unmarshal(r.Provenance, &o) == nil && o == from {
			room--
		}
	}
	return max(0, room), nil
}

// begin introduces somebody, unless that was forgotten or erased before: then it
// stays so, until somebody says otherwise.
func (m *meeting) begin(c *remember.Change, from origin) (bool, error) {
	details := memory.RelationshipDetails{Party: m.party, Type: NeutralType, Trust: NeutralTrust}
	m.countIn(&details)
	request := requestOf(details, nil)
	gone, err := c.ArchivedByContent("", memory.KindRelationship, request.Content)
	if err != nil || gone != nil {
		return false, err
	}
	erased, err := c.Erased("", memory.KindRelationship, request.Content)
	if err != nil || !erased.IsZero() {
		return false, err
	}
	importance := memory.MetImportance
	request.Importance, request.Quiet = &importance, true
	if request.Provenance, err = json.Marshal(from); err != nil {
		return false, err
	}
	_, err = c.Put(request)
	return err == nil, err
}
