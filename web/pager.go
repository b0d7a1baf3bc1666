package web

import (
	"net/url"
	"strings"

	"mcp-memory/web/html"
)

// maxTrail is how many pages back a list leads.
const maxTrail = 20

// pager leads through a list that is longer than a page. A page is named by the key before
// which it begins, so it stays what it is while the list grows. The way back is in the address, too: the
// keys of the pages between the newest and this one.
type pager struct {
	before string   // "" on the first page
	trail  []string // of the pages before this one, without the first
	cut    bool     // the trail does not reach the first page
}

// trailCut stands in an address for the pages that the trail has lost. No key is written like that.
const trailCut = "*"

// pager reads where in a list the address is. A page of several lists has a name for each.
func (v *visit) pager(name string) pager {
	p := pager{before: v.field(name)}
	if trail := v.field(name + "_trail"); trail != "" && p.before != "" {
		written := strings.Split(trail, "~")
		if written[0] == trailCut {
			p.cut, written = true, written[1:]
		}
		for _, one := range written {
			key, err := url.QueryUnescape(one)
			if err != nil {
				key = one // of an address that was written by hand
			}
			p.trail = append(p.trail, key)
		}
	}
	return p
}

// links lead to the newer and older page of a list; pairs are what else the address has, and next
// is the key of the last that this page shows, "" where it is the end. Nil where one page has everything.
func (p pager) links(name, path, next string, pairs ...string) html.Node {
	var parts html.List
	to := func(title, before string, trail []string, cut bool) {
		if len(trail) > maxTrail {
			trail, cut = trail[len(trail)-maxTrail:], true
		}
		var written []string
		if cut {
			written = append(written, trailCut)
		}
		for _, key := range trail {
			written = append(written, strings.ReplaceAll(url.QueryEscape(key), "~", "%7E")) // names may have the ~ that is between them
		}
		address := query(path, append(append([]string{}, pairs...), name, before, name+"_trail", strings.Join(written, "~"))...)
		parts = append(parts, html.A(html.Href(address), title))
	}
	if p.before != "" {
		to("Newest", "", nil, false)
		if n := len(p.trail); n > 0 {
			to("Newer", p.trail[n-1], p.trail[:n-1], p.cut)
		} else if !p.cut {
			to("Newer", "", nil, false)
		}
	}
	if next != "" {
		trail := p.trail
		if p.before != "" {
			trail = append(append([]string{}, trail...), p.before)
		}
		to("Older", next, trail, p.cut)
	}
	if len(parts) == 0 {
		return nil
	}
	return html.El("nav", html.AriaLabel("Pages of this list"), html.Class("actions"), parts)
}

// pageOf cuts a page out of a list that is in memory: what comes behind the entry with the key before which
// the page begins, and the key of its last where there is more. Where that entry is gone the page is the first.
func pageOf[T any](list []T, key func(T) string, before string, size int) (page []T, next string) {
	if before != "" {
		for i, one := range list {
			if key(one) == before {
				list = list[i+1:]
				break
			}
		}
	}
	if len(list) <= size {
		return list, ""
	}
	return list[:size], key(list[size-1])
}
