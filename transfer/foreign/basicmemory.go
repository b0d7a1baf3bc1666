package foreign

import (
	"context"
	"encoding/json"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"mcp-memory/internal/plainfile"
	"mcp-memory/memory"
	"mcp-memory/text/lazyregexp"
	"mcp-memory/transfer/notes"
)

const basicMemoryName = "basic-memory"

// basicMemory is basicmachines-co/basic-memory: folders of notes. Its database is only an index of
// the notes and is not read.
func basicMemory() Source {
	return Source{
		Name:  basicMemoryName,
		About: "basic-memory: the projects of ~/.basic-memory/config.json, or a folder of its notes",
		Find: func(m Machine) []string {
			if found := existing(filepath.Join(m.dir("BASIC_MEMORY_CONFIG_DIR", ".basic-memory"), "config.json")); len(found) > 0 {
				return found
			}
			return existing(m.under("basic-memory"))
		},
		Knows: func(s Sample) bool { return s.keyed("projects", "default_project") },
		Read:  readBasicMemory,
	}
}

func readBasicMemory(ctx context.Context, in Input, emit Emit) error {
	info, err := os.Stat(in.Path)
	if err != nil {
		return cannotRead(in.Path, err)
	}
	if info.IsDir() {
		return readBasicProject(ctx, in.Path, filepath.Base(in.Path), emit)
	}
	projects, err := basicProjects(in.Path)
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(projects)) {
		if _, err := os.Stat(projects[name]); err != nil {
			if err := emit.bad("project "+name, "its folder "+projects[name]+" is not there"); err != nil {
				return err
			}
			continue
		}
		if err := readBasicProject(ctx, projects[name], name, emit); err != nil {
			return err
		}
	}
	return nil
}

// basicProjects reads the folders of the projects from a config: {name: {path}}, or {name: path} in
// older versions.
func basicProjects(config string) (map[string]string, error) {
	text, err := plainfile.Read(config, maxConfig)
	if err != nil {
		return nil, cannotRead(config, err)
	}
	var c struct {
		Projects map[string]json.RawMessage `json:"projects"`
	}
	if err := json.Unmarshal(text, &c); err != nil || c.Projects == nil {
		return nil, wrongForm(config, basicMemoryName, "it names no projects")
	}
	projects := map[string]string{}
	for name, raw := range c.Projects {
		var dir string
		if json.Unmarshal(raw, &dir) != nil {
			var p struct{ Path string }
			if json.Unmarshal(raw, &p) != nil {
				continue
			}
			dir = p.Path
		}
		if filepath.IsAbs(dir) {
			projects[name] = dir
		}
	}
	return projects, nil
}

func readBasicProject(ctx context.Context, dir, project string, emit Emit) error {
	seen := map[string]bool{}
	return eachNote(ctx, dir, emit, func(file notes.File, n notes.Note) error {
		var front row
		var value any
		if len(n.Fields) > 0 && unmarshal(n.Fields, &value) == nil {
			front, _ = value.(map[string]any)
		}
		permalink := firstText(strings.Trim(front.text("permalink"), "/"), strings.TrimSuffix(file.Name, path.Ext(file.Name)))
		if seen[permalink] { // another note has the same permalink
			permalink = strings.TrimSuffix(file.Name, path.Ext(file.Name))
		}
		seen[permalink] = true
		at := front.time("created", "modified", "date")
		if at.IsZero() {
			if info, err := os.Stat(filepath.Join(dir, filepath.FromSlash(file.Name))); err == nil {
				at = memory.StoredTime(info.ModTime())
			}
		}
		return emitBasicNote(basicNote{project, permalink, firstText(front.text("title"), path.Base(permalink)), at, front}, n.Body, emit)
	})
}

type basicNote struct {
	project, permalink, title string
	at                        time.Time
	front                     row
}

func (b basicNote) key(part string) string {
	return Key(basicMemoryName, b.project+"/"+b.permalink+part)
}

