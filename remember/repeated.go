package remember

import (
	"encoding/json"
	"slices"

	"mcp-memory/memory"
)

// resumes reports whether a draft says anew what had ended, so that it holds again from then on
// and is no mere repetition. Not for an import, which tells of what was, and not for what comes
// again under its external id, which says nothing new.
func (d draft) resumes(same memory.Record, named *memory.Record) bool {
	ended := !same.ValidUntil.IsZero() && !same.ValidUntil.After(d.CreatedAt)
	holds := d.ValidUntil.IsZero() || d.ValidUntil.After(d.CreatedAt)
	return ended && holds && !d.again && (named == nil || named.ID != same.ID) && !d.EventTime().Before(same.ValidUntil)
}

// supplement adds to a record what its repetition says besides the content: tags and metadata
// that it lacks, a category in the place of a guessed one, an end of validity, and a higher
// importance; a lower one is for an update to say. Of what an import may have saved before, only
// the pin and the details count.
func (d draft) supplement(same memory.Record) memory.Record {
	same.Confirmations++
	same.Pinned = same.Pinned || d.Pinned
	same.KindDetails = same.Supplemented(d.KindDetails)
	if d.again {
		return same
	}
	same.Tags = slices.Clone(same.Tags)
	for _, tag := range d.Tags {
		if len(same.Tags) < memory.MaxTags && !slices.Contains(same.Tags, tag) {
			same.Tags = append(same.Tags, tag)
		}
	}
	same.Metadata = withMissing(same.Metadata, d.Metadata)
	if same.CategoryGuessed && !d.CategoryGuessed {
		same.Category, same.CategoryGuessed = d.Category, false
	}
	if d.weighed {
		same.Importance = max(same.Importance, d.Importance)
	}
	if d.ValidUntil.After(same.ValidFrom) {
		same.ValidUntil = d.ValidUntil
	}
	return same
}

// withMissing adds to a JSON object the keys of more that it lacks, unless the result is over
// [memory.MaxMetadataBytes]: then it stays as it is.
func withMissing(object, more json.RawMessage) json.RawMessage {
	if len(object) == 0 {
		return more
	}
	var known, others map[string]json.RawMessage
	if string(object) == "null" { // as earlier versions kept it
		return more
	}
	if json.Unmarshal(object, &known) != nil || json.Unmarshal(more, &others) != nil {
		return object
	}
	missing := false
	for key, value := range others {
		if _, there := known[key]; !there {
			known[key], missing = value, true
		}
	}
	joined, err := json.Marshal(known)
	if !missing || err != nil || len(joined) > memory.MaxMetadataBytes {
		return object
	}
	return joined
}
