package web

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"path"
	"strings"
	"unicode"

	"mcp-memory/memory"
	"mcp-memory/web/html"
	"mcp-memory/workspace"
)

// files lists the files of the workspace, or shows the one of the address's field name.
func (s *Site) files(v *visit) (answer, error) {
	scope, err := v.scope()
	if err != nil {
		return nil, err
	}
	dir := s.o.Files(scope.Agent)
	if name := v.r.URL.Query().Get("name"); name != "" {
		f, err := readFile(v.context(), dir, name)
		if err != nil {
			return nil, err
		}
		return page{title: name, body: html.Div(html.ID("file"), html.Data("refresh", "file"), v.file(f, f.text()))}, nil
	}
	names, err := dir.List(v.context())
	if err != nil {
		return nil, err
	}
	news, err := dir.News(v.context(), s.o.Clock.Now())
	if err != nil {
		return nil, err
	}
	body := html.List{html.P(html.Class("hint"),
		"What you and your agents read and write beside the database. What you change in MEMORY.md, SOUL.md, HEARTBEAT.md and the learnings changes the memories, and the other way round.")}
	for _, line := range news {
		body = append(body, html.P(html.Class("warning"), html.El("bdi", line)))
	}
	if len(names) == 0 {
		body = append(body, html.P(html.Class("empty"), "There are none yet: the first save makes them."))
	}
	at := v.pager("before")
	shown, next := pageOf(names, func(name string) string { return name }, at.before, filesPage)
	body = append(body, folders(shown), at.links("before", "/files", next))
	return page{title: "Files", body: html.Div(html.ID("files"), html.Data("refresh", "files"), body)}, nil
}

// filesPage is how many files a page lists.
const filesPage = 300

// folders lists file names under the titles of their folders, files in the top folder first.
func folders(names []string) html.Node {
	var list, items html.List
	folder := ""
	flush := func() {
		if len(items) > 0 {
			list = append(list, html.Section(html.H2(folderTitle(folder)), html.Ul(html.Class("brief"), items)))
		}
		items = nil
	}
	for _, here := range []bool{true, false} { // files of the top folder first
		for _, name := range names {
			in := path.Dir(name)
			if (in == ".") != here {
				continue
			}
			if in != folder {
				flush()
				folder = in
			}
			title := []any{html.A(html.Href(query("/files", "name", name)), html.El("bdi", path.Base(name)))}
			if strings.Contains(name, workspace.ConflictMark) {
				title = append(title, " ", html.Span(html.Class("badge warning"), "could not be merged"))
			}
			items = append(items, html.Li(title...))
		}
	}
	flush()
	return html.Div(html.Class("folders"), list)
}

func folderTitle(folder string) html.Node {
	switch folder {
	case ".", "":
		return html.Text("Workspace")
	case workspace.SharedFolder:
		return html.Text("For all agents")
	}
	return html.El("bdi", folder)
}

// file is a text file of a workspace as it was read.
type file struct {
	name string
	raw  []byte // the bytes on disk
}

// mark is the byte order mark that some editors put at the beginning of a file.
const mark = "\ufeff"

// text returns the content without a byte order mark and with \n as line end, as forms show it.
func (f file) text() string {
	return strings.ReplaceAll(strings.TrimPrefix(string(f.raw), mark), "\r\n", "\n")
}

// written returns the bytes to store for an edited text. They have a byte order mark and \r\n line
// ends if the file had them before.
func (f file) written(text string) []byte {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	if bytes.Contains(f.raw, []byte("\r\n")) {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	if bytes.HasPrefix(f.raw, []byte(mark)) {
		text = mark + text
	}
	return []byte(text)
}

func (f file) version() string {
	sum := sha256.Sum256(f.raw)
	return hex.EncodeToString(sum[:12])
}

// own reports whether a file is in the agent's own folder of memory files.
func (f file) own() bool { return strings.HasPrefix(f.name, workspace.MemoriesFolder+"/") }

// closed says why a file cannot be edited on the page, "" if it can.
func (f file) closed() string {
	odd := func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }
	switch {
	case strings.HasPrefix(f.name, workspace.SharedFolder+"/"):
		return "All agents are given this file. It is edited where it lies."
	case path.Ext(f.name) != ".md" && !f.own():
		return "The program writes this file. It is not for editing."
	case strings.ContainsFunc(f.text(), odd):
		return "There are control characters in this file, which no form keeps. It is edited where it lies."
	}
	return ""
}

