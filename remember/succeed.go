package remember

import (
	"slices"
	"strings"

	"mcp-memory/memory"
	"mcp-memory/text/analysis"
	"mcp-memory/text/slots"
)

// Supersede says what a save does where a new fact certainly takes the place of
// a known one, without having been told.
type Supersede string

// The ways to supersede. The empty one is [SupersedeAuto].
const (
	SupersedeAuto Supersede = "auto" // it takes the place, and that can be undone
	SupersedeAsk  Supersede = "ask"  // the answer names it, and nothing is changed
	SupersedeOff  Supersede = "off"  // facts are not compared
)

// Supersedes lists the ways.
func Supersedes() []Supersede { return []Supersede{SupersedeAuto, SupersedeAsk, SupersedeOff} }

// Bounds, in bytes, on contents that are superseded and that supersede without being told. A
// longer text says more than one fact, and superseding it would hide the others.
const (
	maxReplacedBytes  = 240
	maxReplacingBytes = 600
)

// verdict is what saving a draft does to the facts that are known.
type verdict struct {
	replaced []memory.Record // live records that the draft supersedes, the newest first
	bounded  []memory.Record // live records whose validity ends when what the draft says begins
	later    *memory.Record  // live record of a later time, which supersedes the draft at once
	before   *memory.Record  // predecessor of later: the draft comes between the two
	repeated *memory.Record  // superseded record with the same content and time: the draft only repeats it
	similar  []Similar       // related records that the answer names, and the caller decides about
}

// compared reports whether a record takes part in the comparison of facts.
func (s *Service) compared(r memory.Record) bool {
	return s.supersede != SupersedeOff && r.Kind == memory.KindFact && r.Source != memory.SourceLink
}

// judge compares a draft with the records that fill its slots, that is, say something of the same
// subject and attribute, and returns the verdict. It changes nothing.
func (s *Service) judge(tx memory.Tx, d draft) (verdict, error) {
	var v verdict
	if d.quiet && !slices.ContainsFunc(d.said, slots.Statement.Brief) {
		return v, nil // nothing can be decided, and nobody is told
	}
	if len(d.said) == 0 {
		return v, nil
	}
	names, err := d.memo.namesIn(tx, d.Project)
	if err != nil {
		return v, err
	}
	d.call(names)
	if err := d.name(tx); err != nil {
		return v, err
	}
	keys := slots.SeekAlso(d.said, names)
	if len(keys) == 0 {
		return v, nil
	}
	known, err := tx.RecordsBySlot(d.Project, d.Kind, keys)
	if err != nil {
		return v, err
	}
	alone := s.supersede != SupersedeAsk && d.decisive()
	for _, r := range known {
		switch {
		case r.ID == d.ID:
		case r.Live():
			v.weigh(d, r, alone)
		case d.again && v.repeated == nil && r.OccurredAt.Equal(d.OccurredAt) &&
			memory.SameContent(r.Content) == memory.SameContent(d.Content):
			v.repeated = &r
		}
	}
	if err := v.spare(tx, d, known); err != nil {
		return v, err
	}
	v.between(d, known)
	if err := v.complete(tx); err != nil {
		return v, err
	}
	if d.Project == "" || d.quiet {
		return v, nil
	}
	// Global facts are named in the answer, but a project's fact does not supersede them for all
	// other projects.
	global, err := tx.RecordsBySlot("", d.Kind, keys)
	for _, r := range global {
		if r.Live() {
			v.name(d, r, relations[slots.Between(d.read(r.Content), d.said)])
		}
	}
	return v, err
}

// complete reads in full the records that the verdict changes: of the candidates only the fields
// that are compared were read.
func (v *verdict) complete(tx memory.Tx) error {
	var parts []*memory.Record
	for _, list := range [][]memory.Record{v.replaced, v.bounded} {
		for i := range list {
			parts = append(parts, &list[i])
		}
	}
	for _, one := range []*memory.Record{v.later, v.before, v.repeated} {
		if one != nil {
			parts = append(parts, one)
		}
	}
	for _, r := range parts {
		whole, err := tx.Record(r.ID)
		if err != nil {
			return err
		}
		*r = whole
	}
	return nil
}

