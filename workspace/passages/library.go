package passages

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"mcp-memory/internal/plainfile"
	"mcp-memory/memory"
	"mcp-memory/workspace"
)

// Options say what a [Library] reads.
type Options struct {
	Dir     workspace.Dir // the agent's
	Include []string      // patterns of further files, see [CheckPattern]
	Log     *slog.Logger
	// Progress is told, while much is read, how many bytes of how many are; nil if
	// nobody wants to know. At the end both are the same.
	Progress func(done, total int64)
}

// Library knows the passages of an agent's files. Safe for concurrent use, but for
// updates, of which one is made at a time.
type Library struct {
	roots    []*root
	log      *slog.Logger
	progress func(done, total int64)
	left     int // files that were left out because of the bounds

	mu    sync.RWMutex
	files map[string]*file // by the name that is shown
	order []*file          // every version ever read, by its first number
	next  int64
	count int // passages that are there
}

// file is one version of a file.
type file struct {
	found
	matter
	begin int64 // where its text begins: behind the mark of the byte order, and what was there at first
	line  int   // how many lines stand before it
	first int64 // number of its first passage
	parts []part
	gone  bool // guarded by Library.mu
}

// NewLibrary returns a library that has not looked at anything yet.
func NewLibrary(o Options) *Library {
	own, shared := &root{path: o.Dir.Path(), own: true}, &root{prefix: workspace.SharedFolder + "/", own: true}
	if store, agent := o.Dir.Rows(); store != nil {
		own.rows, shared.rows = &rows{store: store, agent: agent}, &rows{store: store, agent: memory.SharedFiles}
	} else {
		shared.path = filepath.Join(filepath.Dir(o.Dir.Path()), workspace.SharedFolder)
	}
	roots := []*root{own, shared}
	for _, pattern := range o.Include {
		roots = append(roots, rootOf(pattern))
	}
	return &Library{roots: roots, log: o.Log, progress: o.Progress, files: map[string]*file{}, next: 1}
}

// Len returns how many passages there are.
func (l *Library) Len() int {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.count
}

// batch is about how many bytes of files are handed on at a time.
const batch = 256 << 10

// Update looks which files are new, have changed or are gone since the last call, by
// size, time and inode, and hands the passages of what is new to add, in ascending
// order of their numbers. What cannot be read is passed by. The error is that of add
// or of the context; the next call goes on from there.
func (l *Library) Update(ctx context.Context, add func([]memory.Document) error) error {
	list, left := walk(ctx, l.roots)
	if err := ctx.Err(); err != nil {
		return err
	}
	if left != l.left && left > 0 {
		l.log.InfoContext(ctx, "files are not searched", "count", left,
			"limits", fmt.Sprintf("%d files, %d MiB a file, %d MiB in all", maxFiles, maxFile>>20, maxTotal>>20))
	}
	l.left = left
	fresh := l.compare(list)
	if len(fresh) == 0 {
		return nil
	}
	total, done := int64(0), int64(0)
	for _, f := range fresh {
		total += f.info.Size()
	}
	for some := range inBatches(fresh) {
		if err := ctx.Err(); err != nil {
			return err
		}
		docs := l.enter(readAll(ctx, some))
		if len(docs) > 0 {
			if err := add(docs); err != nil {
				l.again(some)
				return err
			}
		}
		for _, f := range some {
			done += f.info.Size()
		}
		if l.progress != nil {
			l.progress(done, total)
		}
	}
	return nil
}

// compare forgets what is gone or has changed, and returns what is to be read.
func (l *Library) compare(list []found) (fresh []found) {
	l.mu.Lock()
	defer l.mu.Unlock()
	there := make(map[string]bool, len(list))
	for _, f := range list {
		name := f.shown()
		if there[name] {
			continue // two patterns name it
		}
		there[name] = true
		if old := l.files[name]; old == nil || !same(old.info, f.info) {
			l.drop(name)
			fresh = append(fresh, f)
		}
	}
	for name := range l.files {
		if !there[name] {
			l.drop(name)
		}
	}
	return fresh
}

// again has files read once more, because nobody took what they say.
func (l *Library) again(list []found) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, f := range list {
		l.drop(f.shown())
	}
}

func (l *Library) drop(name string) {
	if old := l.files[name]; old != nil {
		old.gone = true
		l.count -= len(old.parts)
		delete(l.files, name)
	}
}

func same(a, b fs.FileInfo) bool {
	if version, ok := a.Sys().(int64); ok { // in a database
		return b.Sys() == any(version)
	}
	return a.Size() == b.Size() && a.ModTime().Equal(b.ModTime()) && os.SameFile(a, b)
}

// inBatches yields files by about as many bytes as a batch has.
func inBatches(list []found) func(yield func([]found) bool) {
	return func(yield func([]found) bool) {
		from, size := 0, int64(0)
		for i, f := range list {
			if size += f.info.Size(); size < batch && i < len(list)-1 {
				continue
			}
			if !yield(list[from : i+1]) {
				return
			}
			from, size = i+1, 0
		}
	}
}

// readAll reads and cuts files, some at the same time. One that is not text is there
// with no passages, so that it is not read each time.
func readAll(ctx context.Context, list []found) []*loaded {
	read := make([]*loaded, len(list))
	var group sync.WaitGroup
	places := make(chan int)
	for range min(len(list), runtime.GOMAXPROCS(0)) {
		group.Go(func() {
			for i := range places {
				read[i] = load(ctx, list[i])
			}
		})
	}
	for i := range list {
		places <- i
	}
	close(places)
	group.Wait()
	return slices.DeleteFunc(read, func(f *loaded) bool { return f == nil })
}

