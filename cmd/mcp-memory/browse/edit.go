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

// maxEdited is the size in bytes up to which an edited text is read, which is more than a memory
// may have.
const maxEdited = 16 << 20

// editedMsg is sent when the editor has ended.
type editedMsg struct {
	id, seen string // the memory and text that were edited
	path     string
	err      error
}

// edit opens the text of the chosen memory in the editor, in a temporary file that only the user
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

// edited saves the text from the editor. If it cannot be saved, its file is kept.
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