// told adds to the verdict the record that [SaveRequest.Replaces] names, if the draft may
// supersede it.
func (s *Service) told(tx memory.Tx, d draft, v *verdict) error {
	if d.outdates == "" || !s.compared(d.Record) || !d.decisive() {
		return nil
	}
	r, err := tx.Record(d.outdates)
	if memory.CodeOf(err) == memory.CodeNotFound {
		return nil
	}
	if err != nil {
		return err
	}
	known := slices.ContainsFunc(v.replaced, func(other memory.Record) bool { return other.ID == r.ID })
	switch {
	case known || r.ID == d.ID || !r.Live() || r.Kind != d.Kind || r.Project != d.Project || r.Pinned || r.Source == memory.SourceLink ||
		d.EventTime().Before(r.EventTime()):
	case s.supersede == SupersedeAsk:
		v.name(d, r, MayReplace)
	default:
		v.replaced = append(v.replaced, r)
		v.bounded = slices.DeleteFunc(v.bounded, func(other memory.Record) bool { return other.ID == r.ID })
	}
	return nil
}

// weigh compares the draft with a live record and puts that where it belongs in the verdict:
// replaced, bounded, later or similar. alone says whether the draft may change others without
// being told.
func (v *verdict) weigh(d draft, r memory.Record, alone bool) {
	theirs := d.read(r.Content)
	forward := !d.EventTime().Before(r.EventTime())
	if !forward && (d.again || dated(d.Record) && dated(r)) {
		if alone && plain(d.Record, d.said) && r.Source != memory.SourceLink && slots.Replaces(d.said, theirs, slots.Certain) &&
			len(r.Content) <= maxReplacingBytes {
			if v.later == nil || r.EventTime().Before(v.later.EventTime()) {
				v.later = &r
			}
			return
		}
		// The times tell that the record is the newer one. It is named if perhaps only one of the
		// two holds.
		if slots.Between(d.said, theirs) >= slots.Contradicts {
			v.name(d, r, Contradicts)
		}
		return
	}
	relation := slots.Between(theirs, d.said)
	bar := slots.Certain
	if !d.begins.IsZero() {
		bar = slots.Likely
	}
	// The cheap conditions come first: most records have a weaker relation.
	if forward && relation >= slots.Likely && alone && (r.ValidUntil.IsZero() || r.ValidUntil.After(d.EventTime())) &&
		slots.Replaces(theirs, d.said, bar) && plain(r, theirs) && !tellsOfEarlier(d.Content, r.Content) && d.tellsOfChange(r) {
		switch {
		case d.begins.IsZero():
			v.replaced = append(v.replaced, r)
			return
		case r.ValidUntil.IsZero() || r.ValidUntil.After(d.begins):
			v.bounded = append(v.bounded, r)
			return
		}
	}
	v.name(d, r, relations[relation])
}

// spare takes records out of the verdict that somebody has brought back, by undoing an earlier
// save that said the same as the draft: the answer names them, and they are not superseded again.
func (v *verdict) spare(tx memory.Tx, d draft, known []memory.Record) error {
	if len(v.replaced)+len(v.bounded) == 0 {
		return nil
	}
	back := map[string]bool{}
	for _, r := range known {
		if slots.Between(d.read(r.Content), d.said) != slots.Same {
			continue
		}
		u, err := tx.Undo(r.ID)
		if memory.CodeOf(err) == memory.CodeNotFound {
			continue
		}
		if err != nil {
			return err
		}
		if part(u) != memory.ActionSupersede || u.UndoneAt.IsZero() {
			continue
		}
		all, err := readMoved(u)
		if err != nil {
			return err
		}
		for _, m := range all {
			back[m.ID] = back[m.ID] || m.ends()
		}
	}
	spared := func(r memory.Record) bool {
		if back[r.ID] {
			v.name(d, r, MayReplace)
		}
		return back[r.ID]
	}
	v.replaced, v.bounded = slices.DeleteFunc(v.replaced, spared), slices.DeleteFunc(v.bounded, spared)
	return nil
}