// The lines of a note that are items of their own; see NOTE-FORMAT of basic-memory.
var (
	basicObservation = lazyregexp.New(`^\s*[-*]\s+\[([^\]\[\(\)]+)\]\s+(\S.*)$`)
	basicRelation    = lazyregexp.New(`^\s*[-*]\s+(?:"([^"]+)"|'([^']+)'|([^\[\]]*?))\s*\[\[([^\]]+)\]\]`)
	basicBullet      = lazyregexp.New(`^\s*[-*]\s+(\S.*)$`)
	basicTag         = lazyregexp.New(`(?:^|\s)#([\p{L}\p{N}_/-]+)`)
	basicContext     = lazyregexp.New(`\s*\(([^()]*)\)\s*$`)
	basicLink        = lazyregexp.New(`\[\[([^\]]+)\]\]`)
)

// emitBasicNote emits the note, a fact for each observation and a triple for each relation.
func emitBasicNote(b basicNote, body string, emit Emit) error {
	item := Item{
		Program: basicMemoryName, Project: b.project, At: b.at, Key: b.key(""), Content: titled(b.title, strings.TrimSpace(body)),
		Tags:   tagList(append(basicTags(b.front), b.front.text("type"))...),
		Origin: originOf(b.front, "type", "permalink", "modified", "schema"),
	}
	if err := emit.items(item); err != nil {
		return err
	}
	code := false
	linked := map[string]bool{}
	for line := range strings.SplitSeq(body, "\n") {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			code = !code
		}
		if code {
			continue
		}
		if err := emitBasicLine(b, line, linked, emit); err != nil {
			return err
		}
	}
	return nil
}

func basicTags(front row) []string {
	tags := front.list("tags")
	if len(tags) == 1 {
		tags = words(strings.Trim(tags[0], "[]"))
	}
	return tags
}

func emitBasicLine(b basicNote, line string, linked map[string]bool, emit Emit) error {
	bullet := basicBullet().FindStringSubmatch(line)
	observed := basicObservation().FindStringSubmatch(line)
	switch {
	case observed != nil && isTask(observed[1]):
	case observed != nil:
		return emitBasicFact(b, strings.TrimSpace(observed[1]), observed[2], emit)
	case bullet != nil && basicLink().MatchString(line) && !strings.HasPrefix(bullet[1], "[["):
		if m := basicRelation().FindStringSubmatch(line); m != nil {
			return emitBasicRelation(b, firstText(m[1], m[2], m[3], "links_to"), m[4], linked, emit)
		}
	case bullet != nil && !strings.HasPrefix(bullet[1], "[") && basicTag().MatchString(line):
		return emitBasicFact(b, "Note", bullet[1], emit)
	}
	for _, m := range basicLink().FindAllStringSubmatch(line, -1) {
		if err := emitBasicRelation(b, "links_to", m[1], linked, emit); err != nil {
			return err
		}
	}
	return nil
}

// isTask reports whether a mark in brackets is that of a task list, such as "x".
func isTask(mark string) bool {
	return strings.TrimSpace(mark) == "" || slices.Contains([]string{"x", "X", "-", "/", " "}, mark)
}

func emitBasicFact(b basicNote, category, text string, emit Emit) error {
	var tags []string
	for _, m := range basicTag().FindAllStringSubmatch(text, -1) {
		tags = append(tags, m[1])
	}
	item := Item{Program: basicMemoryName, Project: b.project, At: b.at,
		Key: hashKey(basicMemoryName, b.project, b.permalink, category, text), Origin: map[string]any{"note": b.permalink}}
	text = strings.TrimSpace(basicTag().ReplaceAllString(text, ""))
	if m := basicContext().FindStringSubmatch(text); m != nil && m[1] != "" {
		item.Origin["context"] = m[1]
	}
	item.Content, item.Category, item.Tags = about(b.title, text), categoryOf(category), tagList(append([]string{category}, tags...)...)
	return emit.items(item)
}

func emitBasicRelation(b basicNote, relation, target string, linked map[string]bool, emit Emit) error {
	target, _, _ = strings.Cut(strings.TrimPrefix(strings.TrimSpace(target), "memory://"), "|")
	target, _, _ = strings.Cut(target, "#")
	target = strings.TrimSpace(target)
	if relation = strings.TrimSpace(relation); target == "" || linked[relation+"\x00"+target] || relation == "links_to" && linked[target] {
		return nil
	}
	linked[relation+"\x00"+target], linked[target] = true, true
	item := triple(b.title, relation, target)
	item.Program, item.Project, item.At, item.Key = basicMemoryName, b.project,
		b.at, hashKey(basicMemoryName, b.project, b.permalink, relation, target)
	item.Origin = map[string]any{"note": b.permalink}
	return emit(item)
}