// readFile reads a text file. Errors are those of [workspace.Dir.Read].
func readFile(ctx context.Context, dir workspace.Dir, name string) (file, error) {
	text, err := dir.Read(ctx, name) // fails for names that are not in the workspace and for files that are not text
	if err != nil {
		return file{}, err
	}
	if strings.HasPrefix(name, workspace.SharedFolder+"/") {
		return file{name, []byte(text)}, nil
	}
	raw, err := dir.Raw(ctx, name)
	if err == nil && raw == nil {
		err = memory.Errorf(memory.CodeNotFound, "the workspace has no file %q", name)
	}
	return file{name, raw}, err
}

// file shows a file. If it can be edited, it shows a form that holds the text typed.
func (v *visit) file(f file, typed string) html.Node {
	body := html.List{html.P(html.A(html.Href(Root+"/files"), "All files"))}
	why := f.closed()
	if why != "" || !v.writes() {
		if why != "" {
			body = append(body, html.P(html.Class("hint"), why))
		}
		return append(body, html.El("pre", html.Attr("dir", "auto"), f.text()))
	}
	rows := min(30, 3+strings.Count(typed, "\n"))
	return append(body, v.form("/files", html.Class("stack"), html.Data("keep", "1"), hidden("name", f.name),
		hidden("version", f.version()),
		html.Label(html.Class("visually-hidden"), html.For("content"), "What the file says"),
		html.Textarea(html.ID("content"), html.Name("content"), html.Class("code"), html.Whole("rows", rows), html.Attr("dir", "auto"),
			html.Attr("spellcheck", "false"), typed),
		html.Div(html.Class("actions"), html.Button(html.Class("main"), "Save"))))
}

// maxFile is the largest file that is read, in bytes; see [workspace.Dir.Read].
const maxFile = 1 << 20

// writeFile replaces the content of a file, unless it was changed since the form was made.
func (s *Site) writeFile(v *visit) (answer, error) {
	scope, err := v.scope()
	if err != nil {
		return nil, err
	}
	dir, name, typed := s.o.Files(scope.Agent), v.field("name"), strings.ReplaceAll(v.r.PostFormValue("content"), "\r\n", "\n")
	f, err := readFile(v.context(), dir, name)
	if err != nil {
		return nil, err
	}
	if why := f.closed(); why != "" {
		return nil, memory.Errorf(memory.CodeForbidden, "%s", strings.TrimSuffix(why, "."))
	}
	now := f.written(typed)
	if len(now) > maxFile {
		return nil, memory.Errorf(memory.CodeTooLarge, "the file would have %d bytes", len(now)).WithHint("at most %d", maxFile)
	}
	done := f.version() == v.field("version")
	switch {
	case !done || bytes.Equal(now, f.raw):
	case f.own():
		err = dir.Memories().Edit(v.context(), "page", strings.TrimPrefix(name, workspace.MemoriesFolder+"/"),
			func(old string) (string, error) {
				if done = strings.TrimPrefix(old, mark) == strings.TrimPrefix(string(f.raw), mark); !done {
					return "", errChanged
				}
				return strings.TrimPrefix(string(now), mark), nil
			})
		if !done {
			err = nil
		}
	default:
		done, err = dir.Swap(v.context(), name, f.raw, now)
	}
	if err != nil {
		return nil, err
	}
	if !done {
		return v.fileConflict(dir, name, typed)
	}
	return v.done(query("/files", "name", name), "Saved.", "")
}

// fileConflict shows the new content beside what was typed, if somebody else has changed the file
// meanwhile.
func (v *visit) fileConflict(dir workspace.Dir, name, typed string) (answer, error) {
	f, err := readFile(v.context(), dir, name)
	if err != nil {
		return nil, err
	}
	return page{status: http.StatusConflict, title: "Changed meanwhile", body: html.List{
		html.P(html.Class("warning"), html.Attr("role", "alert"),
			"Somebody changed the file while you looked at it. Nothing was overwritten. Below is what you typed; saving it now replaces what the file says."),
		html.Section(html.H2("What the file says now, beside what you typed"), html.Div(html.Class("text"), diff(f.text(), typed))),
		v.file(f, typed),
	}}, nil
}
