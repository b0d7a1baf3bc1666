package recall_test

import (
	"slices"
	"strings"
	"testing"

	"mcp-memory/memory"
	"mcp-memory/recall"
)

// What self-care set aside answers where nothing else does, also where its summary is not among
// the first; a bank in which self-care never was has nothing to look for, and what somebody
// forgot is not brought up.
func TestLooksIntoTheArchive(t *testing.T) {
	aside := func(why string) func(*memory.Record) {
		return func(r *memory.Record) { r.ArchivedAt, r.ArchiveWhy = r.CreatedAt, why }
	}
	const asked, answer = "Who serviced the boiler?", "The boiler was serviced by Anton."
	for name, c := range map[string]struct {
		why     string
		summary bool
		want    bool
	}{
		"set aside by self-care":        {memory.WhySelfCare, true, true},
		"no self-care, so no summaries": {memory.WhySelfCare, false, false},
		"forgotten":                     {"wrong", true, false},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBank(t, builtin())
			records := []memory.Record{b.record(answer, aside(c.why))}
			for _, content := range []string{"Who paints the fence is not decided.", "The service of the lift is on Monday.",
				"A boiler room has two doors.", "Anna serviced the bicycle.", "The kettle boils fast.", "Who has the key?"} {
				records = append(records, b.record(content))
			}
			if c.summary {
				records = append(records, b.record("Crates, lamps and ropes of the harbour.", func(r *memory.Record) {
					r.Kind, r.Summary = memory.KindSummary, &memory.SummaryDetails{Covers: []string{records[0].ID}}
				}))
			}
			b.save(t, b.Store, records...)
			found := answerTo(t, b.service(b.Store), asked).Results
			if got := slices.ContainsFunc(found,
				func(r recall.Result) bool { return strings.Contains(r.Content, "Anton") }); got != c.want {
				t.Errorf("found %q", contents(found))
			}
		})
	}
}
