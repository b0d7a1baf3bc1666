//go:build !ncruces && !windows

package fault

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sync"
	"unsafe"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// kind is what SQLite asks of the file system.
type kind int

const (
	opOpen kind = iota
	opWrite
	opTruncate
	opSync
	opDelete
	opShare // makes or extends the index of the log
	opRead
	opLock     // of the file
	opLockPart // of the index of the log: a reader's, the writer's, that of who moves the log
)

// String names the kind in failures.
func (k kind) String() string {
	return [...]string{"open", "write", "truncate", "sync", "delete", "share", "read", "lock", "lock part"}[k]
}

// failed is what the file system says of a kind that goes wrong.
var failed = [...]int32{
	sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_TRUNCATE,
	sqlite3.SQLITE_IOERR_FSYNC, sqlite3.SQLITE_IOERR_DELETE, sqlite3.SQLITE_IOERR_SHMSIZE,
	sqlite3.SQLITE_IOERR_READ, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_BUSY,
}

// changes reports whether such a call changes something on the disk: then somebody can die at it.
func (k kind) changes() bool { return k < opRead }

// call is one of SQLite to the file system.
type call struct {
	kind   kind
	path   string // empty for a file without a name
	data   []byte // that are written; of SQLite, for the time of the call
	offset int64  // of what is written, or the size to cut to
	makes  bool   // of an open: the file may have to be made
}

// String names what is called and for which file, whose name may have a part that is made up.
func (c call) String() string {
	return c.kind.String() + " " + madeUp.ReplaceAllString(filepath.Base(c.path), "")
}

var madeUp = regexp.MustCompile(`\.[0-9]+`)

// grows reports whether the call needs room on the disk.
func (c call) grows() bool {
	return c.kind == opWrite || c.kind == opShare || c.kind == opOpen && c.makes
}

// disk is the layer below every connection of this process. It does nothing until a
// test arms it.
type disk struct {
	mu    sync.Mutex
	armed bool
	quiet bool                  // what only reads or locks is not judged
	calls int                   // since it was armed
	judge func(int, call) int32 // of the nth call, from 1: a result code instead of doing it
	files map[string]*image     // since it was armed, by path
	open  map[uintptr]string    // path of each open file
	below sqlite3.Tsqlite3_vfs  // the file system of the operating system
	real  map[uintptr]uintptr   // methods of files: ours → those below
	ours  map[uintptr]uintptr   // the other way round
}

// image is what a file holds for certain, and what was asked of it since.
type image struct {
	info    os.FileInfo
	synced  []byte
	pending []call
}

// theDisk is the only one: SQLite has one default file system a process.
var theDisk = &disk{open: map[uintptr]string{}, real: map[uintptr]uintptr{}, ours: map[uintptr]uintptr{}}

// at is the C structure at an address.
func at[T any](p uintptr) *T { return *(**T)(unsafe.Pointer(&p)) }

// function is the address by which translated C calls a function, and calls is a function at such an address.
func function[F any](f F) uintptr         { return *(*uintptr)(unsafe.Pointer(&f)) }
func functionAt[F any](address uintptr) F { return *(*F)(unsafe.Pointer(&address)) }

type (
	openFunc     = func(tls *libc.TLS, vfs, name, file uintptr, flags int32, out uintptr) int32
	deleteFunc   = func(tls *libc.TLS, vfs, name uintptr, sync int32) int32
	closeFunc    = func(tls *libc.TLS, file uintptr) int32
	writeFunc    = func(tls *libc.TLS, file, data uintptr, n int32, offset int64) int32
	truncateFunc = func(tls *libc.TLS, file uintptr, size int64) int32
	syncFunc     = func(tls *libc.TLS, file uintptr, flags int32) int32
	readFunc     = func(tls *libc.TLS, file, data uintptr, n int32, offset int64) int32
	sleepFunc    = func(tls *libc.TLS, vfs uintptr, microseconds int32) int32
	lockFunc     = func(tls *libc.TLS, file uintptr, level int32) int32
	lockPartFunc = func(tls *libc.TLS, file uintptr, from, n, flags int32) int32
	shareFunc    = func(tls *libc.TLS, file uintptr, region, size, extend int32, out uintptr) int32
)

// install makes the disk the default file system, before the first connection.
func (d *disk) install() error {
	tls := libc.NewTLS()
	below := sqlite3.Xsqlite3_vfs_find(tls, 0)
	if below == 0 {
		return errors.New("SQLite has no file system")
	}
	d.below = *at[sqlite3.Tsqlite3_vfs](below)
	name, err := libc.CString("faults")
	if err != nil {
		return err
	}
	own := libc.Xmalloc(tls, libc.Tsize_t(unsafe.Sizeof(d.below)))
	vfs := at[sqlite3.Tsqlite3_vfs](own)
	*vfs = d.below
	vfs.FzName, vfs.FpNext = name, 0
	vfs.FxOpen, vfs.FxDelete, vfs.FxSleep = function(openFile), function(deleteFile), function(sleep)
	if code := sqlite3.Xsqlite3_vfs_register(tls, own, 1); code != sqlite3.SQLITE_OK {
		return errors.New("SQLite refuses the file system")
	}
	return nil
}

