package workspace

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"mcp-memory/text/lazyregexp"
)

// maxNameBytes bounds a file's name: below what file systems take (255) by
// enough for suffixes of backups and synchronisation.
const maxNameBytes = 200

// reserved are names that are devices on Windows, whatever follows a dot.
var reserved = lazyregexp.New(`^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)`)

// SessionName is the file of a session's turns relative to the workspace, with
// forward slashes: sessions/ID.jsonl. Of the id, a-z, 0-9, "-", "_" and dots
// inside stay as they are; everything else is written as %XX, also capitals,
// because many file systems take A for a. [net/url.PathUnescape] gives the id
// back. An id whose name would be over 200 bytes is cut and gets a hash after
// "%-"; then only the lines of the file tell it.
func (Dir) SessionName(session string) string {
	const suffix = ".jsonl"
	var b strings.Builder
	device := reserved().MatchString(strings.ToLower(session))
	for i := range len(session) {
		c := session[i]
		plain := 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '-' || c == '_' || c == '.' && i > 0
		if plain && (i > 0 || !device) {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	name := b.String()
	if len(name)+len(suffix) > maxNameBytes {
		hash := sha256.Sum256([]byte(session))
		tag := "%-" + hex.EncodeToString(hash[:16])
		name = name[:maxNameBytes-len(suffix)-len(tag)] + tag
	}
	return "sessions/" + name + suffix
}
