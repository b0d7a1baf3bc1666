package passages

import (
	"path"
	"strings"
	"time"

	"mcp-memory/text/lazyregexp"
)

var (
	comment  = lazyregexp.New(`(?s)[ \t]*<!--.*?-->`)
	aside    = lazyregexp.New(`%%[^\n]*?%%`)
	blockID  = lazyregexp.New(`(?m)[ \t]+\^[0-9A-Za-z-]+[ \t]*$`)
	wikiLink = lazyregexp.New(`!?\[\[([^\[\]|\n]+)(?:\|([^\[\]\n]*))?\]\]`)
	callout  = lazyregexp.New(`(?m)^(\s*(?:>\s*)+)\[!([A-Za-z-]+)\][+-]?`)
	target   = lazyregexp.New(`(\]\()[^()\s]*(?:\s+"[^"]*")?\)`)
	dateIn   = lazyregexp.New(`(?:^|[^0-9])(\d{4}-\d{2}-\d{2})(?:[^0-9]|$)`)
)

// visible is what a reader of the finished page sees of a passage, in Markdown:
// without comments, the marks of records, and names of blocks.
func visible(text string) string {
	if strings.Contains(text, "\r") {
		text = strings.ReplaceAll(text, "\r\n", "\n")
	}
	if strings.Contains(text, "<!--") {
		text = comment().ReplaceAllString(text, "")
	}
	if strings.Contains(text, "%%") && !strings.Contains(text, "```") { // in code it is none
		text = aside().ReplaceAllString(text, "")
	}
	if strings.Contains(text, " ^") {
		text = blockID().ReplaceAllString(text, "")
	}
	return strings.TrimSpace(text)
}

// plain is what is searched of what is visible: links by their names, call-outs by
// what they say.
func plain(text string) string {
	if strings.Contains(text, "[[") {
		text = wikiLink().ReplaceAllStringFunc(text, func(link string) string {
			m := wikiLink().FindStringSubmatch(link)
			if m[2] != "" {
				return m[2]
			}
			return strings.NewReplacer("#", " ", "^", " ").Replace(m[1])
		})
	}
	if strings.Contains(text, "[!") {
		text = callout().ReplaceAllString(text, "$1")
	}
	if strings.Contains(text, "](") {
		text = target().ReplaceAllString(text, "]")
	}
	return text
}

// matter is what the front matter of a file and its name tell of all of it.
type matter struct {
	from, to int       // the bytes between the marks of the front matter
	end      int       // the first byte behind it, 0 without one
	about    string    // title, other names and tags: found by every passage
	date     time.Time // the day that it is about; zero if none is told
	other    bool      // the front matter tells more than that
}

// matterOf reads the front matter of a file: lines "key: value" between "---". One
// that never ends is none.
func matterOf(name, text string) matter {
	stem := strings.TrimSuffix(path.Base(name), path.Ext(name))
	about := []string{stem}
	m := matter{date: dayOf(stem)}
	m.from, m.to, m.end = frontMatter(text)
	key := ""
	for line := range strings.Lines(text[m.from:m.to]) {
		value := strings.TrimSpace(line)
		if rest, isItem := strings.CutPrefix(value, "- "); isItem {
			value = rest
		} else if name, rest, found := strings.Cut(value, ":"); found && !strings.HasPrefix(line, " ") {
			key, value = strings.ToLower(strings.TrimSpace(name)), strings.TrimSpace(rest)
		}
		value = strings.TrimSpace(strings.Trim(strings.Trim(value, "[]"), `"'`))
		switch key {
		case "title", "alias", "aliases", "tag", "tags":
			if value == "" {
				continue // a list follows
			}
			about = append(about, strings.NewReplacer(`"`, "", "#", "").Replace(value))
		case "date", "day", "created":
			if day := dayOf(value); !day.IsZero() && (key != "created" || m.date.IsZero()) {
				m.date = day
			}
		case "", "cssclass", "cssclasses", "publish", "id", "updated", "modified":
		default:
			m.other = m.other || value != ""
		}
	}
	m.about = strings.Join(about, " ")
	return m
}

// frontMatter returns the bytes between the marks, and where the text goes on; zeros
// without one.
func frontMatter(text string) (from, to, end int) {
	first, rest, found := strings.Cut(text, "\n")
	if !found || strings.TrimRight(first, " \r") != "---" {
		return 0, 0, 0
	}
	from = len(first) + 1
	at := from
	for line := range strings.Lines(rest) {
		if mark := strings.TrimRight(line, " \r\n"); mark == "---" || mark == "..." {
			return from, at, at + len(line)
		}
		at += len(line)
	}
	return 0, 0, 0
}

// dayOf finds a date YYYY-MM-DD; zero if there is none.
func dayOf(text string) time.Time {
	m := dateIn().FindStringSubmatch(text)
	if m == nil {
		return time.Time{}
	}
	day, err := time.Parse(time.DateOnly, m[1])
	if err != nil {
		return time.Time{}
	}
	return day
}

// passages cuts a file, the front matter first where it tells something.
func passages(name, text string) (matter, []part) {
	m := matterOf(name, text)
	var parts []part
	if m.other {
		s := splitter{text: text}
		s.add(block{from: m.from, to: m.to, line: 2, indent: -1}, "")
		parts = s.parts
	}
	return m, append(parts, split(text, m.end)...)
}
