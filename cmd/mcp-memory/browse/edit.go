package browse

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"mcp-memory/internal/plainfile"
)

// maxEdited is how many bytes are taken of what a person has edited: more than a memory may have.
const maxEdited = 16 << 20

// editedMsg is the end of an editor.
type editedMsg struct {
	id, seen string // what was given to it
	path     string
	err      error
}

// edit gives the text of the chosen memory to the editor, in a file that only the user
// can read.
func (m *Model) edit() tea.Cmd {
	d := m.detail
	switch {
	case d.ID == "" || d.ID != m.chosenID():
		return nil
	case !d.Live:
		m.say("", errors.New("this no longer holds, and stays as it was"))
		return nil
	case d.Fixed != "":
		m.say("", errors.New(d.Fixed))
		return nil
	}
	dir, err := os.MkdirTemp("", "mcp-memory-edit-*")
	if err != nil {
		m.say("", err)
		return nil
	}
	path := filepath.Join(dir, "memory.md")
	if err := os.WriteFile(path, []byte(d.Text+"\n"), 0o600); err != nil {
		m.say("", errors.Join(err, os.RemoveAll(dir)))
		return nil
	}
	editor, err := m.bank.Editor(path)
	if err != nil {
		m.say("", errors.Join(err, os.RemoveAll(dir)))
		return nil
	}
	return tea.ExecProcess(editor, func(err error) tea.Msg { return editedMsg{d.ID, d.Text, path, err} })
}

// edited keeps what the editor has left. What cannot be kept stays in its file.
func (m *Model) edited(msg editedMsg) tea.Cmd {
	remove := func() { _ = os.RemoveAll(filepath.Dir(msg.path)) }
	if msg.err != nil {
		remove()
		m.say("", fmt.Errorf("the editor failed, and nothing was changed: %w", msg.err))
		return nil
	}
	written, err := plainfile.Read(msg.path, maxEdited)
	text := strings.TrimSpace(string(written))
	switch {
	case err != nil:
		m.say("", err)
		return nil
	case text == "" || text == strings.TrimSpace(msg.seen):
		remove()
		m.say("Nothing was changed.", nil)
		return nil
	}
	ctx, bank := m.ctx, m.bank
	return func() tea.Msg {
		now, said, err := bank.Edit(ctx, msg.id, msg.seen, text)
		if err != nil {
			return doneMsg{"", "", fmt.Errorf("%w; what you typed is in %s", err, msg.path)}
		}
		remove()
		return doneMsg{now, said, nil}
	}
}
