package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// manualName is the command that prints the reference of all commands.
const manualName = "manual"

// pageOf has the page in docs that explains a command. The manual links to it and leaves out the
// long help of the command.
var pageOf = map[string]string{
	"backup": "deployment.md#backup", "context": "context-window.md",
	"copy": "scale.md#moving", "demo": "demo.md", "export": "notes.md", "hook": "hooks.md",
	"import": "import.md", "install": "hosts.md", "log": "reference.md#undo", "memory-tool": "memory-tool.md",
	"model": "meaning.md#another-model", "move": "reference.md#projects", "project": "reference.md#projects",
	"redo": "reference.md#undo", "restore": "deployment.md#restore", "settings": "reference.md#settings",
	"token": "deployment.md#tokens", "tools": "reference.md#tools", "undo": "reference.md#undo", "uninstall": "hosts.md", "web": "web.md",
	"workspace": "workspace.md",
}

// manualBetween separates flags.
const manualBetween = " · "

// allKinds is the list of kinds. docs/cli.md has it once, and flags refer to it as KINDS.
var allKinds = strings.Join(kindNames(), ", ")

// manualCommand prints docs/cli.md, which is generated from the commands.
func (p *Program) manualCommand() *cobra.Command {
	return &cobra.Command{
		Use: manualName, Short: "Print the reference of all commands as Markdown", Args: usageArgs(cobra.NoArgs), Hidden: true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprint(p.Stdout, manualText(cmd.Root()))
			return err
		},
	}
}

func manualText(root *cobra.Command) string {
	var b strings.Builder
	written := map[string]string{} // by list of flags, the command below which it was written
	for _, g := range root.Groups() {
		fmt.Fprintf(&b, "## %s\n\n", strings.TrimSuffix(g.Title, ":"))
		for _, cmd := range root.Commands() {
			if cmd.GroupID == g.ID && cmd.IsAvailableCommand() {
				manualOf(&b, cmd, written)
			}
		}
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

// manualOf writes a command with a heading, and its subcommands as a list. If the flags of a
// subcommand were already written for another command, it refers to that one.
func manualOf(b *strings.Builder, cmd *cobra.Command, written map[string]string) {
	more := ""
	if page := pageOf[cmd.Name()]; page != "" {
		name, _, _ := strings.Cut(page, "#")
		more = fmt.Sprintf(" More: [%s](%s).", name, page)
	}
	fmt.Fprintf(b, "### %s\n\n%s.%s\n\n", cmd.Name(), manualLine(cmd, cmd.Root()), more)
	if cmd.Name() == "completion" { // cobra's own: the same for each shell
		var shells []string
		for _, sub := range cmd.Commands() {
			shells = append(shells, "`"+sub.Name()+"`")
		}
		fmt.Fprintf(b, "Shells: %s. The help of each says how to use it. %s\n\n", strings.Join(shells, ", "),
			manualFlags(cmd.Commands()[0]))
		return
	}
	if cmd.Long != "" && more == "" {
		fmt.Fprintf(b, "```text\n%s\n```\n\n", cmd.Long)
	}
	own, list := manualFlags(cmd), ""
	if sub, _, err := cmd.Find([]string{"list"}); err == nil && sub != cmd {
		list = manualFlags(sub)
	}
	if own != list && own != "" {
		b.WriteString(own + "\n\n")
		written[own] = cmd.Name()
	}
	subs := 0
	for _, sub := range cmd.Commands() {
		if !sub.IsAvailableCommand() {
			continue
		}
		subs++
		line := manualLine(sub, cmd)
		if sub.Name() == "list" && own == list && list != "" && cmd.Runnable() { // what the command does without a subcommand
			use := sub.Use
			if cmd.Use != cmd.Name() { // which takes the same arguments
				use = sub.Name()
			}
			line = strings.Replace(line, use, "["+use+"]", 1)
		}
		b.WriteString("- " + line)
		flags := manualFlags(sub)
		if as := flagsAs(flags, written); as != "" {
			b.WriteString(". Flags as of " + as)
		} else if flags != "" {
			b.WriteString(". " + flags)
			written[flags] = strings.TrimPrefix(sub.CommandPath(), cmd.Root().Name()+" ")
		}
		b.WriteString("\n")
	}
	if subs > 0 {
		b.WriteString("\n")
	}
}

// flagsAs refers to the command below which a list of flags was already written, or the same list
// with one flag more. It returns "" if there is none, or if the list is short.
func flagsAs(flags string, written map[string]string) string {
	if len(flags) < 60 {
		return ""
	}
	if name := written[flags]; name != "" {
		return "`" + name + "`"
	}
	for _, list := range slices.Sorted(maps.Keys(written)) {
		all := strings.Split(list, manualBetween)
		for i, flag := range all {
			if strings.Join(slices.Delete(slices.Clone(all), i, i+1), manualBetween) == flags {
				missing := strings.Trim(strings.Fields(flag[strings.Index(flag, "--"):])[0], "`")
				return fmt.Sprintf("`%s`, without `%s`", written[list], missing)
			}
		}
	}
	return ""
}

// manualLine returns the usage of a command relative to another, and what it does.
func manualLine(cmd, below *cobra.Command) string {
	line := strings.TrimPrefix(strings.TrimSuffix(cmd.UseLine(), " [flags]"), below.CommandPath()+" ")
	return fmt.Sprintf("`%s`: %s", line, strings.TrimSuffix(lowerFirst(cmd.Short), "."))
}

// manualFlags lists a command's own flags in one line, "" if it has none.
func manualFlags(cmd *cobra.Command) string {
	var flags []string
	cmd.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" || f.Name == "json" {
			return
		}
		kind, usage := pflag.UnquoteUsage(f)
		usage = strings.Replace(usage, allKinds, "KINDS", 1)
		if kind == "string" {
			kind = "TEXT"
		}
		name := "--" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}
		flags = append(flags, fmt.Sprintf("`%s` %s%s", strings.TrimSpace(name+" "+kind), lowerFirst(usage), defaultOf(f)))
	})
	return strings.Join(flags, manualBetween)
}

// defaultOf returns a flag's default as the help shows it, "" for a zero value.
func defaultOf(f *pflag.Flag) string {
	switch f.DefValue {
	case "", "0", "0s", "[]", "false":
		return ""
	}
	return " (default " + f.DefValue + ")"
}

// lowerFirst makes the first letter lower case, unless the second is a capital, as in MCP.
func lowerFirst(text string) string {
	if len(text) > 1 && text[1] >= 'A' && text[1] <= 'Z' {
		return text
	}
	return strings.ToLower(text[:min(1, len(text))]) + text[min(1, len(text)):]
}
