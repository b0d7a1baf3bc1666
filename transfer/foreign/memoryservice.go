package foreign

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"mcp-memory/memory"
)

const memoryServiceName = "mcp-memory-service"

// memoryService is doobidoo/mcp-memory-service: its database, without the vectors, or its export.
// Its default folder has the same name as this program's, so only its own file is looked for there.
func memoryService() Source {
	return Source{
		Name: memoryServiceName, Wants: "file",
		About: "mcp-memory-service: its sqlite_vec.db in its folder or MCP_MEMORY_SQLITE_PATH, or its export",
		Find: func(m Machine) []string {
			base := m.Env("MCP_MEMORY_BASE_DIR")
			switch {
			case base != "":
			case m.OS == "darwin":
				base = m.under("Library", "Application Support", "mcp-memory")
			case m.OS == "windows":
				base = filepath.Join(m.dir("LOCALAPPDATA", "AppData", "Local"), "mcp-memory")
			default:
				base = m.under(".local", "share", "mcp-memory")
			}
			found := []string{m.Env("MCP_MEMORY_SQLITE_PATH")}
			if base != "" {
				found = append(found, filepath.Join(base, "sqlite_vec.db"))
			}
			return existing(found...)
		},
		Knows: func(s Sample) bool {
			return s.has("memories", "content_hash", "memory_type") || s.keyed("export_metadata", "memories")
		},
		Read: readMemoryService,
	}
}

var (
	serviceMemories = table{"memories", []string{"content_hash", "content"},
		[]string{"tags", "memory_type", "metadata", "created_at", "updated_at", "created_at_iso", "deleted_at",
			"parent_id", "version", "confidence", "superseded_by"}}
	serviceGraph = table{"memory_graph", []string{"source_hash", "target_hash"}, []string{"relationship_type"}}
)

type serviceReader struct {
	in   Input
	emit Emit
	// former maps the hash of a memory to the hash of the one that it superseded.
	former map[string]string
	links  map[string][]string // "relation hash" entries, by the hash of the source
}