// arm counts and judges calls from now on, those that change something.
func (d *disk) arm(judge func(int, call) int32) { d.armAll(judge, true) }

// armAll is arm, also for calls that read or lock unless quiet is set.
func (d *disk) armAll(judge func(int, call) int32, quiet bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.armed, d.quiet, d.calls, d.judge, d.files = true, quiet, 0, judge, map[string]*image{}
	for _, path := range d.open {
		d.track(path)
	}
}

// lift ends the faults.
func (d *disk) lift() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.armed = false
}

// do passes a call on, unless it is to fail.
func (d *disk) do(c call, pass func() int32) int32 {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.armed || d.quiet && !c.kind.changes() {
		return pass()
	}
	d.calls++
	if code := d.judge(d.calls, c); code != sqlite3.SQLITE_OK {
		return code
	}
	code := pass()
	if code == sqlite3.SQLITE_OK {
		d.note(c)
	}
	return code
}

// note keeps account of what a power cut would leave of a file.
func (d *disk) note(c call) {
	switch f := d.files[c.path]; {
	case c.kind == opOpen:
		d.track(c.path)
	case c.kind == opDelete:
		delete(d.files, c.path)
	case f == nil:
	case c.kind == opSync:
		f.synced, f.pending = applied(f.synced, f.pending), nil
	case c.kind == opWrite || c.kind == opTruncate:
		c.data = append([]byte(nil), c.data...)
		f.pending = append(f.pending, c)
	}
}

// track begins the account of a file, unless there is one. A file that has come to a name
// without SQLite was made durable by whoever gave it that.
func (d *disk) track(path string) {
	info, err := os.Stat(path)
	if path == "" || err != nil {
		return
	}
	if f := d.files[path]; f == nil || !os.SameFile(f.info, info) {
		text, _ := os.ReadFile(path)
		d.files[path] = &image{info: info, synced: text}
	}
}

// applied is a file after some calls.
func applied(text []byte, calls []call) []byte {
	text = append([]byte(nil), text...)
	for _, c := range calls {
		end := int(c.offset) + len(c.data)
		if len(text) < end {
			text = append(text, make([]byte, end-len(text))...)
		}
		copy(text[c.offset:], c.data)
		if c.kind == opTruncate {
			text = text[:c.offset]
		}
	}
	return text
}

func openFile(tls *libc.TLS, vfs, name, file uintptr, flags int32, out uintptr) int32 {
	d := theDisk
	c := call{kind: opOpen, makes: flags&sqlite3.SQLITE_OPEN_CREATE != 0}
	if name != 0 {
		c.path = libc.GoString(name)
		if _, err := os.Stat(c.path); err == nil {
			c.makes = false
		}
	}
	code := d.do(c, func() int32 {
		code := functionAt[openFunc](d.below.FxOpen)(tls, vfs, name, file, flags, out)
		if methods := at[sqlite3.Tsqlite3_file](file).FpMethods; code == sqlite3.SQLITE_OK && methods != 0 {
			at[sqlite3.Tsqlite3_file](file).FpMethods = d.methods(tls, methods)
			d.open[file] = c.path
		}
		return code
	})
	if code != sqlite3.SQLITE_OK {
		at[sqlite3.Tsqlite3_file](file).FpMethods = 0
	}
	return code
}

// methods are those of a file with ours in the place of some. The file below stays what it is.
func (d *disk) methods(tls *libc.TLS, below uintptr) uintptr {
	if own, ok := d.ours[below]; ok {
		return own
	}
	own := libc.Xmalloc(tls, libc.Tsize_t(unsafe.Sizeof(sqlite3.Tsqlite3_io_methods{})))
	m := at[sqlite3.Tsqlite3_io_methods](own)
	*m = *at[sqlite3.Tsqlite3_io_methods](below)
	m.FxClose, m.FxWrite, m.FxTruncate = function(closeFile), function(writeFile), function(truncateFile)
	m.FxSync, m.FxRead, m.FxLock = function(syncFile), function(readFile), function(lockFile)
	if m.FxShmMap != 0 {
		m.FxShmMap, m.FxShmLock = function(shareFile), function(lockPart)
	}
	d.ours[below], d.real[own] = own, below
	return own
}

// under returns the methods below those of an open file.
func (d *disk) under(file uintptr) *sqlite3.Tsqlite3_io_methods {
	return at[sqlite3.Tsqlite3_io_methods](d.real[at[sqlite3.Tsqlite3_file](file).FpMethods])
}

func (d *disk) pathOf(file uintptr) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.open[file]
}

