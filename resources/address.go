package resources

import (
	"context"
	"net/url"
	"strings"
	"unicode/utf8"

	"mcp-memory/memory"
)

// Scheme is the URI scheme of all addresses.
const Scheme = "memory://"

// Addresses of the pages that every bank has.
const (
	SessionStart = Scheme + "session-start"
	Soul         = Scheme + "soul"
	Salient      = Scheme + "salient"
	Stats        = Scheme + "stats"
)

// Prefixes of addresses that continue with an id, a date, a name or a path.
const (
	Records    = Scheme + "record/"
	Diary      = Scheme + "diary/"
	Sessions   = Scheme + "session/"
	Workspaces = Scheme + "workspace/"
	Blames     = Scheme + "blame/"
)

// Page is the page at an address.
type Page struct {
	URI  string
	Type string // media type, such as "text/markdown"
	Text string
}

// MaxAddress bounds an address, in bytes.
const MaxAddress = 8 << 10

// Read returns the page at an address. Errors: [memory.CodeInvalidArgument] for an address that is
// not valid, [memory.CodeNotFound] if there is no such page, and those of [Files] for workspace
// files.
func (s *Service) Read(ctx context.Context, scope memory.Scope, uri string) (Page, error) {
	if len(uri) > MaxAddress || !utf8.ValidString(uri) {
		return Page{}, memory.Errorf(memory.CodeInvalidArgument, "the address is %d bytes or not text", len(uri)).
			WithHint("at most %d bytes of UTF-8", MaxAddress)
	}
	page := Page{URI: uri, Type: "text/markdown"}
	var err error
	switch uri {
	case SessionStart:
		page.Text, err = s.sessionStart(ctx, scope)
	case Soul:
		page.Text, err = s.soul(ctx, scope)
	case Salient:
		page.Text, err = s.salient(ctx, scope)
	case Stats:
		page.Text, err = s.stats(ctx, scope)
	default:
		return s.readFamily(ctx, scope, page)
	}
	return page, err
}

func (s *Service) readFamily(ctx context.Context, scope memory.Scope, page Page) (Page, error) {
	for prefix, read := range map[string]func(context.Context, memory.Scope, string) (string, error){
		Records: s.record, Diary: s.diary, Sessions: s.session, Workspaces: s.file, Blames: s.blame,
	} {
		rest, ok := strings.CutPrefix(page.URI, prefix)
		if !ok {
			continue
		}
		name, err := decode(rest, prefix == Workspaces || prefix == Blames)
		if err != nil {
			return Page{}, err
		}
		page.Text, err = read(ctx, scope, name)
		if prefix == Workspaces {
			page.Type = typeOf(name)
		}
		return page, err
	}
	return Page{}, memory.Errorf(memory.CodeNotFound, "there is nothing at %q", oneLine(page.URI, startLine)).
		WithHint("the lists of resources and templates say what there is")
}

// decode returns the percent-decoded rest of an address. Only paths may contain slashes. An encoded
// slash in a path is refused, because no file name contains one.
func decode(rest string, path bool) (string, error) {
	wrong := memory.Errorf(memory.CodeInvalidArgument, "the address is not valid").
		WithHint("one name, or a path after %s or %s; other characters are percent-encoded", Workspaces, Blames)
	if rest == "" || strings.ContainsAny(rest, "?# ") || !path && strings.Contains(rest, "/") {
		return "", wrong
	}
	parts := strings.Split(rest, "/")
	for i, part := range parts {
		decoded, err := url.PathUnescape(part)
		if err != nil || !utf8.ValidString(decoded) || strings.Contains(decoded, "\x00") || path && strings.Contains(decoded, "/") {
			return "", wrong
		}
		parts[i] = decoded
	}
	return strings.Join(parts, "/"), nil
}

// encode returns the address of a name or path under a prefix.
func encode(prefix, name string) string {
	if prefix != Workspaces {
		return prefix + escape(name)
	}
	parts := strings.Split(name, "/")
	for i, part := range parts {
		parts[i] = escape(part)
	}
	return prefix + strings.Join(parts, "/")
}

// escape percent-encodes all characters but letters, digits, "-", ".", "_" and "~", which are what
// RFC 6570 templates match.
func escape(name string) string {
	return strings.ReplaceAll(url.QueryEscape(name), "+", "%20")
}

func typeOf(name string) string {
	switch {
	case strings.HasSuffix(name, ".md"):
		return "text/markdown"
	case strings.HasSuffix(name, ".jsonl"):
		return "application/x-ndjson"
	}
	return "text/plain"
}
