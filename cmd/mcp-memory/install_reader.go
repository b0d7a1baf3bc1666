package main

import (
	"bufio"
	"fmt"
	"maps"
	"slices"
	"strings"

	"mcp-memory/llm"
	"mcp-memory/memory"
)

// rulesRead is the reader of conversations if no other is chosen.
const rulesRead = "rules"

// readers returns the programs that can read conversations.
func readers() []string { return slices.Sorted(maps.Keys(llm.Known())) }

func (f *installFlags) checkReader() error {
	if f.reader == "" || f.reader == rulesRead || slices.Contains(readers(), f.reader) {
		return nil
	}
	return memory.Errorf(memory.CodeInvalidArgument, "reader is %q", f.reader).
		WithHint("rules, %s; the setting llm.command takes any other program", strings.Join(readers(), ", "))
}

// setReader writes the chosen reader of conversations into config.yaml, and returns a message about
// it.
func (p *Program) setReader(f *installFlags) (string, error) {
	if f.reader == "" || f.out {
		return "", nil
	}
	line := llm.Known()[f.reader]
	said := "Conversations are read by rules on this machine."
	if line != "" {
		said = fmt.Sprintf("Conversations are read by %s, at the end of a session and before it is shortened; the rules take its place where it fails.", f.reader)
	}
	if f.dryRun {
		return fmt.Sprintf("  would write llm.command: %q\n", line), nil
	}
	dir := p.settings.get("data_dir")
	if err := makeDataDir(dir); err != nil {
		return "", err
	}
	if err := changeConfig(dir, map[string]string{"llm.command": line}); err != nil {
		return "", err
	}
	return said + "\n", nil
}

// askReader asks a person who is to read the conversations, if programs for that are installed and
// none was chosen.
func (p *Program) askReader(f *installFlags, in *bufio.Reader) {
	if f.reader != "" || f.URL != "" || f.NoHooks || p.settings.get("llm.command")+p.settings.get("llm.url") != "" {
		return
	}
	names := slices.DeleteFunc(readers(), func(name string) bool {
		_, err := p.machine().Look(name)
		return err != nil
	})
	if len(names) == 0 {
		return
	}
	fmt.Fprintf(p.Stdout,
		"Who reads the conversations for what is worth keeping: rules on this machine, or %s, on your subscription? [rules] ",
		strings.Join(names, " or "))
	answer, _ := in.ReadString('\n') // no answer is no choice
	if answer = strings.ToLower(strings.TrimSpace(answer)); slices.Contains(names, answer) {
		f.reader = answer
	}
}
