package web

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"net/http"
	"strings"
	"sync"

	"mcp-memory/memory"
)

//go:embed assets
var files embed.FS

// assetTypes lists the files of assets/ that are served, with their Content-Type.
var assetTypes = map[string]string{
	"page.css": "text/css; charset=utf-8",
	"page.js":  "text/javascript; charset=utf-8",
	"icon.svg": "image/svg+xml",
}

// asset is a file and the first 16 hex digits of the SHA-256 of its content. They are part of the
// address under which the file is served.
type asset struct {
	content []byte
	hash    string
}

// assets reads and hashes the embedded files on its first call.
var assets = sync.OnceValue(func() map[string]asset {
	all := map[string]asset{}
	for name := range assetTypes {
		content, err := files.ReadFile("assets/" + name)
		if err != nil {
			panic(err) // the file is embedded
		}
		sum := sha256.Sum256(content)
		all[name] = asset{content, hex.EncodeToString(sum[:8])}
	}
	return all
})

// assetPath returns the address of a file. It contains the hash of the content, so it changes when
// the content does.
func assetPath(name string) string {
	stem, extension, _ := strings.Cut(name, ".")
	return Root + "/assets/" + stem + "." + assets()[name].hash + "." + extension
}

// asset serves a file. Browsers may cache it for ever, because other content has another address.
func (s *Site) asset(v *visit) (answer, error) {
	parts := strings.Split(v.r.PathValue("name"), ".")
	if len(parts) == 3 {
		name := parts[0] + "." + parts[2]
		if a, ok := assets()[name]; ok && a.hash == parts[1] {
			v.w.Header().Set("Cache-Control", "private, max-age=31536000, immutable")
			v.send(http.StatusOK, assetTypes[name], a.content)
			return nil, nil
		}
	}
	return nil, memory.Errorf(memory.CodeNotFound, "there is no such file").WithHint("load the page again")
}
