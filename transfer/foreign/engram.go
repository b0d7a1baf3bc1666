package foreign

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"mcp-memory/memory"
)

const engramName = "engram"

// engram is Gentleman-Programming/engram: its database, or the output of `engram export`.
func engram() Source {
	return Source{
		Name: engramName, Wants: "file",
		About: "engram: its engram.db in ~/.engram or ENGRAM_DATA_DIR, or what `engram export` wrote",
		Find: func(m Machine) []string {
			return existing(filepath.Join(m.dir("ENGRAM_DATA_DIR", ".engram"), "engram.db"))
		},
		Knows: func(s Sample) bool {
			return s.has("observations", "topic_key") && s.has("user_prompts") || s.has("observations", "content", "scope", "session_id") ||
				s.keyed("exported_at", "sessions")
		},
		Read: readEngram,
	}
}

var (
	engramObservations = table{"observations", []string{"id", "content"},
		[]string{"session_id", "type", "title", "tool_name", "project", "scope", "topic_key",
			"revision_count", "duplicate_count", "created_at", "updated_at", "deleted_at", "sync_id", "pinned", "expires_at"}}
	engramSessions  = table{"sessions", []string{"id"}, []string{"project", "directory", "started_at", "ended_at", "summary"}}
	engramPrompts   = table{"user_prompts", []string{"id", "content"}, []string{"session_id", "project", "created_at", "sync_id"}}
	engramRelations = table{"memory_relations", []string{"source_id", "target_id", "relation"}, []string{"judgment_status"}}
)

// engramReader is the state of one reading.
type engramReader struct {
	in   Input
	emit Emit
	// replaced has, by the id of an observation, the ids of those that it supersedes, and former
	// the ids of all superseded ones. doubtful are observations in a conflict that is not decided.
	replaced map[string][]string
	former   map[string]bool
	doubtful map[string]bool
	against  map[string][]string // ids of observations that contradict it, by id
	keys     map[string]string   // keys by id; filled only if something was superseded
	dirs     map[string]string   // absolute directories by session id
}

func readEngram(ctx context.Context, in Input, emit Emit) error {
	r := &engramReader{in, emit, map[string][]string{}, map[string]bool{}, map[string]bool{}, map[string][]string{}, map[string]string{},
		map[string]string{}}
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
	if _, err := engramRelations.each(ctx, db, func(_ int64, one row) error { r.relation(one); return nil }); err != nil {
		return err
	}
	if _, err := engramSessions.each(ctx, db, func(_ int64, one row) error { return r.session(one) }); err != nil {
		return err
	}
	// Superseded observations are emitted first, so that Follows of the newer ones finds their
	// keys.
	for _, former := range []bool{true, false} {
		if former && len(r.former) == 0 {
			continue
		}
		err := engramObservations.must(ctx, db, func(_ int64, one row) error {
			if r.isFormer(one) != former {
				return nil
			}
			return r.observation(one)
		})
		if err != nil {
			return err
		}
	}
	if in.Prompts {
		_, err = engramPrompts.each(ctx, db, func(_ int64, one row) error { return r.prompt(one) })
	}
	return err
}

func (r *engramReader) readExport(ctx context.Context) error {
	known := false
	err := eachIn(ctx, r.in.Path, func(array string, index int, value any) error {
		object, ok := value.(map[string]any)
		known = known || array == "observations" || array == "sessions"
		switch {
		case !ok:
			return r.emit.bad(fmt.Sprintf("%s %d", array, index+1), "it is no object")
		case array == "sessions":
			return r.session(object)
		case array == "observations":
			return r.observation(object)
		case array == "prompts" && r.in.Prompts:
			return r.prompt(object)
		}
		return nil
	})
	if err == nil && !known {
		return wrongForm(r.in.Path, engramName, "it has no observations")
	}
	return err
}

