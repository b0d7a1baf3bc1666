package foreign

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"mcp-memory/internal/plainfile"
	"mcp-memory/memory"
)

// Source is a program whose memories can be read.
type Source struct {
	Name  string // as it is called on the command line
	About string // what is read of it, and where that is looked for, in a few words
	// Find returns the files and folders of it that are there by default; nil
	// where there is no such place.
	Find func(Machine) []string
	// Knows reports whether a file or folder is of the program; nil where nothing tells.
	Knows func(Sample) bool
	Read  func(ctx context.Context, in Input, emit Emit) error
	// Wants is what Read is given, "" for anything: "file" or "folder".
	Wants string
}

// Sources are all programs that can be read, in the order in which they are tried
// on a file that may be anybody's.
func Sources() []Source {
	return slices.Concat([]Source{
		engram(), claudeMem(), memoryService(), mem0(), agentMemory(),
		serverMemory(), basicMemory(), claudeCode(), codex(), obsidian(), markdown(),
	}, transcriptSources(), []Source{openCode(), chatGPT(), claudeAI()})
}

// Named returns the sources of a name: several where a program keeps several
// things, in the order in which they are read.
func Named(name string) []Source {
	return slices.DeleteFunc(Sources(), func(s Source) bool { return s.Name != name })
}

// Machine is where programs are looked for.
type Machine struct {
	Home string // the user's folder, "" if there is none
	OS   string // as runtime.GOOS
	Work string // the folder that one is in, "" if there is none
	Env  func(name string) string
}

// under returns a place below the user's folder, "" if there is none.
func (m Machine) under(parts ...string) string {
	if m.Home == "" {
		return ""
	}
	return filepath.Join(append([]string{m.Home}, parts...)...)
}

// dir is the folder that a variable names, else the one below the user's.
func (m Machine) dir(variable string, parts ...string) string {
	if named := m.Env(variable); named != "" {
		if rest, ok := strings.CutPrefix(named, "~/"); ok {
			return m.under(rest)
		}
		return named
	}
	return m.under(parts...)
}

// existing are those of some files and folders that are there, each once.
func existing(paths ...string) (found []string) {
	for _, p := range paths {
		if p == "" || slices.Contains(found, p) {
			continue
		}
		if _, err := os.Stat(p); err == nil {
			found = append(found, p)
		}
	}
	return found
}

// Sample is what is looked at of a file or folder in order to recognise it.
type Sample struct {
	Path   string
	Folder bool
	Head   []byte              // the first bytes of a file
	Tables map[string][]string // the columns of those tables of a database that tell programs apart
}

// telling are the tables by which databases are told apart.
var telling = []string{"observations", "user_prompts", "sdk_sessions", "session_summaries", "memories", "history", "sessions", "session",
	"message", "part"}

// sampleBytes is how much of a file is looked at.
const sampleBytes = 64 << 10

// sqliteMagic is what a database begins with.
const sqliteMagic = "SQLite format 3\x00"

// Look takes a sample of a file or folder. Errors are [memory.CodeUnavailable].
func Look(ctx context.Context, path string, open func(context.Context, string) (Database, error)) (Sample, error) {
	s := Sample{Path: path}
	info, err := os.Stat(path)
	if err != nil {
		return s, cannotRead(path, err)
	}
	if s.Folder = info.IsDir(); s.Folder {
		return s, nil
	}
	if !info.Mode().IsRegular() {
		return s, memory.Errorf(memory.CodeUnavailable, "%s is neither a file nor a folder", path)
	}
	f, err := plainfile.Open(path)
	if err != nil {
		return s, cannotRead(path, err)
	}
	defer f.Close()
	s.Head, err = io.ReadAll(io.LimitReader(f, sampleBytes))
	if err != nil {
		return s, cannotRead(path, err)
	}
	if !strings.HasPrefix(string(s.Head), sqliteMagic) {
		return s, nil
	}
	db, err := open(ctx, path)
	if err != nil {
		return s, err
	}
	defer db.Close()
	s.Tables = map[string][]string{}
	for _, table := range telling {
		columns, err := db.Columns(ctx, table)
		if err != nil {
			return s, err
		}
		if len(columns) > 0 {
			s.Tables[table] = columns
		}
	}
	return s, nil
}

// Recognise returns the source of a file or folder. [memory.CodeInvalidArgument] if
// it is nobody's that is known.
func Recognise(s Sample) (Source, error) {
	for _, source := range Sources() {
		if source.Knows != nil && source.Knows(s) {
			return source, nil
		}
	}
	return Source{}, memory.Errorf(memory.CodeInvalidArgument, "%s is of no program that is known", s.Path).
		WithHint("say which: --from %s", strings.Join(Names(), ", "))
}

// Names are the names of all sources.
func Names() (names []string) {
	for _, s := range Sources() {
		if !slices.Contains(names, s.Name) {
			names = append(names, s.Name)
		}
	}
	return names
}

// has reports whether a table has all of some columns.
func (s Sample) has(table string, columns ...string) bool {
	there, ok := s.Tables[table]
	return ok && !slices.ContainsFunc(columns, func(c string) bool { return !slices.Contains(there, c) })
}

func cannotRead(path string, err error) error {
	return memory.Errorf(memory.CodeUnavailable, "%s cannot be read", path).WithHint("check that it is there and may be read").
		WithCause(err)
}

// wrongForm is a file that is not what its program writes.
func wrongForm(path, program, what string) error {
	return memory.Errorf(memory.CodeInvalidArgument, "%s is not data of %s: %s", path, program, what)
}
