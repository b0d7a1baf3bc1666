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
	Name  string // name on the command line
	About string // what is read and where it is looked for, in a few words
	// Find returns the default files and folders that exist. It is nil if the program has no
	// default place.
	Find func(Machine) []string
	// Knows reports whether a file or folder is of the program. It is nil if that cannot be
	// recognised.
	Knows func(Sample) bool
	Read  func(ctx context.Context, in Input, emit Emit) error
	// Wants is what Read needs: "file", "folder", or "" for either.
	Wants string
}

// Sources returns all sources, in the order in which they are tried on a file of an unknown
// program.
func Sources() []Source {
	return slices.Concat([]Source{
		engram(), claudeMem(), memoryService(), mem0(), agentMemory(),
		serverMemory(), basicMemory(), claudeCode(), codex(), obsidian(), markdown(),
	}, transcriptSources(), []Source{openCode(), chatGPT(), claudeAI()})
}

// Named returns the sources with a name, in the order in which they are read. A program that keeps
// several things has several.
func Named(name string) []Source {
	return slices.DeleteFunc(Sources(), func(s Source) bool { return s.Name != name })
}

// Machine says where programs are looked for.
type Machine struct {
	Home string // home directory, "" if there is none
	OS   string // as in runtime.GOOS
	Work string // working directory, "" if there is none
	Env  func(name string) string
}

// under returns a path below the home directory, "" if there is none.
func (m Machine) under(parts ...string) string {
	if m.Home == "" {
		return ""
	}
	return filepath.Join(append([]string{m.Home}, parts...)...)
}

// dir returns the folder that an environment variable names, else the one below the home directory.
func (m Machine) dir(variable string, parts ...string) string {
	if named := m.Env(variable); named != "" {
		if rest, ok := strings.CutPrefix(named, "~/"); ok {
			return m.under(rest)
		}
		return named
	}
	return m.under(parts...)
}

// existing returns those of some paths that exist, without duplicates.
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

// Sample is what is read of a file or folder to recognise its program.
type Sample struct {
	Path   string
	Folder bool
	Head   []byte              // first sampleBytes bytes of a file
	Tables map[string][]string // of a database: the columns of the tables in telling that it has
}

// telling are the tables that distinguish the databases of different programs.
var telling = []string{"observations", "user_prompts", "sdk_sessions", "session_summaries", "memories", "history", "sessions", "session",
	"message", "part"}

// sampleBytes is how much of a file is read to recognise it.
const sampleBytes = 64 << 10

// sqliteMagic is how an SQLite file begins.
const sqliteMagic = "SQLite format 3\x00"

// Look takes a sample of a file or folder. Errors have [memory.CodeUnavailable].
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

// Recognise returns the source of a file or folder. [memory.CodeInvalidArgument] if no source knows
// it.
func Recognise(s Sample) (Source, error) {
	for _, source := range Sources() {
		if source.Knows != nil && source.Knows(s) {
			return source, nil
		}
	}
	return Source{}, memory.Errorf(memory.CodeInvalidArgument, "%s is of no program that is known", s.Path).
		WithHint("say which: --from %s", strings.Join(Names(), ", "))
}

// Names returns the names of all sources, without duplicates.
func Names() (names []string) {
	for _, s := range Sources() {
		if !slices.Contains(names, s.Name) {
			names = append(names, s.Name)
		}
	}
	return names
}

// has reports whether the sample has a table with all of some columns.
func (s Sample) has(table string, columns ...string) bool {
	there, ok := s.Tables[table]
	return ok && !slices.ContainsFunc(columns, func(c string) bool { return !slices.Contains(there, c) })
}

func cannotRead(path string, err error) error {
	return memory.Errorf(memory.CodeUnavailable, "%s cannot be read", path).WithHint("check that it is there and may be read").
		WithCause(err)
}

// wrongForm returns the error for a file that is not of the given program.
func wrongForm(path, program, what string) error {
	return memory.Errorf(memory.CodeInvalidArgument, "%s is not data of %s: %s", path, program, what)
}
