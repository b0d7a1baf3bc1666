package foreign

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"mcp-memory/memory"
)

// kinds maps the types that programs give to observations to categories. Most types are not in it,
// because a category guessed from the text is better then.
var kinds = map[string]string{
	"decision": "decision", "architecture": "project", "bugfix": "technical",
	"bug": "technical", "config": "technical", "configuration": "technical",
	"pattern": "technical", "preference": "preference", "workflow": "project",
	"feature": "technical", "refactor": "technical", "goal": "goal", "event": "event",
}

// categoryOf returns the category of a program's type, "" for none.
func categoryOf(kind string) string { return kinds[strings.ToLower(strings.TrimSpace(kind))] }

// titled puts a title before a text, unless the text begins with it.
func titled(title, text string) string {
	title, text = strings.TrimSpace(title), strings.TrimSpace(text)
	switch {
	case title == "":
		return text
	case text == "" || strings.HasPrefix(memory.SameContent(text), memory.SameContent(title)):
		return firstText(text, title)
	}
	return strings.TrimRight(title, ".:") + ": " + text
}

// paragraphs joins the parts that are not empty with blank lines.
func paragraphs(parts ...string) string {
	var said []string
	for _, p := range parts {
		if p = strings.TrimSpace(p); p != "" {
			said = append(said, p)
		}
	}
	return strings.Join(said, "\n\n")
}

// labelled returns "label: text", "" for an empty text.
func labelled(label, text string) string {
	if text = strings.TrimSpace(text); text == "" {
		return ""
	}
	return label + ": " + text
}

// items emits an item whose text may be too long for a memory. A long text is split; the second and
// further parts get keys of their own.
func (emit Emit) items(item Item) error {
	parts := split(item.Content, memory.MaxContentBytes)
	for i, part := range parts {
		one := item
		if one.Content = part; i > 0 {
			one.Key = Key(item.Program, fmt.Sprintf("%s/part %d", strings.TrimPrefix(item.Key, item.Program+":"), i+1))
			one.Follows = ""
		}
		if err := emit(one); err != nil {
			return err
		}
	}
	return nil
}

// split cuts a text into parts of at most limit bytes, between paragraphs if possible, else between
// lines, else between words.
func split(text string, limit int) (parts []string) {
	text = strings.TrimSpace(text)
	for len(text) > limit {
		at := -1
		for _, between := range []string{"\n\n", "\n", " "} {
			if at = strings.LastIndex(text[:limit], between); at > limit/2 {
				break
			}
		}
		if at <= limit/2 {
			for at = limit; at > 0 && !utf8.RuneStart(text[at]); at-- {
			}
			if at == 0 {
				at = limit // not valid UTF-8: it will be refused
			}
		}
		parts = append(parts, strings.TrimSpace(text[:at]))
		text = strings.TrimSpace(text[at:])
	}
	return append(parts, text)
}
