package web

import (
	"net/url"
	"strings"

	"mcp-memory/web/html"
)

// maxTrail is how many pages back the links "Newer" of a list can lead.
const maxTrail = 20

// pager is the position in a list that has several pages. A page is named by the key of the entry
// after which it begins (the list is shown newest first), so it stays the same while the list
// grows. The address also has the keys of the pages before this one, so that the link "Newer" can
// lead back.
type pager struct {
	before string   // key of the last entry of the page before; "" on the first page
	trail  []string // keys of the pages between the first and this one
	cut    bool     // the trail was longer than maxTrail and has lost its beginning
}

// trailCut is the first element of a trail in an address if the trail was cut. Keys are escaped and
// never equal to it.
const trailCut = "*"

// pager reads the position from the address. name tells apart several lists on one page.
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
				key = one // the address was edited by hand
			}
			p.trail = append(p.trail, key)
		}
	}
	return p
}

// links returns the links to the newest, newer and older page of a list, nil if one page has it
// all. next is the key of the last entry of this page, "" on the last page. pairs are other fields
// of the address, as for query.
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
			written = append(written, strings.ReplaceAll(url.QueryEscape(key), "~", "%7E")) // "~" separates keys
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

// pageOf returns the page of a list in memory that begins after the entry with the key before, and
// the key of the page's last entry if there are more. If no entry has that key, it is the first
// page.
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
