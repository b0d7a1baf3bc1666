package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// manualName is the command that shows all of them.
const manualName = "manual"

// manualCommand prints docs/cli.md, which is made of the commands themselves.
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
	for _, g := range root.Groups() {
		fmt.Fprintf(&b, "## %s\n\n", strings.TrimSuffix(g.Title, ":"))
		for _, cmd := range root.Commands() {
			if cmd.GroupID == g.ID && cmd.IsAvailableCommand() {
				manualOf(&b, cmd, "###")
			}
		}
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

func manualOf(b *strings.Builder, cmd *cobra.Command, level string) {
	line := strings.TrimSuffix(cmd.UseLine(), " [flags]")
	fmt.Fprintf(b, "%s %s\n\n`%s`: %s.\n\n", level, strings.TrimPrefix(cmd.CommandPath(), "mcp-memory "), line, strings.TrimSuffix(lowerFirst(cmd.Short), "."))
	if cmd.Long != "" && level == "###" {
		fmt.Fprintf(b, "```text\n%s\n```\n\n", cmd.Long)
	}
	rows := 0
	cmd.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" || f.Name == "json" {
			return
		}
		if rows++; rows == 1 {
			b.WriteString("| flag | what |\n|---|---|\n")
		}
		kind, usage := pflag.UnquoteUsage(f)
		usage += defaultOf(f)
		name := "--" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}
		fmt.Fprintf(b, "| `%s` | %s |\n", strings.TrimSpace(name+" "+kind), strings.ReplaceAll(usage, "|", `\|`))
	})
	if rows > 0 {
		b.WriteString("\n")
	}
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			manualOf(b, sub, "####")
		}
	}
}

// defaultOf tells a flag's default as the help does, unless it is nothing.
func defaultOf(f *pflag.Flag) string {
	switch f.DefValue {
	case "", "0", "0s", "[]", "false":
		return ""
	}
	return " (default " + f.DefValue + ")"
}

// lowerFirst begins a text with a small letter, unless its first word is a name.
func lowerFirst(text string) string {
	if len(text) > 1 && text[1] >= 'A' && text[1] <= 'Z' {
		return text
	}
	return strings.ToLower(text[:min(1, len(text))]) + text[min(1, len(text)):]
}
