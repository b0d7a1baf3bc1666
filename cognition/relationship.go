package cognition

import (
	"cmp"
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"mcp-memory/memory"
	"mcp-memory/remember"
)

// The type and trust of a new relationship.
const (
	NeutralType  = "neutral"
	NeutralTrust = 0.5
)

// RelationshipUpdate is what to change in a relationship. Party is needed;
// fields that are nil do not change.
type RelationshipUpdate struct {
	Party       string
	Name        *string
	Type        *string // empty is [NeutralType]
	Trust       *float64
	Tone        *string
	Rationale   *string
	Notes       *string
	Tags        *[]string
	Interaction bool // counts an interaction, at the moment of the call
}

// SavedRelationship is the result of an update.
type SavedRelationship struct {
	Saved
	Changed []string // fields that differ from before, named as in the tools' arguments
}

// Version is one state of a relationship.
type Version struct {
	memory.Record
	Changed []string // fields that differ from the version before
}

// UpdateRelationship changes the relationship with somebody; the first call
// creates it. A change supersedes the old version; an interaction alone is
// counted in place. Errors: [memory.CodeInvalidArgument] and
// [memory.CodeTooLarge], naming the argument.
func (s *Service) UpdateRelationship(ctx context.Context, scope memory.Scope, u RelationshipUpdate) (saved SavedRelationship, err error) {
	if err := needed("agent", u.Party); err != nil {
		return saved, err
	}
	err = s.remember.Change(ctx, own(scope), func(c *remember.Change) error {
		found, _, err := c.List(memory.CatalogFilter{Kind: memory.KindRelationship, Party: u.Party, Limit: 1})
		if err != nil {
			return err
		}
		var old *memory.Record
		if len(found) > 0 {
			old = &found[0]
		}
		saved, err = u.save(c, old)
		return err
	})
	return saved, err
}

func (u RelationshipUpdate) save(c *remember.Change, old *memory.Record) (SavedRelationship, error) {
	was := memory.Record{}
	next := memory.RelationshipDetails{Party: strings.TrimSpace(u.Party), Type: NeutralType, Trust: NeutralTrust, FirstMet: c.Now()}
	if old != nil {
		was, next = *old, *old.Relationship
	}
	tags := was.Tags
	u.apply(&next, &tags)
	if u.Interaction {
		next.Interactions++
		next.LastInteraction = c.Now()
	}
	request := requestOf(next, tags)
	if err := fits("notes", request.Content); err != nil {
		return SavedRelationship{}, err
	}
	if old == nil {
		record, err := c.Put(request)
		if err != nil {
			return SavedRelationship{}, err
		}
		return SavedRelationship{Saved{record, remember.Created}, differences(memory.Record{}, record)}, nil
	}
	after := was
	after.Relationship, after.Tags = &next, tags
	changed := differences(was, after)
	switch {
	case len(changed) > 0:
		request.Supersedes, request.Category, request.Pinned = was.ID, was.Category, was.Pinned
		if was.Importance > memory.MetImportance || !was.Relationship.Bare() { // else the default
			request.Importance = &was.Importance
		}
		record, err := c.Put(request)
		return SavedRelationship{Saved{record, remember.Superseded}, changed}, err
	case u.Interaction:
		return SavedRelationship{Saved{after, remember.Updated}, nil}, c.UpdateRecord(after)
	}
	return SavedRelationship{Saved{was, remember.Unchanged}, nil}, nil
}

func requestOf(d memory.RelationshipDetails, tags []string) remember.SaveRequest {
	return remember.SaveRequest{
		Kind: memory.KindRelationship, Category: "social", Tags: tags, Content: relationshipContent(d),
		KindDetails: memory.KindDetails{Relationship: &d},
	}
}

func (u RelationshipUpdate) apply(d *memory.RelationshipDetails, tags *[]string) {
	for _, f := range []struct{ to, from *string }{
		{&d.Name, u.Name}, {&d.Type, u.Type}, {&d.Tone, u.Tone}, {&d.Rationale, u.Rationale}, {&d.Notes, u.Notes},
	} {
		if f.from != nil {
			*f.to = strings.TrimSpace(*f.from)
		}
	}
	d.Type = cmp.Or(d.Type, NeutralType)
	if u.Trust != nil {
		d.Trust = *u.Trust
	}
	if u.Tags != nil {
		*tags = nil
		for _, t := range *u.Tags {
			if t = strings.TrimSpace(t); !slices.Contains(*tags, t) {
				*tags = append(*tags, t)
			}
		}
	}
}

// relationshipContent returns the relationship as text: a sentence, then
// rationale and notes.
func relationshipContent(d memory.RelationshipDetails) string {
	who := d.Party
	if d.Name != "" && memory.SameContent(d.Name) != memory.SameContent(d.Party) {
		who += " (" + d.Name + ")"
	}
	about := fmt.Sprintf("Relationship to %s: %s, trust %.2g", who, strings.ReplaceAll(d.Type, "_", " "), d.Trust)
	if d.Tone != "" {
		about += ", tone " + d.Tone
	}
	return joined(" ", sentence(about), labelled("Why", d.Rationale), labelled("Notes", d.Notes))
}

// differences returns the fields in which two versions differ, named and
// ordered as in the tools' schema. For an empty record a, b is compared with a
// new relationship.
func differences(a, b memory.Record) []string {
	before := memory.RelationshipDetails{Type: NeutralType, Trust: NeutralTrust}
	if a.Relationship != nil {
		before = *a.Relationship
	}
	after := *b.Relationship
	changed := []string{}
	for _, f := range []struct {
		name string
		same bool
	}{
		{"name", before.Name == after.Name},
		{"type", before.Type == after.Type},
		{"trust_level", before.Trust == after.Trust},
		{"emotional_tone", before.Tone == after.Tone},
		{"rationale", before.Rationale == after.Rationale},
		{"notes", before.Notes == after.Notes},
		{"tags", len(a.Tags) == 0 && len(b.Tags) == 0 || reflect.DeepEqual(a.Tags, b.Tags)},
	} {
		if !f.same {
			changed = append(changed, f.name)
		}
	}
	return changed
}

// Relationships returns relationships, those changed last first, and how many
// match without the limit. Party, kind and behind filter if they are not empty.
// Behind is the id of a relationship: only those after it in the list are
// returned and counted. Limit 0 is no limit.
func (s *Service) Relationships(ctx context.Context, agent, party, kind, behind string, limit int) ([]memory.Record, int, error) {
	return s.store.List(ctx, memory.CatalogFilter{Agent: agent, Kind: memory.KindRelationship, Party: party, Type: kind, Behind: behind,
		Limit: limit})
}

// RelationshipHistory returns every version of a relationship, oldest first.
func (s *Service) RelationshipHistory(ctx context.Context, agent, id string) ([]Version, error) {
	chain, err := s.store.History(ctx, agent, id)
	if err != nil {
		return nil, err
	}
	var versions []Version
	before := memory.Record{}
	for _, r := range chain {
		if r.Relationship == nil {
			continue // a record of another kind in the chain
		}
		versions = append(versions, Version{r, differences(before, r)})
		before = r
	}
	return versions, nil
}
