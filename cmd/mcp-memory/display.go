package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"mcp-memory/cmd/mcp-memory/screen"
)

// The values of --color.
const (
	colorAuto   = "auto"
	colorAlways = "always"
	colorNever  = "never"
)

func addColorFlag(root *cobra.Command, p *Program) {
	root.PersistentFlags().StringVar(&p.color, "color", colorAuto, "colour in what is shown: auto, always or never; NO_COLOR is heard, too")
	_ = root.RegisterFlagCompletionFunc("color", cobra.FixedCompletions([]cobra.Completion{
		"auto\ton a terminal", "always\talso into a file or pipe", "never\tplain text"}, cobra.ShellCompDirectiveNoFileComp))
}

// screen returns the screen for which results are laid out: the terminal, or a file. A file has no
// line width unless COLUMNS gives one.
func (p *Program) screen() screen.Screen {
	var s screen.Screen
	if f, ok := p.Stdout.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		if width, height, err := term.GetSize(int(f.Fd())); err == nil {
			s.Width, s.Height = width, height
		}
		s.Color = p.Env("NO_COLOR") == "" && p.Env("TERM") != "dumb"
	}
	if columns, err := strconv.Atoi(p.Env("COLUMNS")); err == nil && columns > 0 {
		s.Width = columns
	}
	switch p.color {
	case colorAlways:
		s.Color = true
	case colorNever:
		s.Color = false
	}
	return s
}

// show writes text that [screen.Screen] has laid out. If it has more lines than the terminal, it
// goes through a pager.
func (p *Program) show(text string, s screen.Screen) error {
	if s.Height > 0 && strings.Count(text, "\n")+2 > s.Height && isTerminal(p.Stdin) {
		if shown, err := p.page(text, s); shown {
			return err
		}
	}
	_, err := io.WriteString(p.Stdout, text+"\n")
	return err
}

// page shows text in the person's pager. It returns false if there is no pager.
func (p *Program) page(text string, s screen.Screen) (bool, error) {
	pager := p.Env("MCP_MEMORY_PAGER")
	if pager == "" {
		pager = p.Env("PAGER")
	}
	if pager == "" {
		pager = "less"
	}
	words := strings.Fields(pager)
	if len(words) == 0 || words[0] == "cat" || runtime.GOOS == "windows" {
		return false, nil
	}
	path, err := exec.LookPath(words[0])
	if err != nil {
		return false, nil
	}
	cmd := exec.Command(path, words[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(text+"\n"), p.Stdout, p.Stderr
	cmd.Env = os.Environ()
	if p.Env("LESS") == "" {
		cmd.Env = append(cmd.Env, "LESS=FRX") // keep colours, and do not wait if the text fits on a page
	}
	if err := cmd.Start(); err != nil {
		return false, nil
	}
	_ = cmd.Wait() // leaving the pager early is no failure
	return true, nil
}

// checkColor refuses wrong values of --color.
func (p *Program) checkColor() error {
	switch p.color {
	case "", colorAuto, colorAlways, colorNever:
		return nil
	}
	return usageError{fmt.Errorf("--color is %q: auto, always or never", p.color)}
}