// relation reads a verdict of engram's conflict judge.
func (r *engramReader) relation(one row) {
	source, target := one.text("source_id"), one.text("target_id")
	if source == "" || target == "" {
		return
	}
	switch one.text("judgment_status") {
	case "judged", "":
		switch relation := strings.ToLower(one.text("relation")); {
		case strings.Contains(relation, "supersede"):
			r.replaced[source] = append(r.replaced[source], target)
			r.former[target] = true
		case strings.Contains(relation, "contradict"), strings.Contains(relation, "conflict"):
			// It does not say which of the two is right, so both are to be reviewed.
			r.doubtful[source], r.doubtful[target] = true, true
			r.against[source], r.against[target] = append(r.against[source], target), append(r.against[target], source)
		}
	case "pending":
		r.doubtful[source], r.doubtful[target] = true, true
	}
}

func (r *engramReader) isFormer(one row) bool {
	return r.former[one.text("id")] || one.text("sync_id") != "" && r.former[one.text("sync_id")]
}

// engramKey returns the key of a row: by sync_id, which is the same on all machines, else by its
// number, session and time.
func engramKey(what string, one row) string {
	if id := one.text("sync_id"); id != "" {
		return Key(engramName, id)
	}
	return hashKey(engramName, what, one.text("id"), one.text("session_id"), one.text("created_at"))
}

func (r *engramReader) observation(one row) error {
	id, sync, kind := one.text("id"), one.text("sync_id"), one.text("type")
	item := Item{
		Program: engramName, Key: engramKey("observation", one),
		Project: one.text("project"), Content: titled(one.text("title"), one.text("content")),
		Category: categoryOf(kind), Tags: tagList(kind), At: one.time("created_at"), Pinned: one.is("pinned"),
		Origin: originOf(one, "session_id", "type", "tool_name", "topic_key", "revision_count", "updated_at"), Review: r.doubtful[id] ||
			r.doubtful[sync],
	}
	if others := append(r.against[id], r.against[sync]...); len(others) > 0 {
		item.Origin["contradicts"] = others[:min(len(others), maxFiles)]
	}
	item.Dir = r.dirs[one.text("session_id")]
	if one.text("scope") == "personal" {
		item.Project, item.Dir = "", ""
		item.Origin["scope"] = "personal"
	}
	if until := one.time("expires_at"); until.After(item.At) {
		item.ValidUntil = until
	}
	if one.text("deleted_at") != "" {
		item.Skip = "deleted there"
	}
	if kind == "session_summary" {
		item.Kind = memory.KindEpisode
	}
	if len(r.former)+len(r.replaced) > 0 {
		for _, name := range []string{id, sync} {
			r.keys[name] = item.Key
		}
		for _, former := range append(r.replaced[id], r.replaced[sync]...) {
			item.Follows = r.keys[former]
		}
	}
	return r.emit.items(item)
}

func (r *engramReader) session(one row) error {
	if dir := one.text("directory"); filepath.IsAbs(dir) {
		r.dirs[one.text("id")] = dir
	}
	if one.text("summary") == "" {
		return nil
	}
	return r.emit.items(Item{
		Program: engramName, Key: Key(engramName, "session:"+one.text("id")),
		Project: one.text("project"), Dir: r.dirs[one.text("id")], Kind: memory.KindEpisode,
		Content: one.text("summary"), At: one.time("ended_at", "started_at"), Origin: originOf(one, "id", "directory", "started_at"),
	})
}

func (r *engramReader) prompt(one row) error {
	return r.emit(Item{
		Program: engramName, Key: engramKey("prompt", one), Project: one.text("project"),
		Dir: r.dirs[one.text("session_id")], Content: one.text("content"), At: one.time("created_at"),
		Turn: &Message{Session: sessionOf(engramName, one.text("session_id")), Role: memory.RoleUser},
	})
}

// sessionOf returns the session name under which a conversation is stored.
func sessionOf(program, id string) string { return Key(program, firstText(id, "prompts")) }

// originOf returns the given fields that are neither empty nor very long.
func originOf(one row, names ...string) map[string]any {
	origin := map[string]any{}
	for _, name := range names {
		if text := one.text(name); text != "" && len(text) <= memory.MaxNameBytes*4 {
			origin[name] = text
		}
	}
	return origin
}