func deleteFile(tls *libc.TLS, vfs, name uintptr, sync int32) int32 {
	d := theDisk
	return d.do(call{kind: opDelete, path: libc.GoString(name)}, func() int32 {
		return functionAt[deleteFunc](d.below.FxDelete)(tls, vfs, name, sync)
	})
}

func closeFile(tls *libc.TLS, file uintptr) int32 {
	d := theDisk
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.open, file)
	return functionAt[closeFunc](d.under(file).FxClose)(tls, file)
}

func writeFile(tls *libc.TLS, file, data uintptr, n int32, offset int64) int32 {
	d := theDisk
	c := call{kind: opWrite, path: d.pathOf(file), data: unsafe.Slice(at[byte](data), n), offset: offset}
	return d.do(c, func() int32 { return functionAt[writeFunc](d.under(file).FxWrite)(tls, file, data, n, offset) })
}

func truncateFile(tls *libc.TLS, file uintptr, size int64) int32 {
	d := theDisk
	c := call{kind: opTruncate, path: d.pathOf(file), offset: size}
	return d.do(c, func() int32 { return functionAt[truncateFunc](d.under(file).FxTruncate)(tls, file, size) })
}

func syncFile(tls *libc.TLS, file uintptr, flags int32) int32 {
	d := theDisk
	return d.do(call{kind: opSync, path: d.pathOf(file)}, func() int32 {
		return functionAt[syncFunc](d.under(file).FxSync)(tls, file, flags)
	})
}

// sleep does not wait for a lock that nobody will give back.
func sleep(tls *libc.TLS, vfs uintptr, microseconds int32) int32 {
	d := theDisk
	d.mu.Lock()
	waits := !d.armed || d.quiet
	d.mu.Unlock()
	if !waits {
		return microseconds
	}
	return functionAt[sleepFunc](d.below.FxSleep)(tls, vfs, microseconds)
}

func readFile(tls *libc.TLS, file, data uintptr, n int32, offset int64) int32 {
	d := theDisk
	return d.do(call{kind: opRead, path: d.pathOf(file)}, func() int32 {
		return functionAt[readFunc](d.under(file).FxRead)(tls, file, data, n, offset)
	})
}

// lockFile is a call that others can only keep from working.
func lockFile(tls *libc.TLS, file uintptr, level int32) int32 {
	d := theDisk
	return d.do(call{kind: opLock, path: d.pathOf(file)}, func() int32 {
		return functionAt[lockFunc](d.under(file).FxLock)(tls, file, level)
	})
}

// lockPart locks parts of the index of the log, or unlocks them, which always works.
func lockPart(tls *libc.TLS, file uintptr, from, n, flags int32) int32 {
	d := theDisk
	pass := func() int32 {
		return functionAt[lockPartFunc](d.under(file).FxShmLock)(tls, file, from, n, flags)
	}
	if flags&sqlite3.SQLITE_SHM_UNLOCK != 0 {
		d.mu.Lock()
		defer d.mu.Unlock()
		return pass()
	}
	return d.do(call{kind: opLockPart, path: d.pathOf(file)}, pass)
}

// shareFile is a call that changes something only if it extends.
func shareFile(tls *libc.TLS, file uintptr, region, size, extend int32, out uintptr) int32 {
	d := theDisk
	pass := func() int32 {
		return functionAt[shareFunc](d.under(file).FxShmMap)(tls, file, region, size, extend, out)
	}
	if extend == 0 {
		d.mu.Lock()
		defer d.mu.Unlock()
		return pass()
	}
	return d.do(call{kind: opShare, path: d.pathOf(file)}, pass)
}

// remnant is what some way to die leaves of the files that SQLite has written to.
type remnant struct {
	how   string
	files map[string][]byte // that are not what the disk has now
}

// deaths are the ways to die at a call; the disk is locked.
func (d *disk) deaths(c call, chance *rand.Rand) []remnant {
	all := []remnant{{"killed", nil}}
	if c.kind == opWrite && c.path != "" {
		if text, err := os.ReadFile(c.path); err == nil {
			half := call{kind: opWrite, data: c.data[:len(c.data)/2], offset: c.offset}
			all = append(all, remnant{"torn", map[string][]byte{c.path: applied(text, []call{half})}})
		}
	}
	none, some := map[string][]byte{}, map[string][]byte{}
	for path, f := range d.files {
		info, err := os.Stat(path)
		if err != nil || !os.SameFile(info, f.info) || len(f.pending) == 0 {
			continue
		}
		none[path] = f.synced
		kept := slices.DeleteFunc(slices.Clone(f.pending), func(call) bool { return chance.IntN(2) == 0 })
		some[path] = applied(f.synced, kept)
	}
	if len(none) > 0 {
		all = append(all, remnant{"without power", none}, remnant{"without power, some written", some})
	}
	return all
}
