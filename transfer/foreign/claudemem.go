package foreign

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"mcp-memory/memory"
)

const claudeMemName = "claude-mem"

// claudeMem is thedotmack/claude-mem: its database, or the output of its export script.
func claudeMem() Source {
	return Source{
		Name: claudeMemName, Wants: "file",
		About: "claude-mem: its claude-mem.db in ~/.claude-mem or CLAUDE_MEM_DATA_DIR, or its export",
		Find: func(m Machine) []string {
			return existing(filepath.Join(m.dir("CLAUDE_MEM_DATA_DIR", ".claude-mem"), "claude-mem.db"))
		},
		Knows: func(s Sample) bool {
			return s.has("sdk_sessions") || s.keyed("exportedAtEpoch", "observations") || s.keyed("exportedAt", "totalObservations")
		},
		Read: readClaudeMem,
	}
}

var (
	claudeMemObservations = table{"observations", []string{"id", "text|narrative|title"},
		[]string{"memory_session_id", "sdk_session_id", "project", "text", "type", "title", "subtitle",
			"facts", "narrative", "concepts", "files_read", "files_modified",
			"created_at", "created_at_epoch", "content_hash", "merged_into_project"}}
	claudeMemSummaries = table{"session_summaries", []string{"id", "request|learned|completed"},
		[]string{"memory_session_id", "sdk_session_id", "project", "request", "investigated", "learned",
			"completed", "next_steps", "notes", "files_read", "files_edited",
			"prompt_number", "created_at", "created_at_epoch", "merged_into_project"}}
	claudeMemPrompts = table{"user_prompts", []string{"id", "prompt_text"},
		[]string{"content_session_id", "claude_session_id", "prompt_number", "created_at", "created_at_epoch"}}
	claudeMemSessions = table{"sdk_sessions", []string{"id"}, []string{"content_session_id", "claude_session_id", "project"}}
)

// trivial returns why an observation is skipped by default, "" if it is not. claude-mem has a
// language model write observations, and many only say that something was changed or a file was
// read.
func (r *claudeMemReader) trivial(kind string, one row) string {
	switch {
	case r.in.All:
		return ""
	case kind == "change":
		return "observations that only say what was changed (--all takes them)"
	case len(one.list("facts")) == 0 && len(one.text("narrative", "text")) < 40 &&
		(len(one.list("files_read")) > 0 || len(one.list("files_modified")) > 0):
		return "observations that only say which file was read (--all takes them)"
	}
	return ""
}

func readClaudeMem(ctx context.Context, in Input, emit Emit) error {
	database, err := isDatabase(in.Path)
	if err != nil {
		return err
	}
	r := &claudeMemReader{in, emit, map[string]string{}}
	if !database {
		return r.readExport(ctx)
	}
	db, err := in.Open(ctx, in.Path)
	if err != nil {
		return err
	}
	defer db.Close()
	if err := claudeMemObservations.must(ctx, db, func(_ int64, one row) error { return r.observation(one) }); err != nil {
		return err
	}
	if _, err := claudeMemSummaries.each(ctx, db, func(_ int64, one row) error { return r.summary(one) }); err != nil || !in.Prompts {
		return err
	}
	if _, err := claudeMemSessions.each(ctx, db, func(_ int64, one row) error { r.session(one); return nil }); err != nil {
		return err
	}
	_, err = claudeMemPrompts.each(ctx, db, func(_ int64, one row) error { return r.prompt(one) })
	return err
}

type claudeMemReader struct {
	in       Input
	emit     Emit
	projects map[string]string // project by session id
}

func (r *claudeMemReader) readExport(ctx context.Context) error {
	known := false
	err := eachIn(ctx, r.in.Path, func(array string, index int, value any) error {
		object, ok := value.(map[string]any)
		known = known || array == "observations" || array == "summaries"
		switch {
		case !ok:
			return r.emit.bad(fmt.Sprintf("%s %d", array, index+1), "it is no object")
		case array == "observations":
			return r.observation(object)
		case array == "summaries":
			return r.summary(object)
		case array == "sessions":
			r.session(object)
		case array == "prompts" && r.in.Prompts:
			return r.prompt(object)
		}
		return nil
	})
	if err == nil && !known {
		return wrongForm(r.in.Path, claudeMemName, "it has no observations")
	}
	return err
}

// claudeMemKey returns the key of an observation: by its content hash, else by its number, session
// and time.
func claudeMemKey(what string, one row) string {
	if hash := one.text("content_hash"); hash != "" {
		return Key(claudeMemName, hash)
	}
	return hashKey(claudeMemName, what, one.text("id"), one.text("memory_session_id", "sdk_session_id"), one.text("created_at_epoch"))
}

func (r *claudeMemReader) observation(one row) error {
	kind := strings.ToLower(one.text("type"))
	said := paragraphs(titled(one.text("title", "subtitle"), one.text("narrative", "text")),
		strings.Join(newTo(one.list("facts"), one.text("narrative")), "\n"))
	item := Item{
		Program: claudeMemName, Key: claudeMemKey("observation", one),
		Project: one.text("merged_into_project", "project"), Content: said, Category: categoryOf(kind),
		Tags: tagList(append([]string{kind}, one.list("concepts")...)...), At: one.time("created_at_epoch", "created_at"),
		Origin: originOf(one, "memory_session_id", "sdk_session_id", "id"),
	}
	files := slices.Concat(one.list("files_read"), one.list("files_modified"))
	slices.Sort(files)
	if files = slices.Compact(files); len(files) > 0 {
		item.Origin["files"] = files[:min(len(files), maxFiles)]
	}
	item.Skip = r.trivial(kind, one)
	return r.emit.items(item)
}

// maxFiles is how many files the origin of a memory lists.
const maxFiles = 50

// newTo returns the facts that text does not contain, as list items.
func newTo(facts []string, text string) (list []string) {
	told := memory.SameContent(text)
	for _, f := range facts {
		if told == "" || !strings.Contains(told, memory.SameContent(f)) {
			list = append(list, "- "+f)
		}
	}
	return list
}

func (r *claudeMemReader) summary(one row) error {
	said := paragraphs(one.text("request"), labelled("Investigated", one.text("investigated")), labelled("Learned", one.text("learned")),
		labelled("Completed", one.text("completed")), labelled("Next steps", one.text("next_steps")), one.text("notes"))
	return r.emit.items(Item{
		Program: claudeMemName, Key: hashKey(claudeMemName, "summary", one.text("id"), one.text("memory_session_id", "sdk_session_id"),
			one.text("created_at_epoch")),
		Project: one.text("merged_into_project", "project"), Kind: memory.KindEpisode,
		Content: said, At: one.time("created_at_epoch", "created_at"),
		Origin: originOf(one, "memory_session_id", "sdk_session_id", "prompt_number"),
	})
}

func (r *claudeMemReader) session(one row) {
	if id := one.text("content_session_id", "claude_session_id"); id != "" {
		r.projects[id] = one.text("project")
	}
}

func (r *claudeMemReader) prompt(one row) error {
	id := one.text("content_session_id", "claude_session_id")
	return r.emit(Item{
		Program: claudeMemName, Key: hashKey(claudeMemName, "prompt", one.text("id"), id, one.text("created_at_epoch")),
		Project: r.projects[id],
		Content: one.text("prompt_text"), At: one.time("created_at_epoch", "created_at"),
		Turn: &Message{Session: sessionOf(claudeMemName, id), Role: memory.RoleUser},
	})
}
