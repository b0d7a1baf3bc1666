package extractive

import (
	"strings"
	"unicode/utf8"

	"mcp-memory/memory"
)

// What people are called who have no name.
const (
	theUser      = "the user"
	theAssistant = "the assistant"
	theSpeaker   = "the speaker"
)

// maxSpeakerRunes is the length of a speaker's name at most; a longer text is none.
const maxSpeakerRunes = 64

// cast is who takes part in a conversation.
type cast struct {
	people []person // by first appearance
	log    bool     // somebody talks with an assistant
}

func newCast(turns []memory.Turn) cast {
	var c cast
	seen := map[string]bool{}
	for _, t := range turns {
		p, ok := speaker(t)
		if !ok || seen[p.name] {
			continue
		}
		seen[p.name] = true
		c.people = append(c.people, p)
		c.log = c.log || p.assistant || t.Role == memory.RoleUser
	}
	return c
}

// names are those of the people, for recognising whom a sentence addresses.
func (c cast) names() []string {
	var names []string
	for _, p := range c.people {
		names = append(names, p.name)
	}
	return names
}

// listener returns the one whom p talks to, or nobody where there are several.
func (c cast) listener(p person) person {
	switch {
	case len(c.people) == 2 && c.people[0] == p:
		return c.people[1]
	case len(c.people) == 2 && c.people[1] == p:
		return c.people[0]
	case len(c.people) == 1 && c.log && p.assistant:
		return person{name: theUser}
	case len(c.people) == 1 && c.log:
		return person{name: theAssistant, assistant: true}
	}
	return person{}
}

// speaker returns whose words a turn has; ok is false for those that nobody
// said: results of tools and what the system was told.
func speaker(t memory.Turn) (p person, ok bool) {
	if t.Role == memory.RoleTool || t.Role == memory.RoleSystem {
		return p, false
	}
	name := strings.Join(strings.Fields(strings.ToValidUTF8(t.Speaker, "")), " ")
	switch role := strings.ToLower(name); role {
	case "tool", "system", "function":
		return p, false
	case "assistant", "ai", "bot", "model":
		return person{theAssistant, true}, t.Role != memory.RoleUser
	case "user", "human":
		return person{name: theUser}, true
	}
	p.assistant = t.Role == memory.RoleAssistant
	switch {
	case name != "" && utf8.RuneCountInString(name) <= maxSpeakerRunes:
		p.name = name
	case p.assistant:
		p.name = theAssistant
	case t.Role == memory.RoleUser:
		p.name = theUser
	default:
		p.name = theSpeaker
	}
	return p, true
}
