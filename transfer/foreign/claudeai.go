package foreign

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"path"
	"slices"
	"strings"

	"mcp-memory/memory"
	"mcp-memory/text/lazyregexp"
)

// claudeAI is the export of claude.ai: conversations, projects, and what it has noted about its
// user and the projects.
func claudeAI() Source {
	return Source{
		Name: claudeAIName, About: "claude.ai: the export of its data, a zip or what is in it; name the file",
		Knows: func(s Sample) bool { return claudePart(string(s.Head)) != "" },
		Read:  readClaudeAI,
	}
}

// claudeParts are the parts of an export: the beginning of their file or folder names, and a text
// that only files of that part contain.
var claudeParts = []struct{ name, has string }{
	{"conversations", `"chat_messages"`}, {"memories", `"conversations_memory"`},
	{"memories", `"project_memories"`}, {"projects", `"prompt_template"`},
}

// claudePart returns the part to which the beginning of a file belongs by its content, "" for none.
func claudePart(head string) string {
	for _, p := range claudeParts {
		if strings.Contains(head, p.has) {
			return p.name
		}
	}
	return ""
}

// claudePartNamed returns the part to which a file of an export belongs by its name: memories.json,
// memories-000.json and memories/ID.json are all "memories".
func claudePartNamed(name string) string {
	for element := range strings.SplitSeq(name, "/") {
		for _, p := range claudeParts {
			if strings.HasPrefix(element, p.name) {
				return p.name
			}
		}
	}
	return ""
}

// claudeReader reads an export.
type claudeReader struct {
	in       Input
	emit     Emit
	projects map[string]string // names by id
	found    int               // number of files that belong to a part
}

// readClaudeAI reads an export twice, because the names of all projects have to be known first.
func readClaudeAI(ctx context.Context, in Input, emit Emit) error {
	r := &claudeReader{in: in, emit: emit, projects: map[string]string{}}
	quiet := Emit(func(Item) error { return nil })
	err := r.each(func(part, name string, from io.Reader) error {
		if part != "projects" {
			return nil
		}
		return eachValue(ctx, name, "project", from, quiet, func(value json.RawMessage) error {
			if one := asRow(value); one.text("uuid") != "" {
				r.projects[one.text("uuid")] = one.text("name")
			}
			return nil
		})
	})
	if err != nil {
		return err
	}
	r.found = 0
	err = r.each(func(part, name string, from io.Reader) error {
		switch part {
		case "conversations":
			return eachChat(ctx, name, from, emit, r.chat)
		case "memories":
			return eachValue(ctx, name, "memory", from, emit, r.memories)
		}
		return eachValue(ctx, name, "project", from, emit, r.project)
	})
	if err == nil && r.found == 0 {
		return wrongForm(in.Path, claudeAIName, "there is no conversations.json in it, nor memories or projects")
	}
	return err
}

// each calls fn for the files of an export, with the part to which they belong. If the export is a
// single file, which may have any name, its content decides.
func (r *claudeReader) each(fn func(part, name string, from io.Reader) error) error {
	return eachExported(r.in.Path, func(name string, from io.Reader) error {
		part := claudePartNamed(name)
		if name == path.Base(r.in.Path) {
			in := bufio.NewReaderSize(from, sampleBytes)
			head, err := in.Peek(sampleBytes)
			if errors.Is(err, errBomb) {
				return err
			}
			part, from = firstText(claudePart(string(head)), part, "conversations"), in
		}
		if part == "" {
			return nil
		}
		r.found++
		return fn(part, name, from)
	})
}

// asRow returns a JSON object as a row, nil for any other value.
func asRow(value json.RawMessage) row {
	var decoded any
	if unmarshal(value, &decoded) != nil {
		return nil
	}
	object, _ := decoded.(map[string]any)
	return object
}

// named returns the name of a project, or its id if the name is not known, so that its items are
// not mixed with those of no project.
func (r *claudeReader) named(id string) string { return firstText(r.projects[id], id) }

func (r *claudeReader) chat(value json.RawMessage) (chat, error) {
	var c claudeChat
	err := json.Unmarshal(value, &c)
	out := c.chat()
	out.project = r.named(c.Project)
	return out, err
}

// memories emits what claude.ai has noted about its user and about projects.
func (r *claudeReader) memories(value json.RawMessage) error {
	one := asRow(value)
	if one == nil {
		return notRead{errors.New("it is no object")}
	}
	if err := r.noted("", one.text("conversations_memory")); err != nil {
		return err
	}
	projects := one.object("project_memories")
	for _, id := range slices.Sorted(maps.Keys(projects)) {
		if err := r.noted(id, projects.text(id)); err != nil {
			return err
		}
	}
	return nil
}

