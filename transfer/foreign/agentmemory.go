package foreign

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"mcp-memory/memory"
)

const agentMemoryName = "agentmemory"

// agentMemory is rohitg00/agentmemory: its export, or the file that its MCP server writes when it
// runs without the engine. The engine's own store has no documented form.
func agentMemory() Source {
	return Source{
		Name: agentMemoryName, Wants: "file",
		About: "agentmemory: what its export gave (GET /agentmemory/export, or the tool memory_export), or standalone.json in ~/.agentmemory",
		Find: func(m Machine) []string {
			return existing(m.dir("STANDALONE_PERSIST_PATH", ".agentmemory", "standalone.json"))
		},
		Knows: func(s Sample) bool { // the MCP server's file has no time of export
			return s.keyed("exportedAt", "memories") || s.keyed("version", "memories") && !s.keyed("export_metadata") ||
				s.keyed(listsByID+"memories") || s.keyed("exportedAt", "sessions", "version") && !s.keyed("exportedAtEpoch")
		},
		Read: readAgentMemory,
	}
}

// readAgentMemory reads the export twice, because the projects of all sessions have to be known
// first.
func readAgentMemory(ctx context.Context, in Input, emit Emit) error {
	r := &agentMemoryReader{in, emit, map[string]row{}}
	known := false
	err := eachIn(ctx, in.Path, func(array string, _ int, value any) error {
		known = known || slices.Contains([]string{"memories", "sessions"}, array)
		if object, ok := value.(map[string]any); ok && array == "sessions" {
			one := row(object)
			r.sessions[one.text("id", "sessionId")] = row{"project": one["project"], "cwd": one["cwd"]}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if !known {
		return wrongForm(in.Path, agentMemoryName, "it has no memories")
	}
	return eachIn(ctx, in.Path, func(array string, index int, value any) error {
		read := map[string]func(row) error{
			"memories": r.memory, "summaries": r.summary,
			"semanticMemories": r.semantic, "lessons": r.lesson, "proceduralMemories": r.procedure,
		}[array]
		if read == nil {
			return nil
		}
		object, ok := value.(map[string]any)
		if !ok {
			return emit.bad(fmt.Sprintf("%s %d", array, index+1), "it is no object")
		}
		return read(object)
	})
}

type agentMemoryReader struct {
	in       Input
	emit     Emit
	sessions map[string]row
}

// of sets the program and project of an item. The project is the one of the row, else that of its
// session. An absolute path goes to Dir instead.
func (r *agentMemoryReader) of(item Item, one row) Item {
	project, session := one.text("project"), one.text("sessionId", "session_id")
	if ids := append(one.list("sessionIds"), one.list("sourceSessionIds")...); session == "" && len(ids) > 0 {
		session = ids[0]
	}
	if s := r.sessions[session]; project == "" && s != nil {
		project = s.text("project", "cwd")
	}
	if strings.ContainsAny(project, `/\`) && (strings.HasPrefix(project, "/") || strings.Contains(project, `:\`)) {
		item.Dir = project
	} else {
		item.Project = project
	}
	item.Program = agentMemoryName
	return item
}

// memory emits one memory. Versions other than the latest are skipped.
func (r *agentMemoryReader) memory(one row) error {
	kind := one.text("type")
	item := r.of(Item{
		Key: Key(agentMemoryName, one.text("id")), Content: titled(one.text("title"), one.text("content")), Category: categoryOf(kind),
		Tags: tagList(append([]string{kind}, one.list("concepts")...)...), At: one.time("createdAt", "updatedAt"),
		Origin: originOf(one, "id", "type", "version", "updatedAt", "parentId"),
	}, one)
	if files := one.list("files"); len(files) > 0 {
		item.Origin["files"] = files[:min(len(files), maxFiles)]
	}
	if n, ok := one.number("strength"); ok && n > 0 {
		item.Importance = min(n/10, 1)
	}
	if latest, ok := one["isLatest"].(bool); ok && !latest {
		item.Skip = "earlier versions"
	}
	if former := append(one.list("supersedes"), one.text("parentId")); former[0] != "" {
		item.Follows = Key(agentMemoryName, former[0])
	}
	return r.emit.items(item)
}

func (r *agentMemoryReader) summary(one row) error {
	said := paragraphs(titled(one.text("title"), one.text("narrative", "summary")), bullets("Decisions", one.list("keyDecisions")))
	item := r.of(Item{
		Key:  Key(agentMemoryName, "summary:"+one.text("sessionId", "id")),
		Kind: memory.KindEpisode, Content: said, Tags: tagList(one.list("concepts")...),
		At: one.time("createdAt", "endedAt"), Origin: originOf(one, "sessionId"),
	}, one)
	return r.emit.items(item)
}

func (r *agentMemoryReader) semantic(one row) error {
	item := r.of(Item{Key: Key(agentMemoryName, one.text("id")), Content: one.text("fact", "content"),
		At: one.time("createdAt", "updatedAt"), Origin: originOf(one, "id", "confidence")}, one)
	if n, ok := one.number("strength"); ok && n > 0 {
		item.Importance = min(n, 1)
	}
	return r.emit.items(item)
}

func (r *agentMemoryReader) lesson(one row) error {
	item := r.of(Item{Key: Key(agentMemoryName, one.text("id")),
		Content: paragraphs(one.text("content", "lesson"), labelled("Context", one.text("context"))),
		Tags:    tagList(one.list("tags")...), At: one.time("createdAt"), Origin: originOf(one, "id", "confidence", "source")}, one)
	if one.is("deleted") {
		item.Skip = "deleted there"
	}
	return r.emit.items(item)
}

// procedure emits a procedure. It tells agents what to do, so it is skipped unless
// Options.Instructions is set.
func (r *agentMemoryReader) procedure(one row) error {
	name := firstText(one.text("name", "title"), one.text("triggerCondition"))
	d := memory.ProcedureDetails{Name: name,
		Description: firstText(labelled("When", one.text("triggerCondition")), one.text("description"))}
	text := d.Name
	for i, step := range one.list("steps") {
		d.Steps = append(d.Steps, memory.ProcedureStep{Action: step})
		text += fmt.Sprintf("\n%d. %s", i+1, step)
	}
	item := r.of(Item{Key: Key(agentMemoryName, one.text("id")), Kind: memory.KindProcedure, Content: paragraphs(text, d.Description),
		At:          one.time("createdAt"),
		KindDetails: memory.KindDetails{Procedure: &d}, Origin: originOf(one, "id")}, one)
	switch {
	case !r.in.Instructions:
		item.Skip = "procedures (--include-instructions takes them)"
	case name == "" || len(d.Steps) == 0:
		return r.emit.bad("procedure "+one.text("id"), "it has no name or no steps")
	}
	return r.emit(item)
}

// bullets returns a list under a label, "" for an empty list.
func bullets(label string, list []string) string {
	if len(list) == 0 {
		return ""
	}
	return label + ":\n- " + strings.Join(list, "\n- ")
}
