package workspace

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"mcp-memory/text/lazyregexp"
)

// maxNameBytes bounds a file's name: below what file systems take (255) by
// enough for suffixes of backups and synchronisation.
const maxNameBytes = 200

// reserved are names that are devices on Windows, whatever follows a dot.
var reserved = lazyregexp.New(`^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)`)

const (
	sessionFolder = "sessions"
	sessionSuffix = ".jsonl"
)

// sessionNames returns the two names that the file of a session's turns can have, relative to the
// workspace, with forward slashes: sessions/ID.jsonl. In plain, letters, digits, "-", "_" and
// dots inside of the id stay as they are; everything else is written as %XX.
// [net/url.PathUnescape] gives the id back. Many file systems take A for a: if there, or wherever
// the files may be copied, the plain name may be another session's, other is used. It has
// capitals as %XX too (as an earlier version wrote all names), or all letters if there are no
// capitals. An id whose name would be over 200 bytes is cut and gets a hash after "%-"; then only
// the lines of the file tell it. Ids that are names of devices on Windows have one form.
func sessionNames(session string) (plain, other string) {
	capital := func(c byte) bool { return 'A' <= c && c <= 'Z' }
	letter := func(c byte) bool { return capital(c) || 'a' <= c && c <= 'z' }
	if reserved().MatchString(strings.ToLower(session)) {
		name := sessionName(session, func(i int) bool { return i == 0 || capital(session[i]) })
		return name, name
	}
	plain = sessionName(session, func(int) bool { return false })
	if other = sessionName(session, func(i int) bool { return capital(session[i]) }); other == plain {
		other = sessionName(session, func(i int) bool { return letter(session[i]) })
	}
	return plain, other
}

// sessionName returns the file of a session with those bytes of its id as %XX that have to be,
// and those of which escape says so.
func sessionName(session string, escape func(int) bool) string {
	var b strings.Builder
	for i := range len(session) {
		c := session[i]
		plain := 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '-' || c == '_' || c == '.' && i > 0
		if plain && !escape(i) {
			b.WriteByte(c)
		} else {
			b.WriteString(escaped(session[i : i+1]))
		}
	}
	name := b.String()
	if len(name)+len(sessionSuffix) > maxNameBytes {
		hash := sha256.Sum256([]byte(session))
		tag := "%-" + hex.EncodeToString(hash[:16])
		name = name[:maxNameBytes-len(sessionSuffix)-len(tag)] + tag
	}
	return sessionFolder + "/" + name + sessionSuffix
}

// sessionFile is the name of a session's file, which may not be there yet. Who goes on
// to make it holds the lock of the workspace.
func (t tree) sessionFile(session string) (string, error) {
	plain, other := sessionNames(session)
	found := func(name string) bool {
		_, err := t.root.Lstat(name)
		return err == nil
	}
	return chooseSession(plain, other, found, func() (names []string, err error) {
		entries, err := fs.ReadDir(t.root.FS(), sessionFolder)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("list %s: %w", sessionFolder, err)
		}
		for _, e := range entries {
			names = append(names, sessionFolder+"/"+e.Name())
		}
		return names, nil
	})
}

// chooseSession chooses by what there is: found whether the file system finds a file by
// a name, and list, which takes longer, what the files are called.
func chooseSession(plain, other string, found func(string) bool, list func() ([]string, error)) (string, error) {
	switch {
	case plain == other, found(other):
		return other, nil
	case found(plain) && !found(sessionFolder+"/"+otherCase(path.Base(plain))): // where case counts
		return plain, nil
	}
	names, err := list()
	if !slices.Contains(names, plain) && slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, plain) }) {
		return other, err
	}
	return plain, err
}
