package slots

import "slices"

// Topics returns the classes that the words of a text stand for, in order of their
// ids: by a noun ("my landlord"), a well-known value ("Podman"), or a verb with what
// belongs to it ("live in"), whatever the grammar. It says less than [Read], and
// also of notes and fragments ("New SIM: 0151 9940"). Of a long text its beginning
// counts; nil for a text without any.
func Topics(text string) []string {
	r := borrow(text, &Options{})
	defer r.giveBack()
	var ids []string
	end := min(len(r.tokens), longest)
	for i := range r.tokens[:end] {
		for _, p := range r.tokens[i].e.phrases {
			if p.attr == nil || p.role == valuePhrase && p.capital && !r.tokens[i].cap || p.role == foreignPhrase || p.role == questionPhrase {
				continue
			}
			if p.role == framePhrase && (len(p.words) == 1 && r.tokens[i].e.noun != "" || r.tokens[i].is(isBe|isHave)) {
				continue // "be in", "have": of too much
			}
			if r.match(p, i, end) > 0 {
				ids = append(ids, p.attr.id)
			}
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}
