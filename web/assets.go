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

// assetTypes are those of the files that are sent.
var assetTypes = map[string]string{
	"page.css": "text/css; charset=utf-8",
	"page.js":  "text/javascript; charset=utf-8",
	"icon.svg": "image/svg+xml",
}

// asset is a file with what its name says of its content.
type asset struct {
	content []byte
	hash    string
}

// assets reads the files once, when a page is first wanted.
var assets = sync.OnceValue(func() map[string]asset {
	all := map[string]asset{}
	for name := range assetTypes {
		content, err := files.ReadFile("assets/" + name)
		if err != nil {
			panic(err) // it is in the program
		}
		sum := sha256.Sum256(content)
		all[name] = asset{content, hex.EncodeToString(sum[:8])}
	}
	return all
})

// assetPath is where a file is, by a name that changes with its content.
func assetPath(name string) string {
	stem, extension, _ := strings.Cut(name, ".")
	return Root + "/assets/" + stem + "." + assets()[name].hash + "." + extension
}

// asset sends a file. Its content is that of its name for ever.
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
