package main

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// terminal is as much of one of the xterm kind as full-screen programs use: characters in
// cells, the cursor, what erases, inserts and scrolls. Colours are not kept.
type terminal struct {
	cells         [][]string // rows of columns; "" follows a wide character
	x, y          int
	top, bottom   int // of what scrolls; bottom is not in it
	modes         map[string]bool
	saved         [][]string // the screen below the alternate one
	savedX        int
	savedY        int
	rest          []byte // a sequence that has not ended
	width, height int
}

func newTerminal(width, height int) *terminal {
	t := &terminal{modes: map[string]bool{"?25": true}}
	t.resize(width, height)
	return t
}

func (t *terminal) resize(width, height int) {
	t.width, t.height, t.top, t.bottom = width, height, 0, height
	for len(t.cells) < height {
		t.cells = append(t.cells, nil)
	}
	t.cells = t.cells[:height]
	for y := range t.cells {
		for len(t.cells[y]) < width {
			t.cells[y] = append(t.cells[y], " ")
		}
		t.cells[y] = t.cells[y][:width]
	}
	t.to(t.x, t.y)
}

func (t *terminal) to(x, y int) { t.x, t.y = max(0, min(x, t.width-1)), max(0, min(y, t.height-1)) }

// text is what is to be seen, without blanks at the ends of lines.
func (t *terminal) text() string {
	var b strings.Builder
	for _, row := range t.cells {
		b.WriteString(strings.TrimRight(strings.Join(row, ""), " ") + "\n")
	}
	return b.String()
}

// write takes what a program writes.
func (t *terminal) write(p []byte) {
	p = append(t.rest, p...)
	for len(p) > 0 {
		n := t.one(p)
		if n == 0 {
			break
		}
		p = p[n:]
	}
	t.rest = slices.Clone(p)
}

// one takes one character or sequence, and returns how long it is, 0 if it has not ended.
func (t *terminal) one(p []byte) int {
	switch c := p[0]; {
	case c == 0x1b:
		return t.escape(p)
	case c == '\r':
		t.x = 0
	case c == '\n':
		t.down()
	case c == '\b':
		t.to(t.x-1, t.y)
	case c == '\t':
		t.to((t.x/8+1)*8, t.y)
	case c < ' ':
	default:
		if !utf8.FullRune(p) {
			return 0
		}
		end := slices.IndexFunc(p, func(c byte) bool { return c < ' ' })
		if end < 0 {
			end = len(p)
		}
		cluster, _, width, _ := uniseg.FirstGraphemeCluster(p[:end], -1)
		t.put(string(cluster), width)
		return len(cluster)
	}
	return 1
}

func (t *terminal) put(cluster string, width int) {
	if t.x+width > t.width {
		t.x = 0
		t.down()
	}
	t.cells[t.y][t.x] = cluster
	if width == 2 {
		t.cells[t.y][t.x+1] = ""
	}
	t.x += width
}

func (t *terminal) down() {
	if t.y++; t.y >= t.bottom {
		t.y = t.bottom - 1
		t.scroll(t.top, 1)
	}
}

// scroll moves the lines from one on up, or by a negative number down.
func (t *terminal) scroll(from, n int) {
	part := t.cells[from:t.bottom]
	for range max(n, -n) {
		if n > 0 {
			copy(part, part[1:])
			part[len(part)-1] = t.blank()
		} else {
			copy(part[1:], part)
			part[0] = t.blank()
		}
	}
}

func (t *terminal) blank() []string { return slices.Repeat([]string{" "}, t.width) }

func (t *terminal) escape(p []byte) int {
	if len(p) < 2 {
		return 0
	}
	switch p[1] {
	case '[':
		end := slices.IndexFunc(p[2:], func(c byte) bool { return c >= '@' && c <= '~' })
		if end < 0 {
			return 0
		}
		t.control(string(p[2:2+end]), p[2+end])
		return end + 3
	case ']', 'P', '_': // up to BEL or ST
		for i := 2; i < len(p); i++ {
			if p[i] == 7 {
				return i + 1
			}
			if p[i] == 0x1b && i+1 < len(p) && p[i+1] == '\\' {
				return i + 2
			}
		}
		return 0
	case '(', ')':
		if len(p) < 3 {
			return 0
		}
		return 3
	case 'M':
		if t.y == t.top {
			t.scroll(t.top, -1)
		} else {
			t.y--
		}
	}
	return 2
}

// control is a sequence with parameters.
func (t *terminal) control(parameters string, final byte) {
	number := func(i, otherwise int) int {
		parts := strings.Split(parameters, ";")
		if i >= len(parts) {
			return otherwise
		}
		n, err := strconv.Atoi(parts[i])
		if err != nil || n == 0 {
			return otherwise
		}
		return n
	}
	n := number(0, 1)
	switch final {
	case 'A':
		t.to(t.x, t.y-n)
	case 'B', 'e':
		t.to(t.x, t.y+n)
	case 'C', 'a':
		t.to(t.x+n, t.y)
	case 'D':
		t.to(t.x-n, t.y)
	case 'E':
		t.to(0, t.y+n)
	case 'F':
		t.to(0, t.y-n)
	case 'G', '`':
		t.to(n-1, t.y)
	case 'd':
		t.to(t.x, n-1)
	case 'H', 'f':
		t.to(number(1, 1)-1, n-1)
	case 'Z':
		t.to((t.x-1)/8*8, t.y)
	case 'r':
		t.top, t.bottom = n-1, number(1, t.height)
		t.to(0, 0)
	case 'h', 'l':
		for mode := range strings.SplitSeq(strings.TrimPrefix(parameters, "?"), ";") {
			t.mode("?"+mode, final == 'h')
		}
	default:
		t.change(number(0, 0), n, final)
	}
}

// change erases, inserts, deletes and scrolls.
func (t *terminal) change(which, n int, final byte) {
	row := t.cells[t.y]
	switch final {
	case 'J':
		for y := range t.cells {
			if which >= 2 || which == 0 && y > t.y || which == 1 && y < t.y {
				t.cells[y] = t.blank()
			}
		}
		if which < 2 {
			t.change(which, n, 'K')
		}
	case 'K':
		for x := range row {
			if which == 2 || which == 0 && x >= t.x || which == 1 && x <= t.x {
				row[x] = " "
			}
		}
	case 'X':
		copy(row[t.x:min(t.x+n, t.width)], t.blank())
	case 'P':
		t.cells[t.y] = append(slices.Delete(row, t.x, min(t.x+n, t.width)), t.blank()...)[:t.width]
	case '@':
		t.cells[t.y] = slices.Insert(row, t.x, t.blank()[:min(n, t.width)]...)[:t.width]
	case 'L':
		t.scroll(t.y, -n)
	case 'M':
		t.scroll(t.y, n)
	case 'S':
		t.scroll(t.top, n)
	case 'T':
		t.scroll(t.top, -n)
	}
}

func (t *terminal) mode(name string, on bool) {
	if name == "?1049" && on != t.modes[name] {
		if on {
			t.saved, t.savedX, t.savedY = t.cells, t.x, t.y
			t.cells = nil
			t.resize(t.width, t.height)
		} else {
			t.cells, t.x, t.y = t.saved, t.savedX, t.savedY
			t.resize(t.width, t.height)
		}
	}
	t.modes[name] = on
}
