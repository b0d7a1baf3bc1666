package tools

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"mcp-memory/memory"
	"mcp-memory/remember"
)

// savedText is the text form of a save: what was done, and what the caller may do about similar
// memories.
func (s Services) savedText(r remember.SaveResult, to settling) string {
	var text string
	switch {
	case r.Action == remember.Duplicate && len(r.Superseded) > 0:
		return fmt.Sprintf("Already known as %s; it has taken the place of %s, which stays as history.", r.ID,
			strings.Join(r.Superseded, ", "))
	case r.Action == remember.Duplicate:
		return fmt.Sprintf("Already known as %s; one more confirmation counted.", r.ID)
	case r.Action == remember.Superseded && r.UndoID == "":
		text = fmt.Sprintf("Saved as %s (%s) in place of the earlier memory, which stays as history.", r.ID, r.Category)
	case r.Action == remember.Superseded:
		text = fmt.Sprintf("Saved as %s (%s) in place of %s, which stays as history. If both hold: %s.",
			r.ID, r.Category, strings.Join(r.Superseded, ", "), s.advise(undoAdvice("memory_forget", r.UndoID)))
	case r.UndoID != "":
		text = fmt.Sprintf("Saved as %s (%s) as one of several versions in time; %s shows them. If they do not belong together: %s.",
			r.ID, r.Category,
			s.advise(memory.Advice{Tool: "memory_get", Command: "`mcp-memory history ID`"}),
			s.advise(undoAdvice("memory_forget", r.UndoID)))
	default:
		text = fmt.Sprintf("Saved as %s (%s).", r.ID, r.Category)
	}
	text += s.whose(r) + understood(r.Mentions)
	if r.Warning != "" {
		text += " Warning: " + r.Warning + "."
	}
	if len(r.Similar) == 0 {
		return text
	}
	text += " Similar memories, check for contradictions:"
	for _, one := range r.Similar {
		text += fmt.Sprintf("\n- %s %s", one.ID, memory.OneLine(one.Content, 160))
		if note, ok := relationNotes[one.Relation]; ok {
			text += " (" + note + ")"
		}
	}
	settled := false
	for _, one := range r.Similar {
		if one.Relation == remember.MayReplace || one.Relation == remember.Contradicts {
			text, settled = text+fmt.Sprintf("\nIf %s no longer holds: %s", one.ID, s.advise(to.advice(one.ID))), true
		}
	}
	if first := r.Similar[0].ID; s.ForCommands && !settled {
		text += fmt.Sprintf("\nIf %s no longer holds: %s\nIf the new one says nothing new: mcp-memory forget %s", first,
			to.advice(first).Command, r.ID)
	}
	return text
}

// whose says which project a memory was saved in, or that it is for all projects. If that was
// guessed from its words without certainty, it adds how to move the memory. It returns "" for a
// memory that is global without a guess ([remember.Chosen]).
func (s Services) whose(r remember.SaveResult) string {
	text, other := " For all projects", "only in "+memory.OneLine(r.Otherwise, 80)
	if r.Project != "" {
		text, other = " In project "+memory.OneLine(r.Project, 80), "for all projects"
	}
	switch {
	case r.Whose == remember.Chosen && r.Project == "":
		return ""
	case r.Whose != remember.Unsure:
		return text + "."
	}
	call, _ := json.Marshal(struct { // of strings
		ID      string `json:"id"`
		Project string `json:"project"`
	}{r.ID, r.Otherwise})
	to := "global"
	if r.Otherwise != "" {
		to = r.Otherwise
	}
	return fmt.Sprintf("%s (%s: %s).", text, other,
		s.advise(memory.Advice{Tool: "memory_update " + string(call), Command: "`mcp-memory move " + r.ID + " --to " + to + "`"}))
}

// understood says which dates the words of a memory were read as, up to three, so that a caller can
// correct a wrong reading. Words that give the date in figures are left out.
func understood(list []memory.Mention) string {
	var days []string
	for _, m := range mentionsOf(list) {
		day := m.From
		if m.To != m.From {
			day += " to " + m.To
		}
		if !strings.ContainsAny(m.Text, "0123456789") || !strings.Contains(m.Text, m.From[:4]) {
			days = append(days, fmt.Sprintf("%q is %s", m.Text, day))
		}
	}
	if len(days) == 0 {
		return ""
	}
	return " " + strings.Join(days[:min(3, len(days))], ", ") + "."
}

// relationNotes describe how a similar memory stands to the new one.
var relationNotes = map[remember.Relation]string{
	remember.Same: "says the same", remember.MayReplace: "may be out of date now", remember.Contradicts: "contradicts it",
}

// settling has the arguments of a save, to word the call that supersedes a similar memory with
// them. With an empty content the advice is to forget the similar memory instead.
type settling struct {
	content string
	project *string
}

// maxRepeated is the length in bytes up to which an advice repeats the content of a memory.
const maxRepeated = 500

// advice says how to let the new memory supersede the memory id: a tool call, and a command.
// Content with characters that some shell would interpret is not put into the command, which then
// forgets the old memory.
func (s settling) advice(id string) memory.Advice {
	command := "mcp-memory forget " + id
	if s.content != "" && len(s.content) <= maxRepeated && !strings.ContainsAny(s.content, "\"'`$\\!%^\n\r") &&
		!strings.HasPrefix(s.content, "-") {
		command = fmt.Sprintf("mcp-memory save %q --supersedes %s", s.content, id)
		if s.project != nil {
			command += fmt.Sprintf(" --project %q", *s.project)
		}
	}
	return memory.Advice{Tool: s.call(id), Command: command}
}

// call is the tool call of the advice: memory_save with supersedes, or memory_forget if the content
// is missing or too long to repeat.
func (s settling) call(id string) string {
	name, arguments := "memory_save", struct {
		IDs        []string `json:"ids,omitempty"`
		Content    string   `json:"content,omitempty"`
		Project    *string  `json:"project,omitempty"`
		Supersedes string   `json:"supersedes,omitempty"`
	}{Content: s.content, Project: s.project, Supersedes: id}
	if s.content == "" || len(s.content) > maxRepeated {
		name, arguments.Content, arguments.Project, arguments.Supersedes = "memory_forget", "", nil, ""
		arguments.IDs = []string{id}
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(arguments); err != nil {
		panic(err) // strings can always be marshalled
	}
	return name + " " + strings.TrimSpace(b.String())
}
