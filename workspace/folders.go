package workspace

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// folders remembers which folder below a directory is an agent's: looking takes
// longer than most calls do with it. The keys are folderKey, the values string.
var folders sync.Map

type folderKey struct{ base, agent string }

// folderOf returns the name of an agent's folder below base. Many file systems take Ada for ada,
// so a letter that they would take for another is written as %XX for each of its bytes, as in
// sessionNames: Ada is %41da. A folder that an earlier version made under the plain name stays
// the agent's.
func folderOf(base, agent string) string {
	key := folderKey{base, agent}
	if known, ok := folders.Load(key); ok {
		return known.(string)
	}
	name := chooseFolder(agent, func(name string) bool { return isNamed(base, name) }, func(name string) bool {
		_, err := os.Lstat(filepath.Join(base, name))
		return err == nil
	})
	folders.Store(key, name)
	return name
}

// chooseFolder returns the folder's name by what there is: named reports whether there is a
// folder of exactly that name, found whether the file system finds one by it, perhaps in another
// case.
func chooseFolder(agent string, named, found func(string) bool) string {
	name := folderName(agent)
	switch {
	case name != agent && agent != SharedFolder && named(agent):
		return agent
	case name == agent && found(agent) && !named(agent): // by a capital letter it is another's
		return escaped(agent[:1]) + agent[1:]
	}
	return name
}

// folderName is an agent's name as every file system tells it from others. One
// that would be over 200 bytes is cut and gets a hash after "%-".
func folderName(agent string) string {
	var b strings.Builder
	for _, r := range agent {
		if unicode.ToLower(unicode.ToUpper(r)) == r {
			b.WriteRune(r)
		} else {
			b.WriteString(escaped(string(r)))
		}
	}
	name := b.String()
	if name == SharedFolder { // which belongs to nobody
		return escaped(name[:1]) + name[1:]
	}
	if name != agent && len(name) > maxNameBytes {
		hash := sha256.Sum256([]byte(agent))
		tag := "%-" + hex.EncodeToString(hash[:16])
		name = name[:maxNameBytes-len(tag)] + tag
	}
	return name
}

func escaped(s string) string {
	var b strings.Builder
	for i := range len(s) {
		fmt.Fprintf(&b, "%%%02X", s[i])
	}
	return b.String()
}

// isNamed reports whether base has a folder, or a link, of exactly that name. A
// file system that finds it by another spelling as well has to be asked for its
// own.
func isNamed(base, name string) bool {
	one, err := os.Lstat(filepath.Join(base, name))
	if err != nil || !one.IsDir() && one.Mode()&fs.ModeSymlink == 0 {
		return false
	}
	other, err := os.Lstat(filepath.Join(base, otherCase(name)))
	if err != nil || !os.SameFile(one, other) {
		return true
	}
	entries, err := os.ReadDir(base)
	return err == nil && slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.Name() == name })
}

// otherCase spells a name differently, for a file system that ignores case the
// same.
func otherCase(name string) string {
	return strings.Map(func(r rune) rune {
		if u := unicode.ToUpper(r); u != r {
			return u
		}
		return unicode.ToLower(r)
	}, name)
}