// noted emits the facts of a text that a model wrote. The text is rewritten each day, so the key of
// a fact is made of its content.
func (r *claudeReader) noted(project, text string) error {
	for _, f := range factsOf(text) {
		err := r.emit.items(Item{
			Program: claudeAIName, Key: hashKey(claudeAIName, "memory", project, memory.SameContent(f.text)), Project: r.named(project),
			Content: titled(f.heading, f.text), Origin: r.origin(project), Review: true,
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (r *claudeReader) origin(project string) map[string]any {
	if project == "" {
		return map[string]any{}
	}
	return map[string]any{"project_uuid": project}
}

// project emits the description of a project, and its instructions and documents if the options
// want them.
func (r *claudeReader) project(value json.RawMessage) error {
	one := asRow(value)
	id := one.text("uuid")
	if id == "" {
		return notRead{errors.New("it has no id")}
	}
	base := Item{Program: claudeAIName, Project: r.named(id), At: one.time("created_at"), Origin: r.origin(id)}
	if one.is("is_starter_project") {
		base.Skip = "examples that claude.ai itself has made"
	}
	if about := one.text("description"); about != "" {
		item := base
		item.Key, item.Content = Key(claudeAIName, "project/"+id), titled(one.text("name"), about)
		if err := r.emit.items(item); err != nil {
			return err
		}
	}
	if told := one.text("prompt_template"); told != "" && r.in.Instructions {
		item := base
		item.Key, item.Content, item.Tags = Key(claudeAIName, "instructions/"+id), told, tagList("instruction")
		if err := r.emit.items(item); err != nil {
			return err
		}
	}
	docs, _ := one["docs"].([]any)
	for _, doc := range docs {
		object, _ := doc.(map[string]any)
		if err := r.document(base, object); err != nil {
			return err
		}
	}
	return nil
}

// document emits the sections of a project's document, or an item that is skipped.
func (r *claudeReader) document(base Item, doc row) error {
	title, text := doc.text("filename"), doc.text("content")
	id := "document/" + firstText(doc.text("uuid"), title)
	if text == "" {
		return nil
	}
	if at := doc.time("created_at"); !at.IsZero() {
		base.At = at
	}
	base.Tags, base.Origin = tagList("document"), maps.Clone(base.Origin)
	base.Origin["document"] = title
	if !r.in.All && base.Skip == "" {
		base.Skip = "documents of projects (--all takes them)"
	}
	if base.Skip != "" {
		base.Key, base.Content = Key(claudeAIName, id), title
		return r.emit(base)
	}
	return emitSections(base, id, title, text, r.emit)
}

// notedFact is a fact of a text, with the heading above it.
type notedFact struct{ heading, text string }

// notedHeading and notedBullet match headings and beginnings of list items as models write them. A
// line that is all emphasis is a heading.
var (
	notedHeading = lazyregexp.New(`^\s*(?:#{1,6}\s+(.+?)\s*#*|\*\*([^*]+)\*\*:?|__([^_]+)__:?|\*([^*]+)\*:?)\s*$`)
	notedBullet  = lazyregexp.New(`^\s*(?:[-*+•]|\d{1,3}[.)])\s+`)
)

// factsOf splits a text into paragraphs and list items.
func factsOf(text string) (facts []notedFact) {
	heading, lines := "", []string(nil)
	end := func() {
		if text := strings.TrimSpace(strings.Join(lines, " ")); text != "" {
			facts = append(facts, notedFact{heading, text})
		}
		lines = nil
	}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if m := notedHeading().FindStringSubmatch(line); m != nil {
			end()
			heading = strings.TrimRight(strings.TrimSpace(m[1]+m[2]+m[3]+m[4]), ":")
			heading = strings.Trim(heading, "*_ ")
			continue
		}
		bullet := notedBullet().FindString(line)
		if bullet != "" || strings.TrimSpace(line) == "" {
			end()
		}
		lines = append(lines, strings.TrimSpace(line[len(bullet):]))
	}
	end()
	return facts
}

// claudeChat is a conversation of claude.ai.
type claudeChat struct {
	UUID     string `json:"uuid"`
	Name     string `json:"name"`
	Created  any    `json:"created_at"`
	Project  string `json:"project_uuid"`
	Messages []struct {
		UUID    string `json:"uuid"`
		Sender  string `json:"sender"`
		Text    string `json:"text"`
		Created any    `json:"created_at"`
		Content []struct {
			Type string `json:"type"`
			Text string `json:"text"`
		} `json:"content"`
	} `json:"chat_messages"`
}

func (c claudeChat) chat() chat {
	out := chat{program: claudeAIName, id: c.UUID, title: c.Name, at: c.Created}
	for _, m := range c.Messages {
		var texts []string
		for _, part := range m.Content {
			if part.Type == "text" && strings.TrimSpace(part.Text) != "" {
				texts = append(texts, part.Text)
			}
		}
		if len(m.Content) == 0 && strings.TrimSpace(m.Text) != "" {
			texts = []string{m.Text}
		}
		role := map[string]string{"human": "user", "assistant": "assistant"}[m.Sender]
		if role != "" && len(texts) > 0 {
			out.turns = append(out.turns, chatTurn(role, strings.Join(texts, "\n"), m.UUID, timeOr(m.Created, c.Created)))
		}
	}
	return out
}
