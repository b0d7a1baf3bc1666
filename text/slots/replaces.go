package slots

import (
	"strings"
	"unicode"
)

// Replaces reports whether a newer text takes the place of all that an older one
// says, with at least that certainty: of each of its statements, or that is said
// again, and there is nothing beside them. False if nothing is replaced.
func Replaces(older, newer []Statement, bar Relation) bool {
	some := false
	for i := range older {
		if older[i].Rest {
			return false
		}
		if older[i].loose {
			continue
		}
		best := None
		for k := range newer {
			relation := Compare(&older[i], &newer[k])
			if relation == Certain && !excludes(&older[i], &newer[k]) {
				relation = Likely
			}
			best = max(best, relation)
		}
		if best < bar && best != Same {
			return false
		}
		some = some || best >= bar
	}
	return some
}

// Most words of a value of which it is clear that another one replaces it, where
// the table knows the attribute and where it does not: longer ones describe, and
// two descriptions may both be true.
const (
	maxValueWords = 6
	maxOpenWords  = 3
)

// excludes reports whether two values are of a sort that excludes each other. Both have to be
// brief, and unless a change is told, a name with a capital is replaced only by a value with one, and
// a name without only by a value without.
func excludes(older, newer *Statement) bool {
	if newer.Attribute == "favourite" && !strings.Contains(newer.Topic, " ") {
		return false // a favourite of what?
	}
	if !older.Brief() || !newer.Brief() {
		return false
	}
	return newer.Change || older.Kind != Name || capital(older.Value) == capital(newer.Value)
}

// Brief reports whether the value has few words: up to 6 of a known attribute, up
// to 3 of an open one.
func (s Statement) Brief() bool {
	most := maxValueWords
	if s.Attribute == "" {
		most = maxOpenWords
	}
	return strings.Count(s.Norm, " ") < most
}

// capital reports whether a value has a capital letter.
func capital(value string) bool { return strings.ContainsFunc(value, unicode.IsUpper) }
