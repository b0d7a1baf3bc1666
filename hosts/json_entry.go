package hosts

import (
	"bytes"
	"strings"
)

// setJSON sets the entry at a path of a JSON text. Unless replace is true, it
// refuses to change an entry that [mayReplace] protects.
func setJSON(src []byte, strict bool, path []string, entry object, replace bool) ([]byte, error) {
	t, err := parseJSON(src, strict)
	if err != nil {
		return nil, err
	}
	old, err := t.find(path...)
	if err != nil {
		return nil, err
	}
	if old != nil {
		had, _ := t.decode(old).(map[string]any)
		if !replace {
			if err := mayReplace(path[len(path)-1], had, entry); err != nil {
				return nil, err
			}
		}
		if covers(had, entry) {
			return src, nil
		}
	}
	if err := t.set(entry, path...); err != nil {
		return nil, err
	}
	return t.bytes(), nil
}

// isOurs reports whether an entry starts this program, or connects to the endpoint url.
func isOurs(entry map[string]any, url string) bool {
	return isProgram(commandOf(entry)) || url != "" && endpointOf(entry) == url
}

// removeJSON removes our entry from a JSON text, and parents that become empty
// unless keep is true for them.
func removeJSON(src []byte, path []string, url string, keep func(path []string) bool) ([]byte, error) {
	t, err := parseJSON(src, false)
	if err != nil {
		return nil, err
	}
	old, err := t.find(path...)
	if err != nil || old == nil {
		return src, err
	}
	had, _ := t.decode(old).(map[string]any)
	if !isOurs(had, url) {
		return src, nil
	}
	if err := t.remove(keep, path...); err != nil {
		return nil, err
	}
	return t.bytes(), nil
}

// endpointOf returns the URL to which an entry connects, or "".
func endpointOf(entry map[string]any) string {
	for _, key := range []string{"url", "httpUrl", "serverUrl", "uri"} {
		if url, ok := entry[key].(string); ok {
			return url
		}
	}
	return ""
}

// sameJSON reports whether two JSON files differ only in white space.
func sameJSON(a, b []byte) bool { return sameTokens(a, b) }

// emptyJSON reports whether a file is blank or has only an empty object.
func emptyJSON(text []byte) bool {
	text = bytes.TrimPrefix(text, byteOrderMark)
	return len(withoutSpace(text)) == 0 || string(withoutSpace(text)) == "{}"
}

// jsonSnippet returns a value at its path as JSON, for a person to merge.
func jsonSnippet(path []string, value any) string {
	for i := len(path) - 1; i >= 0; i-- {
		value = object{{path[i], value}}
	}
	text, err := marshal(value, "", "  ")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}
