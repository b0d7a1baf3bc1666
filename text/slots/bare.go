package slots

import "slices"

// Follows reports whether newer tells of a change without saying of what, and older
// may be what it is a change of: "I switched to Podman" of "I use Docker". Of one
// subject that is likely where nothing else is left that it could be a change of,
// which only who knows the others can tell.
func Follows(older, newer *Statement) bool {
	if !newer.bareChange() || older.Hedged || older.Past || older.Negated || older.Kind != Name || older.Type == Plan || older.Type == Event || older.Norm == newer.Norm {
		return false
	}
	if same := subjects(older, newer); older.Subject == "" || same != equal && !ours(newer.Subject, older.Subject) || scoping(older, newer) == apart {
		return false
	}
	if value := knownValue(newer.Value); value != "" {
		return value == older.Attribute || relatives(value, older.Attribute) || older.Attribute == "" && knownValue(older.Value) == value
	}
	return older.open && older.Topic != "be" || tool(older.Attribute)
}

// bareChange reports whether a statement tells of a change and of nothing but the
// new value: "switched to Podman", "we are on Argo now".
func (s *Statement) bareChange() bool {
	return s.Change && s.open && s.Attribute == "" && (s.Topic == "" || s.Topic == "be on") && s.Former == "" && s.Kind == Name &&
		!s.Hedged && !s.Past && !s.Negated && !s.Additive && s.Type == State
}

// tool reports whether an attribute is of what one uses and changes for another.
func tool(id string) bool {
	a := table().byID[id]
	switch {
	case a == nil || a.kind != Name:
		return false
	case a.domain == "system", a.domain == "team":
		return !person(a) && a.id != "oncall" && a.id != "owner" && a.id != "contact" && a.id != "approver" && a.id != "region"
	}
	return slices.Contains(tools, id)
}

// tools are the attributes of persons of which that holds.
var tools = []string{
	"editor", "browser", "shell", "terminal", "os", "laptop", "phone", "search_engine", "mail_client", "password_manager", "note_app", "todo_app",
	"calendar", "music_service", "car", "bike", "bank", "insurance", "energy", "internet", "phone_plan", "gym", "airline", "school", "camera",
}

// knownValue returns the class of which a well-known value is, "" if of none.
func knownValue(value string) string {
	r := borrow(value, &Options{})
	defer r.giveBack()
	if a := r.knownIn(0, len(r.tokens)); a != nil {
		return a.id
	}
	return ""
}