func readMemoryService(ctx context.Context, in Input, emit Emit) error {
	r := &serviceReader{in, emit, map[string]string{}, map[string][]string{}}
	database, err := isDatabase(in.Path)
	if err != nil {
		return err
	}
	if !database {
		return r.readExport(ctx)
	}
	db, err := in.Open(ctx, in.Path)
	if err != nil {
		return err
	}
	defer db.Close()
	_, err = serviceGraph.each(ctx, db, func(_ int64, one row) error {
		if kind := one.text("relationship_type"); kind != "" && kind != "related" && !strings.Contains(kind, "similar") {
			from := one.text("source_hash")
			r.links[from] = append(r.links[from], kind+" "+one.text("target_hash"))
		}
		return nil
	})
	if err != nil {
		return err
	}
	// Superseded memories are emitted first, so that Follows of the newer ones finds them.
	for _, former := range []bool{true, false} {
		err := serviceMemories.must(ctx, db, func(_ int64, one row) error {
			by := one.text("superseded_by")
			if (by != "") != former {
				return nil
			}
			if former {
				r.former[by] = one.text("content_hash")
			}
			return r.memory(one)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (r *serviceReader) readExport(ctx context.Context) error {
	known := false
	err := eachIn(ctx, r.in.Path, func(array string, index int, value any) error {
		if array != "memories" {
			return nil
		}
		known = true
		object, ok := value.(map[string]any)
		if !ok {
			return r.emit.bad(fmt.Sprintf("memory %d", index+1), "it is no object")
		}
		return r.memory(object)
	})
	if err == nil && !known {
		return wrongForm(r.in.Path, memoryServiceName, "it has no memories")
	}
	return err
}

// consolidated are the types of memories that mcp-memory-service's own consolidation writes.
var consolidated = map[string]bool{"association": true, "compressed_cluster": true, "consolidated_cluster": true}

func (r *serviceReader) memory(one row) error {
	hash, kind := one.text("content_hash"), strings.ToLower(one.text("memory_type"))
	item := Item{
		Program: memoryServiceName, Key: Key(memoryServiceName, hash), Content: one.text("content"),
		Category: categoryOf(kind), At: one.time("created_at", "created_at_iso"),
		Origin: originOf(one, "memory_type", "updated_at", "export_source"),
	}
	if hash == "" {
		item.Key = hashKey(memoryServiceName, item.Content)
	}
	tags := one.list("tags")
	if len(tags) == 1 {
		tags = words(tags[0])
	}
	kept := []string{kind}
	for _, tag := range tags {
		prefix, value, ok := strings.Cut(tag, ":")
		switch {
		case ok && (prefix == "project" || prefix == "proj") && value != "":
			item.Project = value
		case ok && prefix == "source" && value != "":
			item.Origin["host"] = value
		default:
			kept = append(kept, tag)
		}
	}
	item.Tags = tagList(kept...)
	if meta := one.object("metadata"); meta != nil {
		item.Project = firstText(item.Project, meta.text("project"))
		if n, ok := meta.number("importance_score"); ok && n > 0 && n <= 1 {
			item.Importance = n
		}
	}
	if links := r.links[hash]; len(links) > 0 {
		item.Origin["links"] = links[:min(len(links), maxFiles)]
	}
	if former := r.former[hash]; former != "" {
		item.Follows = Key(memoryServiceName, former)
	}
	switch {
	case one.text("deleted_at") != "":
		item.Skip = "deleted there"
	case consolidated[kind] && !r.in.All:
		item.Skip = "memories that its consolidation has written (--all takes them)"
	}
	return r.emit.items(item)
}

const mem0Name = "mem0"

// mem0 is mem0ai/mem0: the result of get_all or an export of the platform, or else the history
// database of the library.
func mem0() Source {
	return Source{
		Name: mem0Name, Wants: "file",
		About: "mem0: the JSON of get_all or of an export, or history.db in ~/.mem0 or MEM0_DIR",
		Find:  func(m Machine) []string { return existing(filepath.Join(m.dir("MEM0_DIR", ".mem0"), "history.db")) },
		Knows: func(s Sample) bool {
			if s.has("history", "memory_id", "new_memory") {
				return true
			}
			return s.keyed("results") && strings.Contains(string(s.Head), `"memory"`) || s.keyed("memory", "id") ||
				s.keyed("memory", "user_id")
		},
		Read: readMem0,
	}
}

var mem0History = table{"history", []string{"memory_id", "event"},
	[]string{"old_memory", "new_memory", "created_at", "updated_at", "is_deleted", "actor_id", "role"}}

func readMem0(ctx context.Context, in Input, emit Emit) error {
	database, err := isDatabase(in.Path)
	if err != nil {
		return err
	}
	if database {
		return readMem0History(ctx, in, emit)
	}
	return eachIn(ctx, in.Path, func(array string, index int, value any) error {
		if array == "relations" { // of its graph: source, relationship, target
			return emitMem0Relation(index, value, emit)
		}
		object, ok := value.(map[string]any)
		if !ok {
			return emit.bad(fmt.Sprintf("%s %d", firstText(array, "entry"), index+1), "it is no object")
		}
		return emitMem0(object, index, emit)
	})
}

// emitMem0 emits one memory. Users choose the form of the platform's exports, so the text may have
// one of several names.
func emitMem0(one row, index int, emit Emit) error {
	text := one.text("memory", "text", "content", "data")
	if text == "" {
		return emit.bad(fmt.Sprintf("entry %d", index+1), "it has no memory, text, content or data")
	}
	item := Item{
		Program: mem0Name, Content: text, At: one.time("created_at", "updated_at"), Tags: tagList(one.list("categories")...),
		Origin: originOf(one, "user_id", "agent_id", "run_id", "app_id", "actor_id", "hash", "updated_at"), Review: true,
	}
	item.Key = Key(mem0Name, one.text("id"))
	if one.text("id") == "" {
		item.Key = hashKey(mem0Name, one.text("user_id"), memory.SameContent(text))
	}
	if until := one.time("expiration_date"); until.After(item.At) {
		item.ValidUntil = until
	}
	if meta := one.object("metadata"); meta != nil {
		item.Project, item.Category = meta.text("project"), categoryOf(meta.text("category"))
	}
	return emit.items(item)
}

func emitMem0Relation(index int, value any, emit Emit) error {
	object, _ := value.(map[string]any)
	one := row(object)
	from, relation, to := one.text("source"), one.text("relationship", "relation"), one.text("target", "destination")
	if from == "" || relation == "" || to == "" {
		return emit.bad(fmt.Sprintf("relation %d", index+1), "it does not say from where to where, or which it is")
	}
	item := triple(from, relation, to)
	item.Key, item.Review = hashKey(mem0Name, "relation", from, relation, to), true
	return emit(item)
}

// readMem0History rebuilds memories from the log of their changes. Each version has the same key,
// so the earlier ones become history. Deleted memories are skipped.
func readMem0History(ctx context.Context, in Input, emit Emit) error {
	db, err := in.Open(ctx, in.Path)
	if err != nil {
		return err
	}
	defer db.Close()
	deleted := map[string]bool{}
	err = mem0History.must(ctx, db, func(_ int64, one row) error {
		deleted[one.text("memory_id")] = strings.EqualFold(one.text("event"), "DELETE") || one.is("is_deleted")
		return nil
	})
	if err != nil {
		return err
	}
	return mem0History.must(ctx, db, func(_ int64, one row) error {
		id := one.text("memory_id")
		item := Item{
			Program: mem0Name, Key: Key(mem0Name, id), Content: one.text("new_memory"), At: one.time("updated_at", "created_at"),
			Origin: originOf(one, "actor_id", "role", "created_at"), Review: true,
		}
		switch {
		case deleted[id]:
			item.Skip = "deleted there"
		case strings.EqualFold(one.text("event"), "NONE"):
			return nil
		}
		return emit.items(item)
	})
}
