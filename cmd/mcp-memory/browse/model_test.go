package browse

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"mcp-memory/cmd/mcp-memory/screen"
)

// person sits in front of a browser: what commands bring comes in at once, but for what
// is held back.
type person struct {
	t       *testing.T
	m       *Model
	quit    bool
	hold    bool // keep commands instead of running them
	held    []tea.Cmd
	texts   []string // the bank, the newest first; the id of "x y" is "id x y"
	did     []string
	failing error
}

func newPerson(t *testing.T, texts ...string) *person {
	t.Helper()
	t.Setenv("TMPDIR", t.TempDir()) // what is given to an editor
	p := &person{t: t, texts: texts}
	p.m = New(t.Context(), p.bank(), "", false)
	p.tell(tea.WindowSizeMsg{Width: 60, Height: 20})
	p.run(p.m.Init())
	return p
}

func (p *person) bank() Bank {
	note := func(format string, a ...any) { p.did = append(p.did, fmt.Sprintf(format, a...)) }
	return Bank{
		Project: "acme/shop", Views: []string{"", "global", "all projects"},
		Find: func(_ context.Context, view int, query string, offset int) (Found, error) {
			note("find %q %d", query, offset)
			if view > 0 {
				note("view %d", view)
			}
			var all []Item
			for _, text := range p.texts {
				if strings.Contains(text, query) {
					all = append(all, Item{ID: "id " + text, Text: text, Notes: "fact · 2 days ago"})
				}
			}
			all = all[min(offset, len(all)):]
			found := Found{Items: all[:min(len(all), 30)], More: len(all) > 30}
			switch {
			case query != "" && len(all) == 0:
				found.Verdict, found.Unsure = "Nothing about this is remembered.", true
			case query != "":
				found.Verdict, found.Unsure = "Not sure: this may answer it.", true
			}
			return found, p.failing
		},
		Show: func(_ context.Context, id string) (Detail, error) {
			text := strings.TrimPrefix(id, "id ")
			return Detail{ID: id, Text: text, Live: true, Sections: []Section{
				{"", []screen.Block{{Text: "The whole of " + text + ": " + strings.Repeat("日本 word ", 60),
					Notes: []string{"fact", "0190abcd"}}}},
				{"History", []screen.Block{{Text: "before: " + text}}},
			}}, p.failing
		},
		Forget: func(_ context.Context, ids []string) (string, error) {
			note("forget %s", strings.Join(ids, ","))
			p.texts = slices.DeleteFunc(p.texts, func(text string) bool { return slices.Contains(ids, "id "+text) })
			return fmt.Sprintf("Forgot %d.", len(ids)), p.failing
		},
		Move: func(_ context.Context, ids []string, global bool) (string, error) {
			note("move %s %t", strings.Join(ids, ","), global)
			return "Moved.", p.failing
		},
		Pin: func(_ context.Context, id string, pinned bool) (string, error) {
			note("pin %s %t", id, pinned)
			return "Pinned.", p.failing
		},
		Edit: func(_ context.Context, id, seen, text string) (string, string, error) {
			note("edit %s %q %q", id, seen, text)
			p.texts[slices.Index(p.texts, seen)] = text
			return "id " + text, "Saved.", p.failing
		},
		Last: func(context.Context) (Change, error) { return Change{"7", "save: apple"}, p.failing },
		Undo: func(_ context.Context, id string) (string, error) {
			note("undo %s", id)
			return "Took back.", p.failing
		},
		Editor: func(path string) (*exec.Cmd, error) { return exec.Command("true", path), p.failing },
	}
}

func (p *person) tell(msg tea.Msg) {
	p.t.Helper()
	_, cmd := p.m.Update(msg)
	p.run(cmd)
	p.check()
}

func (p *person) run(cmd tea.Cmd) {
	p.t.Helper()
	if cmd == nil {
		return
	}
	if p.hold {
		p.held = append(p.held, cmd)
		return
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.QuitMsg:
		p.quit = true
	case tea.BatchMsg:
		for _, one := range msg {
			p.run(one)
		}
	default:
		p.tell(msg)
	}
}

// release runs what was held back.
func (p *person) release() {
	p.t.Helper()
	p.hold = false
	held := p.held
	p.held = nil
	for _, cmd := range held {
		p.run(cmd)
	}
}