// between finds v.before, if there is a later version v.later: the predecessor of that, if the
// draft replaces it too and so comes between the two.
func (v *verdict) between(d draft, known []memory.Record) {
	if v.later == nil {
		return
	}
	for _, r := range known {
		if r.ID == v.later.Supersedes && r.SupersededBy == v.later.ID && !d.EventTime().Before(r.EventTime()) &&
			slots.Replaces(d.read(r.Content), d.said, slots.Certain) {
			v.before = &r
		}
	}
}

// relations are the relations of package slots that an answer names.
var relations = map[slots.Relation]Relation{
	slots.Same: Same, slots.Contradicts: Contradicts, slots.Likely: MayReplace, slots.Certain: MayReplace,
}

// name adds a record to those that the answer names, unless it has no relation to the draft, or
// the save is quiet.
func (v *verdict) name(d draft, r memory.Record, relation Relation) {
	if relation != "" && !d.quiet {
		v.similar = append(v.similar,
			Similar{ID: r.ID, Content: r.Content, Score: overlap(toldSet(d.Content), toldSet(r.Content)), Relation: relation})
	}
}

// dated reports whether somebody said when a record was, so that two such times tell which was
// first. The time of a save does not: what was long ago may be told late.
func dated(r memory.Record) bool { return !r.OccurredAt.IsZero() || !r.ValidFrom.IsZero() }

// decisive reports whether a draft may change other records without being told: it is short, has
// no end of validity, and nobody said what it corrects.
func (d draft) decisive() bool {
	return d.Supersedes == "" && d.ValidUntil.IsZero() && len(d.Content) <= maxReplacingBytes
}

// tellsOfChange reports whether a draft may supersede a record as news: it says that something is
// no longer as it was, or begins later, or is more than the same sentence with another number or
// time, or turned into its opposite ([slots.Restated]). Of two such sentences either may be the
// mistake, and both are kept.
func (d draft) tellsOfChange(r memory.Record) bool {
	return !d.begins.IsZero() || slices.ContainsFunc(d.said, func(s slots.Statement) bool { return s.Change || s.Former != "" }) ||
		!slots.Restated(r.Content, d.Content)
}

// tellsOfEarlier reports whether a text that is said later is about an earlier
// year: "moved to Austin in 2013", after "moved to Tunis in 2020".
func tellsOfEarlier(newer, older string) bool {
	since := lastYear(newer)
	return since != "" && since < lastYear(older)
}

// lastYear returns the latest year from 1900 to 2099 that a text names in
// digits, or "".
func lastYear(text string) (last string) {
	if !strings.Contains(text, "19") && !strings.Contains(text, "20") {
		return "" // most texts, and words cost more
	}
	for _, word := range analysis.Words(text) {
		if len(word) == 4 && (word[:2] == "19" || word[:2] == "20") && word[2] >= '0' && word[2] <= '9' && word[3] >= '0' &&
			word[3] <= '9' {
			last = max(last, word)
		}
	}
	return last
}

// plain reports whether a record may be superseded without being told: nobody
// has pinned it, and it says nothing beside its statements.
func plain(r memory.Record, said []slots.Statement) bool {
	return !r.Pinned && r.Source != memory.SourceLink && r.Kind == memory.KindFact && len(r.Content) <= maxReplacedBytes &&
		!strings.ContainsRune(r.Content, '\n') && len(analysis.Sentences(r.Content)) <= len(said)
}

// merged joins similar records that fill the same slot with those that share words, each once, at
// most similarResults.
func merged(slotted, worded []Similar) []Similar {
	list := slices.Clone(slotted)
	for _, s := range worded {
		if !slices.ContainsFunc(list, func(known Similar) bool { return known.ID == s.ID }) {
			list = append(list, s)
		}
	}
	return list[:min(similarResults, len(list))]
}
