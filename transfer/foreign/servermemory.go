package foreign

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"mcp-memory/internal/plainfile"
	"mcp-memory/memory"
	"mcp-memory/transfer/jsonl"
)

const serverMemoryName = "server-memory"

// serverMemory is the knowledge graph of @modelcontextprotocol/server-memory: a file with one
// entity or relation a line, which the server rewrites as a whole.
func serverMemory() Source {
	return Source{
		Name: serverMemoryName, Wants: "file",
		About: "@modelcontextprotocol/server-memory: memory.jsonl, by MEMORY_FILE_PATH in the configs of hosts, those of this folder too, or in the caches of npx",
		Find:  findServerMemory,
		Knows: func(s Sample) bool {
			line, _, _ := bytes.Cut(bytes.TrimSpace(s.Head), []byte("\n"))
			var first graphLine
			return json.NewDecoder(bytes.NewReader(line)).
				Decode(&first) == nil && (first.Type == "entity" && first.name() != "" || first.Type == "relation")
		},
		Read: readServerMemory,
	}
}

// graphLine is an entity or relation, with the field names of several variants of the server.
type graphLine struct {
	Type         string            `json:"type"`
	Name         string            `json:"name"`
	EntityName   string            `json:"entityName"`
	ID           string            `json:"id"`
	EntityType   string            `json:"entityType"`
	EntityType2  string            `json:"entity_type"`
	Observations []json.RawMessage `json:"observations"`
	From         string            `json:"from"`
	To           string            `json:"to"`
	FromID       string            `json:"from_id"`
	ToID         string            `json:"to_id"`
	RelationType string            `json:"relationType"`
	Relation2    string            `json:"relation_type"`
}

func (g graphLine) name() string { return firstText(g.Name, g.EntityName, g.ID) }

// firstText returns the first text that is not blank, trimmed.
func firstText(texts ...string) string {
	for _, t := range texts {
		if t = strings.TrimSpace(t); t != "" {
			return t
		}
	}
	return ""
}

