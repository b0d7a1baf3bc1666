package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func flagNames(cmd *cobra.Command) (names []string) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	return names
}

// TestFlagsOfNamedCommands: every command has its flags on a line that names
// it, and a server's line does not make those of the tools.
func TestFlagsOfNamedCommands(t *testing.T) {
	served, _, err := (&Program{Args: []string{"serve", "--agent", "anna"}}).root().Find([]string{"save"})
	if err != nil || slices.Contains(flagNames(served), "importance") {
		t.Errorf("a server's line made the flags %v, %v", flagNames(served), err)
	}
	complete := &Program{Args: []string{"save"}}
	checked := 0
	var check func(cmd *cobra.Command)
	check = func(cmd *cobra.Command) {
		for _, sub := range cmd.Commands() {
			path := strings.Fields(sub.CommandPath())[1:]
			own := &Program{Args: append([]string{"--agent", "anna"}, path...)}
			found, _, err := own.root().Find(path)
			if err != nil || !slices.Equal(flagNames(found), flagNames(sub)) {
				t.Errorf("%v has the flags %v, %v; want %v", path, flagNames(found), err, flagNames(sub))
			}
			checked++
			check(sub)
		}
	}
	check(complete.root())
	if checked < len(commandsOfTools)+len(families) {
		t.Errorf("%d commands", checked)
	}
}