// press types keys: names in <>, and characters.
func (p *person) press(keys string) {
	p.t.Helper()
	named := map[string]rune{"enter": tea.KeyEnter, "esc": tea.KeyEscape, "up": tea.KeyUp, "down": tea.KeyDown, "space": tea.KeySpace,
		"bs": tea.KeyBackspace, "pgdown": tea.KeyPgDown, "end": tea.KeyEnd, "home": tea.KeyHome}
	for keys != "" {
		if name, rest, ok := strings.Cut(strings.TrimPrefix(keys, "<"), ">"); ok && keys[0] == '<' {
			key := tea.KeyPressMsg{Code: named[name]}
			if letter, ctrl := strings.CutPrefix(name, "ctrl+"); ctrl {
				key = tea.KeyPressMsg{Code: rune(letter[0]), Mod: tea.ModCtrl}
			} else if named[name] == 0 {
				p.t.Fatalf("no key %s", name)
			}
			keys = rest
			p.tell(key)
			continue
		}
		r := []rune(keys)[0]
		keys = keys[len(string(r)):]
		p.tell(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
}

// check wants the screen to be full and nothing on it to be wider.
func (p *person) check() {
	p.t.Helper()
	lines := p.m.lines()
	if len(lines) != max(0, p.m.height) {
		p.t.Fatalf("%d×%d: %d lines", p.m.width, p.m.height, len(lines))
	}
	for _, line := range lines {
		if screen.Width(line) > max(p.m.width, screen.MinWidth) {
			p.t.Fatalf("%d×%d: %d columns: %q", p.m.width, p.m.height, screen.Width(line), line)
		}
	}
}

func (p *person) text() string { return strings.Join(p.m.lines(), "\n") }

func (p *person) sees(want ...string) {
	p.t.Helper()
	for _, one := range want {
		if !strings.Contains(p.text(), one) {
			p.t.Errorf("%q is not to be seen:\n%s", one, p.text())
		}
	}
}

func (p *person) lastDid(want string) {
	p.t.Helper()
	if got := slices.DeleteFunc(slices.Clone(p.did), func(s string) bool { return strings.HasPrefix(s, "find") }); len(got) == 0 ||
		got[len(got)-1] != want {
		p.t.Errorf("did %q, not %q", got, want)
	}
}

func many(n int) (texts []string) {
	for i := range n {
		texts = append(texts, fmt.Sprintf("memory %03d", i))
	}
	return texts
}

func TestWalk(t *testing.T) {
	p := newPerson(t, many(70)...)
	p.sees("The newest memories", "30+", "› ", "The whole of memory 000", "? keys")
	p.press("jj<down>k")
	p.sees("The whole of memory 002")
	p.press("<end>") // of what is known; then more comes
	p.press("<end><end>")
	p.sees("› ", "memory 069", "The whole of memory 069", "70")
	p.press("<down>")
	p.sees("The whole of memory 069")
	p.press("<home>")
	p.sees("The whole of memory 000")
}

func TestReading(t *testing.T) {
	p := newPerson(t, "apple", "pear")
	p.sees("more lines")
	p.press("<enter>")
	p.sees("esc back")
	if strings.Contains(p.text(), "› ") {
		t.Errorf("the list is still there:\n%s", p.text())
	}
	p.press("<end>")
	p.sees("before: apple")
	p.press("<esc>")
	p.sees("› ", "The whole of apple")
	p.tell(tea.WindowSizeMsg{Width: 120, Height: 30}) // list and memory side by side
	p.sees("› ", "│ The whole of apple", "before: apple")
}

// TestSearch types while an answer is on its way: there is never a second question, and
// in the end what is shown belongs to what was typed.
func TestSearch(t *testing.T) {
	p := newPerson(t, "apple", "pear", "apple pie")
	p.did, p.hold = nil, true
	p.press("/app<bs>")
	if len(p.held) != 1 {
		t.Fatalf("%d questions at once", len(p.held))
	}
	p.press("ple pi")
	p.release()
	if got := strings.Join(p.did, "; "); got != `find "a" 0; find "apple pi" 0` {
		t.Errorf("asked %s", got)
	}
	p.sees("/apple pi", "The whole of apple pie", "enter to the list")
	if strings.Contains(p.text(), "pear") {
		t.Errorf("what does not fit is still there:\n%s", p.text())
	}
	p.press("q<ctrl+u>pear") // q is a letter here
	p.sees("The whole of pear")
	p.press("<enter>e<esc>")
	p.press("<esc>")
	p.sees("The newest memories", "apple pie")
	p.press("/nothing like it")
	p.sees("Nothing about this is remembered.")
	p.press("<ctrl+w><ctrl+w>")
	p.sees("/nothing")
	p.press("<ctrl+u>👩‍👩‍👧")
	p.press("<bs>")
	if p.m.query != "" {
		t.Errorf("a character of several code points leaves %q", p.m.query)
	}
	p.tell(tea.PasteMsg{Content: "pe\x1bar\n"})
	if p.m.query != "pear " {
		t.Errorf("pasted %q", p.m.query)
	}
	if p.quit {
		t.Error("a letter of a query has ended it")
	}
}

func TestForget(t *testing.T) {
	p := newPerson(t, "apple", "pear", "plum")
	p.press("f")
	p.sees("Forget this? apple (y/n)")
	p.press("n")
	p.sees("Nothing was changed.")
	p.press("fy")
	p.lastDid("forget id apple")
	p.sees("Forgot 1.", "The whole of pear")
	p.press("<space><space>f")
	p.sees("Forget these 2 memories? (y/n)", "2 marked of 2")
	p.press("y")
	p.lastDid("forget id pear,id plum")
	p.sees("Nothing was found.")
	p.press("fep<enter><space>uy") // nothing is chosen
	p.lastDid("undo 7")
}

func TestUndoPinAndFailures(t *testing.T) {
	p := newPerson(t, "apple", "pear")
	p.press("u")
	p.sees("Take this back? save: apple (y/n)")
	p.press("y")
	p.lastDid("undo 7")
	p.press("jp")
	p.lastDid("pin id pear true")
	p.failing = errors.New("the disk\nis full")
	for _, keys := range []string{"p", "u", "fy", "e", "r", "<enter><esc>/x"} {
		p.press(keys)
		if p.sees("the disk is full"); !p.m.failed {
			t.Errorf("%s is no failure", keys)
		}
	}
}

// TestEdit does what the terminal does for an editor.
func TestEdit(t *testing.T) {
	p := newPerson(t, "apple", "pear")
	for _, c := range []struct {
		write, want, did string
		failed           error
	}{
		{"apple\n", "Nothing was changed.", "", nil},
		{"", "Nothing was changed.", "", nil},
		{"plum\n", "the editor failed", "", errors.New("exit status 1")},
		{"plum\n", "Saved.", `edit id apple "apple" "plum"`, nil},
	} {
		t.Setenv("TMPDIR", t.TempDir())
		p.hold = true
		p.press("e") // the command is one for the terminal
		p.hold, p.held = false, nil
		dirs, _ := os.ReadDir(os.TempDir())
		if len(dirs) != 1 {
			t.Fatalf("%d files were made", len(dirs))
		}
		path := os.TempDir() + "/" + dirs[0].Name() + "/memory.md"
		if given, err := os.ReadFile(path); err != nil || string(given) != "apple\n" {
			t.Fatalf("the editor gets %q, %v", given, err)
		}
		if err := os.WriteFile(path, []byte(c.write), 0o600); err != nil {
			t.Fatal(err)
		}
		p.tell(editedMsg{"id apple", "apple", path, c.failed})
		if p.sees(c.want); c.did != "" {
			p.lastDid(c.did)
		} else if len(p.did) > 0 && strings.HasPrefix(p.did[len(p.did)-1], "edit") {
			t.Errorf("%+v did %q", c, p.did)
		}
		if dirs, _ := os.ReadDir(os.TempDir()); len(dirs) != 0 {
			t.Errorf("%+v leaves its file", c)
		}
	}
	p.sees("The whole of plum") // what holds now is chosen
	p.failing = errors.New("too long")
	path := t.TempDir() + "/memory.md"
	if err := os.WriteFile(path, []byte("cherry"), 0o600); err != nil {
		t.Fatal(err)
	}
	p.m.width = 400
	p.tell(editedMsg{"id plum", "plum", path, nil})
	p.sees("too long; what you typed is in " + path)
	if _, err := os.Stat(path); err != nil {
		t.Error("what was typed is gone")
	}
}

func TestEverySize(t *testing.T) {
	p := newPerson(t, append(many(40), "東京は日本の首都であり、最大の都市である。", "👩‍👩‍👧‍👦 flies 🇳🇴 → 🇯🇵")...)
	p.m.color = false
	for _, keys := range []string{"", "/", "memory 03", "<enter>", "<enter>", "f", "n", "<esc><esc>", "?", "x", "<end>", "<space>"} {
		p.press(keys)
		for width := 1; width < 130; width += 3 {
			for height := 1; height < 40; height += 3 {
				p.tell(tea.WindowSizeMsg{Width: width, Height: height})
			}
		}
	}
	p.tell(tea.WindowSizeMsg{})
	p.tell(tea.WindowSizeMsg{Width: 60, Height: 20})
	p.press("?")
	p.sees("as history", "any key goes back")
	p.press("q")
	if p.quit {
		t.Error("a key that closes the help ends the program")
	}
	if p.press("q"); !p.quit {
		t.Error("q does not end it")
	}
	p.quit = false
	if p.press("/x<ctrl+c>"); !p.quit {
		t.Error("ctrl+c does not end it")
	}
}

func TestMoveAndViews(t *testing.T) {
	p := newPerson(t, many(3)...)
	p.press("m")
	p.sees("Move into acme/shop this? memory 000")
	p.press("y")
	p.lastDid("move id memory 000 false")
	p.press("<space><space>m")
	p.sees("Move into acme/shop these 2 memories?")
	p.press("n")
	p.lastDid("move id memory 000 false")
	p.press("o")
	p.lastDid("view 1")
	p.sees("global, ")
	p.press("o")
	p.lastDid("view 2")
	p.press("o")
	if strings.Contains(p.text(), "all projects") {
		t.Errorf("not back at the first:\n%s", p.text())
	}
}
