package transfer

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"mcp-memory/memory"
	"mcp-memory/transfer/notes"
)

// noteIndex has the name of each record's note, and the references between records. Keys and values
// are record ids unless said otherwise.
type noteIndex struct {
	names    map[string]string   // names of notes without extension
	kinds    map[string]string   // folders of notes
	aliases  map[string][]string // other external ids
	entities map[string][]string // relationship records by [memory.SameContent] of the party's name
	sources  map[string][]string // records that a record was derived from
	made     map[string][]string // the other way round
	about    map[string][]string // relationship records that a record names
	namedIn  map[string][]string // the other way round
}

func newNoteIndex() *noteIndex {
	return &noteIndex{map[string]string{}, map[string]string{}, map[string][]string{}, map[string][]string{},
		map[string][]string{}, map[string][]string{}, map[string][]string{}, map[string][]string{}}
}

// add adds a record. After all records, [noteIndex.connect] is called.
func (x *noteIndex) add(r memory.Record) {
	x.names[r.ID], x.kinds[r.ID] = noteName(slugText(r), r.ID), string(r.Kind)
	if d := r.Relationship; d != nil && r.Live() {
		for _, name := range []string{d.Party, d.Name} {
			if key := memory.SameContent(name); key != "" && !slices.Contains(x.entities[key], r.ID) {
				x.entities[key] = append(x.entities[key], r.ID)
			}
		}
	}
	var from []string
	if r.Summary != nil {
		from = slices.Clone(r.Summary.Covers)
	}
	x.sources[r.ID] = append(from, idsIn(r.Provenance)...)
	var named []string
	if d := r.Triple; d != nil {
		named = []string{d.Subject, d.Object}
	}
	if d := r.Episode; d != nil {
		named = append(named, d.Participants...)
	}
	if len(named) > 0 {
		x.about[r.ID] = named // names; connect replaces them by ids
	}
}

// connect replaces references by the ids of known records, and adds the reverse references.
func (x *noteIndex) connect() {
	x.makeUnique()
	for id, from := range x.sources {
		known := x.known(from, id)
		if x.sources[id] = known; len(known) == 0 {
			delete(x.sources, id)
		}
		for _, other := range known {
			x.made[other] = append(x.made[other], id)
		}
	}
	for id, named := range x.about {
		var parties []string
		for _, name := range named {
			parties = append(parties, x.entities[memory.SameContent(name)]...)
		}
		x.about[id] = x.known(parties, id)
		for _, other := range x.about[id] {
			x.namedIn[other] = append(x.namedIn[other], id)
		}
	}
}

// makeUnique gives longer names to notes whose names are equal: links contain only the name, not
// the folder.
func (x *noteIndex) makeUnique() {
	by := map[string][]string{}
	for id, name := range x.names {
		by[name] = append(by[name], id)
	}
	for name, ids := range by {
		for _, id := range ids {
			if len(ids) > 1 {
				x.names[id] = name + "-" + notes.LongID(id)
			}
		}
	}
}

// known returns those ids that have notes, without duplicates and without but.
func (x *noteIndex) known(ids []string, but string) []string {
	var list []string
	for _, id := range ids {
		if x.names[id] != "" && id != but && !slices.Contains(list, id) {
			list = append(list, id)
		}
	}
	return list
}

// file returns the path of a record's note.
func (x *noteIndex) file(id string) string { return path.Join(x.kinds[id], x.names[id]+".md") }

func (x *noteIndex) link(id string) string {
	if x.names[id] == "" {
		return ""
	}
	return "[[" + x.names[id] + "]]"
}

func (x *noteIndex) links(ids []string) []string {
	var list []string
	for _, id := range ids {
		list = append(list, x.link(id))
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func (x *noteIndex) fields(r memory.Record) linkFields {
	aliases := slices.Clone(x.aliases[r.ID])
	slices.Sort(aliases)
	return linkFields{
		ExternalIDs: aliases, Supersedes: x.link(r.Supersedes), SupersededBy: x.link(r.SupersededBy),
		DerivedFrom: x.links(x.sources[r.ID]), SourceOf: x.links(x.made[r.ID]),
		About: x.links(x.about[r.ID]), NamedIn: x.links(x.namedIn[r.ID]),
	}
}

// idsIn returns all strings in a JSON value that could be ids.
func idsIn(raw json.RawMessage) (ids []string) {
	if len(raw) == 0 {
		return nil
	}
	var value any
	if json.Unmarshal(raw, &value) != nil {
		return nil
	}
	var walk func(any)
	walk = func(value any) {
		switch v := value.(type) {
		case string:
			if v != "" && len(v) <= maxIDBytes && !strings.ContainsAny(v, " \n") {
				ids = append(ids, v)
			}
		case []any:
			for _, item := range v {
				walk(item)
			}
		case map[string]any:
			for _, item := range v {
				walk(item)
			}
		}
	}
	walk(value)
	return ids
}
