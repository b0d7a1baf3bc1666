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

// Bounds on the relationships that are made automatically: a group chat has
// hundreds of names, and the agent knows few of them.
const (
	maxMetInSession = 20
	maxMet          = 200 // live relationships of an agent, whether made automatically or not
)

// meeting counts the interactions with one person, with their first and last
// time.
type meeting struct {
	party       string
	times       int
	first, last time.Time
}

// origin is the provenance of a relationship that was made automatically: the
// id of the session or of the neural link.
type origin struct {
	Session string `json:"session,omitempty"`
	Link    string `json:"link,omitempty"`
}

// Met counts one interaction for each turn of another speaker that the
// transaction tx stores. For unknown speakers it adds relationships
// ([NeutralType], [NeutralTrust]): at most [maxMetInSession] from a session,
// and those with most turns first. A role such as "user" is not a name, and the
// agent itself does not count. In a closed scope Met does nothing, because
// relationships belong to the whole agent.
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

// MetByLink is like [Service.Met], for another agent with which a neural link
// was made.
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

// speakerOf returns the name of the speaker of a turn, or "" if it is the agent
// itself, a tool, or a word that is not a name.
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

// meet counts the meetings with known people, and adds relationships with
// others as long as [roomFor] allows.
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

// countIn adds the meeting to the details of the relationship.
func (m *meeting) countIn(d *memory.RelationshipDetails) {
	d.Interactions += m.times
	if d.FirstMet.IsZero() || m.first.Before(d.FirstMet) {
		d.FirstMet = m.first
	}
	if m.last.After(d.LastInteraction) {
		d.LastInteraction = m.last
	}
}

// roomFor returns how many relationships may still be made from an origin.
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

// begin adds a relationship and reports whether it did. It does not if the same
// was archived or erased before: it then takes an explicit update to bring it
// back.
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
