package hosts

import (
	"reflect"
)

// local returns the entry of a server that is started by a command, after the
// members first.
func local(s Server, first ...member) object {
	return append(object(first).with("command", s.Command), member{"args", words(s.Args...)})
}

// bearer returns the object with the Authorization header, or nil without a
// token.
func bearer(s Server) any {
	if s.Token == "" {
		return nil
	}
	return object{{"Authorization", "Bearer " + s.Token}}
}

// remote returns the entry of a server over HTTP, with its URL in the member
// url.
func remote(s Server, url string, first ...member) object {
	return object(first).with(url, s.URL).with("headers", bearer(s))
}

// usual returns entries as most hosts read them: without a type, and with the
// URL in the member url.
func usual(url string, more ...member) func(Server) object {
	return func(s Server) object {
		if s.URL != "" {
			return append(remote(s, url), more...)
		}
		return append(local(s), more...)
	}
}

// typed returns entries with a type: stdio for a command, http for a URL.
func typed(stdio, http string, more ...member) func(Server) object {
	return func(s Server) object {
		if s.URL != "" {
			return append(remote(s, "url", member{"type", http}), more...)
		}
		return append(local(s, member{"type", stdio}), more...)
	}
}

// codexEntry returns a table of Codex' TOML.
func codexEntry(s Server) object {
	if s.URL == "" {
		return local(s)
	}
	return object{{"url", s.URL}}.with("http_headers", bearer(s))
}

// openCodeEntry returns an entry whose command is a list of the program and its
// arguments.
func openCodeEntry(s Server) object {
	if s.URL != "" {
		return append(remote(s, "url", member{"type", "remote"}), member{"enabled", true})
	}
	return object{{"type", "local"}, {"command", append(words(s.Command), words(s.Args...)...)}, {"enabled", true}}
}

// gooseEntry returns an extension of Goose.
func gooseEntry(s Server) object {
	if s.URL != "" {
		return object{{"name", s.Name}, {"type", "streamable_http"}, {"enabled", true}, {"uri", s.URL}}.
			with("headers", bearer(s)).with("timeout", 300)
	}
	return object{{"name", s.Name}, {"type", "stdio"}, {"enabled", true}, {"cmd", s.Command}, {"args", words(s.Args...)}, {"timeout", 300}}
}

// zedEntry returns a context server of Zed.
func zedEntry(s Server) object {
	if s.URL != "" {
		return remote(s, "url")
	}
	return local(s, member{"source", "custom"}) // older versions need it
}

// commandOf returns the program that an entry starts, or "".
func commandOf(entry map[string]any) string {
	for _, key := range []string{"command", "cmd"} {
		switch v := entry[key].(type) {
		case string:
			return v
		case []any:
			if len(v) > 0 {
				first, _ := v[0].(string)
				return first
			}
		}
	}
	return ""
}

// neutral are members with default values, as hosts and people add them.
var neutral = map[string]any{"enabled": true, "disabled": false, "type": "stdio"}

// mayReplace returns an error unless the existing entry had may be overwritten:
// it must be ours and have nothing that a person could miss.
func mayReplace(name string, had map[string]any, want object) error {
	wanted, _ := plain(want).(map[string]any)
	differs := false
	for key, value := range had {
		if key == "command" || key == "cmd" {
			list, isList := value.([]any)
			other, _ := wanted[key].([]any)
			if isList && len(list) > 0 && len(other) > 0 && !reflect.DeepEqual(list[1:], other[1:]) {
				differs = true
			}
			continue
		}
		if key == "args" && reflect.DeepEqual(value, []any{"serve"}) { // as older versions wrote
			continue
		}
		if value = plain(value); !reflect.DeepEqual(value, wanted[key]) && !reflect.DeepEqual(value, neutral[key]) && !blank(value) {
			differs = true
		}
	}
	return mayUpdate(name, commandOf(had), differs, commandOf(wanted) != "")
}

// blank reports whether a value is nil, or an empty object or list.
func blank(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		return len(v) == 0
	case []any:
		return len(v) == 0
	}
	return v == nil
}

// covers reports whether an entry has all members of want.
func covers(had map[string]any, want object) bool {
	if had == nil {
		return false
	}
	for _, m := range want {
		if !reflect.DeepEqual(plain(had[m.name]), plain(m.value)) {
			return false
		}
	}
	return true
}