// readServerMemory reads the file. It contains no times, so all items get its modification time.
func readServerMemory(ctx context.Context, in Input, emit Emit) error {
	f, err := plainfile.Open(in.Path)
	if err != nil {
		return cannotRead(in.Path, err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return cannotRead(in.Path, err)
	}
	return readGraph(ctx, f, info.ModTime(), emit)
}

// readGraph reads entities and relations. Two on one line are common, because the server may append
// without a final line feed; so are torn lines.
func readGraph(ctx context.Context, r io.Reader, written time.Time, emit Emit) error {
	lines, err := jsonl.NewReader(r)
	if err != nil {
		return err
	}
	for {
		line, err := lines.Next()
		if err == io.EOF {
			return nil
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		place := fmt.Sprintf("line %d", lines.Number())
		switch {
		case err == jsonl.ErrLongLine || err == jsonl.ErrEncoding:
			err = emit.bad(place, err.Error())
		case err != nil:
			return err
		default:
			err = readGraphLine(line, place, written, emit)
		}
		if err != nil {
			return err
		}
	}
}

func readGraphLine(line []byte, place string, written time.Time, emit Emit) error {
	for len(bytes.TrimSpace(line)) > 0 {
		decoder := json.NewDecoder(bytes.NewReader(line))
		var one graphLine
		if err := decoder.Decode(&one); err != nil {
			var mismatch *json.UnmarshalTypeError
			if !errors.As(err, &mismatch) {
				if err := emit.bad(place, "it is torn, or no JSON"); err != nil {
					return err
				}
				// An object after the torn piece is complete.
				next := bytes.Index(line[1:], []byte(`{"type":`))
				if next < 0 {
					return nil
				}
				line = line[1+next:]
				continue
			}
			if err := emit.bad(place, wrongType(mismatch)); err != nil {
				return err
			}
		} else if err := emitGraph(one, place, written, emit); err != nil {
			return err
		}
		line = line[decoder.InputOffset():]
	}
	return nil
}

func wrongType(m *json.UnmarshalTypeError) string {
	if m.Field == "" {
		return "it is no object"
	}
	return "its " + m.Field + " is of the type " + m.Value
}

func emitGraph(g graphLine, place string, written time.Time, emit Emit) error {
	switch {
	case g.Type == "entity" && g.name() != "":
		return emitEntity(g, place, written, emit)
	case g.Type == "relation":
		return emitRelation(g, place, written, emit)
	case g.Type == "entity":
		return emit.bad(place, "the entity has no name")
	}
	return emit.bad(place, "it is neither an entity nor a relation")
}

// emitEntity emits a fact for each observation. An entity without observations is itself a fact.
func emitEntity(g graphLine, place string, written time.Time, emit Emit) error {
	name, kind := g.name(), firstText(g.EntityType, g.EntityType2)
	item := Item{At: written, Origin: map[string]any{"entity": name}}
	if kind != "" {
		item.Tags = tagList(kind)
		item.Origin["entity_type"] = kind
	}
	said := 0
	for _, raw := range g.Observations {
		var text string
		if json.Unmarshal(raw, &text) != nil {
			var wrapped struct{ Content, Text string }
			if json.Unmarshal(raw, &wrapped) != nil || wrapped.Content+wrapped.Text == "" {
				if err := emit.bad(place, "an observation is no text"); err != nil {
					return err
				}
				continue
			}
			text = firstText(wrapped.Content, wrapped.Text)
		}
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		said++
		item.Content, item.Key = about(name, text), hashKey(serverMemoryName, "observation", name, text)
		if err := emit(item); err != nil {
			return err
		}
	}
	if said > 0 || kind == "" {
		return nil
	}
	item.Content, item.Key = name+" is of the type "+kind+".", hashKey(serverMemoryName, "entity", name)
	return emit(item)
}

// about puts a name before a text that does not contain it.
func about(name, text string) string {
	if strings.Contains(memory.SameContent(text), memory.SameContent(name)) {
		return text
	}
	return name + ": " + text
}

func emitRelation(g graphLine, place string, written time.Time, emit Emit) error {
	from, to, relation := firstText(g.From, g.FromID), firstText(g.To, g.ToID), firstText(g.RelationType, g.Relation2)
	if from == "" || to == "" || relation == "" {
		return emit.bad(place, "the relation does not say from where to where, or which it is")
	}
	item := triple(from, relation, to)
	item.Key, item.At = hashKey(serverMemoryName, "relation", from, relation, to), written
	return emit(item)
}

// triple returns a triple item. Multi is set, so that other triples of the same subject and
// predicate stay true: a foreign graph does not say which predicates have only one object.
func triple(subject, predicate, object string) Item {
	words := strings.Join(strings.FieldsFunc(predicate, func(r rune) bool { return r == '_' || r == ' ' || r == '-' }), " ")
	if words == "" {
		words = predicate
	}
	return Item{
		Kind: memory.KindTriple, Content: subject + " " + words + " " + object,
		KindDetails: memory.KindDetails{Triple: &memory.TripleDetails{Subject: subject, Predicate: predicate, Object: object, Confidence: 1,
			Multi: true}},
	}
}

// tagList returns words as tags: trimmed, without duplicates, none too long, at most
// memory.MaxTags.
func tagList(words ...string) (tags []string) {
	for _, w := range words {
		w = strings.Trim(strings.ToValidUTF8(w, ""), "# \t\r\n")
		if w != "" && len(w) <= memory.MaxTagBytes && !slices.Contains(tags, w) && len(tags) < memory.MaxTags {
			tags = append(tags, w)
		}
	}
	return tags
}

// findServerMemory looks in the environment, in the configs of hosts, and where the server puts its
// file by default: beside its script, in the caches of npx.
func findServerMemory(m Machine) []string {
	found := existing(m.Env("MEMORY_FILE_PATH"))
	for _, path := range hostConfigs(m) {
		found = append(found, existing(memoryFilesIn(path, m)...)...)
	}
	for _, cache := range []string{m.Env("npm_config_cache"), m.under(".npm"), m.under("AppData", "Local", "npm-cache")} {
		if cache == "" {
			continue
		}
		const server = "_npx/*/node_modules/@modelcontextprotocol/server-memory/dist/memory.json"
		for _, ending := range []string{"l", ""} {
			matches, _ := filepath.Glob(filepath.Join(cache, filepath.FromSlash(server)) + ending) // the pattern is valid
			found = append(found, matches...)
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}