// loaded is a file with its text.
type loaded struct {
	*file
	text string
}

// load reads a file; nil if that cannot be done now, so that the next call tries
// again: when somebody is allowed to read it, its times stay as they were.
func load(ctx context.Context, f found) *loaded {
	content, info, err := f.read(ctx, 0, maxFile+1)
	if err != nil {
		return nil
	}
	f.info = info
	one := &loaded{file: &file{found: f}}
	if !utf8.Valid(content) || bytes.IndexByte(content, 0) >= 0 || len(content) > maxFile {
		return one
	}
	one.text = strings.TrimPrefix(string(content), "\uFEFF")
	one.begin = int64(len(content) - len(one.text))
	written := one.text
	if f.root.own {
		written = strings.TrimPrefix(written, workspace.Beginning(f.name)) // which nobody said
	}
	one.text, one.begin = written, one.begin+int64(len(one.text)-len(written))
	one.line = strings.Count(string(content[:one.begin]), "\n")
	one.matter, one.parts = passages(f.name, one.text)
	return one
}

// read returns bytes of a file and what is known of it, if it still is the plain file
// of the same folder that the walk came by.
func (f found) read(ctx context.Context, from, length int64) ([]byte, fs.FileInfo, error) {
	if f.root.rows != nil {
		return f.root.rows.read(ctx, f.name, from, length)
	}
	folder, err := plainfile.OpenRoot(f.root.path)
	if err != nil {
		return nil, nil, err
	}
	defer folder.Close()
	in, err := plainfile.OpenIn(folder, f.name) // never leads out, whatever became of it
	if err != nil {
		return nil, nil, err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return nil, nil, err
	}
	if !os.SameFile(info, f.info) {
		return nil, nil, fs.ErrNotExist
	}
	content := make([]byte, max(0, min(length, info.Size()-from)))
	n, err := in.ReadAt(content, from)
	if err == io.EOF {
		err = nil
	}
	return content[:n], info, err
}

// together is how many passages that follow each other lend each other what they are
// about.
const together = 16

// enter gives files their numbers and returns their passages as they are indexed.
func (l *Library) enter(list []*loaded) (docs []memory.Document) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, one := range list {
		f := one.file
		f.first = l.next
		l.next += int64(len(f.parts))
		l.count += len(f.parts)
		l.files[f.shown()] = f
		l.order = append(l.order, f)
		for i, p := range f.parts {
			d := f.document(i, visible(one.text[p.from:p.to]))
			d.Session = fmt.Sprint(f.first, " ", i/together)
			d.Place.Words = plain(d.Content)
			if p.from >= f.end { // the front matter has its own title
				d.Place.Words = f.about + " " + p.heading + "\n" + d.Place.Words
			}
			docs = append(docs, d)
		}
	}
	return docs
}

// document is the passage of a file with its text.
func (f *file) document(i int, text string) memory.Document {
	p := f.parts[i]
	return memory.Document{
		Seq: f.first + int64(i), Corpus: memory.Workspace,
		Record: memory.Record{Content: text, CreatedAt: f.info.ModTime().UTC(), OccurredAt: f.date},
		Place:  &memory.Place{Path: f.shown(), Line: f.line + p.line, Heading: p.heading, Record: p.record},
	}
}

// fileOf returns the file of a passage that is there, nil for one that is gone. The caller
// holds l.mu.
func (l *Library) fileOf(seq int64) *file {
	n, exact := slices.BinarySearchFunc(l.order, seq, func(f *file, seq int64) int { return cmp.Compare(f.first, seq) })
	for exact && n+1 < len(l.order) && l.order[n+1].first == seq {
		n++ // those before it have no passages
	}
	if !exact {
		n--
	}
	if n < 0 || l.order[n].gone || seq >= l.order[n].first+int64(len(l.order[n].parts)) {
		return nil
	}
	return l.order[n]
}

// Documents reads passages by their numbers, with their text. Those whose file is
// gone or has changed are left out. The error is that of the context.
func (l *Library) Documents(ctx context.Context, seqs []int64) ([]memory.Document, error) {
	var docs []memory.Document
	for _, seq := range seqs {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		l.mu.RLock()
		f := l.fileOf(seq)
		l.mu.RUnlock()
		if f == nil {
			continue
		}
		i := int(seq - f.first)
		p := f.parts[i]
		content, info, err := f.read(ctx, f.begin+int64(p.from), int64(p.to-p.from))
		if err != nil || !same(info, f.info) || !utf8.Valid(content) {
			continue
		}
		docs = append(docs, f.document(i, visible(string(content))))
	}
	return docs, nil
}

// Select returns the numbers of the passages that are there and tell of a time
// between since and until, exclusive; the zero time is no bound. The time is that
// of the file's name or front matter, else when it was last changed.
func (l *Library) Select(since, until time.Time) (seqs []int64) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	for _, f := range l.order {
		at := f.date
		if at.IsZero() {
			at = f.info.ModTime()
		}
		if f.gone || !since.IsZero() && at.Before(since) || !until.IsZero() && !at.Before(until) {
			continue
		}
		for i := range f.parts {
			seqs = append(seqs, f.first+int64(i))
		}
	}
	return seqs
}
