package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"mcp-memory/memory"
	"mcp-memory/tools"
	"mcp-memory/upkeep"
)

// settingsCommand lists the settings in force. It never shows secrets.
func (p *Program) settingsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "settings", Aliases: []string{"setting", "config"},
		Short: "Show every setting, its value and where it comes from; get, set and unset one", Args: usageArgs(cobra.NoArgs),
		Long: "A setting comes from its flag, else its environment variable, else config.yaml in the data directory, else its default.\n\n" +
			"The project, unless set, is found from the working directory: a .mcp-memory.yaml up the tree (a line `project: NAME`),\n" +
			"else the owner/name of the git remote, else none. The home directory itself is never a project.",
	}
	markdown := cmd.Flags().Bool("markdown", false, "print the reference table instead")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if *markdown {
			_, err := fmt.Fprint(p.Stdout, settingsMarkdown())
			return err
		}
		table := tabwriter.NewWriter(visibly{p.Stdout}, 0, 0, 2, ' ', 0)
		fmt.Fprintln(table, "setting\tvalue\tfrom\tenvironment")
		for _, s := range knownSettings {
			value, origin := p.settingShown(s)
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", s.key, strings.Join(strings.Fields(value), " "), origin, s.env())
		}
		return table.Flush()
	}
	cmd.AddCommand(p.getSettingCommand(), p.setSettingCommand(), p.unsetSettingCommand())
	return cmd
}

// settingShown returns the value of a setting, without secrets, and where it comes from.
func (p *Program) settingShown(s setting) (value, origin string) {
	value, origin = p.settings.get(s.key), p.settings.origins[s.key]
	switch {
	case s.secret && value != "":
		value = "(set)"
	case s.key == "database":
		value = shownURL(value)
	case s.key == "project" && origin == "default":
		if scope, err := p.ownScope(); err == nil && scope.Project != "" {
			value, origin = scope.Project, "working directory"
		}
	}
	return value, origin
}

// findSetting finds a setting by its name in config.yaml, as a flag or in the environment.
func findSetting(name string) (setting, error) {
	var keys []string
	for _, s := range knownSettings {
		if name == s.key || strings.TrimPrefix(name, "--") == s.flag() || name == s.env() {
			return s, nil
		}
		keys = append(keys, s.key)
	}
	err := memory.Errorf(memory.CodeInvalidArgument, "there is no setting %s", visible(name))
	if near := tools.Nearest(name, keys); near != "" {
		return setting{}, err.WithHint("did you mean %s? `mcp-memory settings` lists all", near)
	}
	return setting{}, err.WithHint("`mcp-memory settings` lists all")
}

func (p *Program) getSettingCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "get KEY", Aliases: []string{"show"},
		Short: "Show one setting: its value, where it comes from and what it is for", Args: usageArgs(cobra.ExactArgs(1)),
	}
	addJSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		s, err := findSetting(args[0])
		if err != nil {
			return err
		}
		value, origin := p.settingShown(s)
		shown := value
		if shown == "" {
			shown = "(empty)"
		}
		return p.print(cmd, map[string]string{"key": s.key, "value": value, "from": origin, "default": s.fallback, "help": s.help},
			fmt.Sprintf("%s  (from %s)\n%s: %s", shown, origin, s.key, s.help))
	}
	return cmd
}

func (p *Program) setSettingCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "set KEY VALUE", Short: "Write one setting into config.yaml, whose other lines stay as they are",
		Args: usageArgs(cobra.ExactArgs(2)),
		Long: "Writes a setting into config.yaml in the data directory, if it can be understood. Servers that run read it when they start again.",
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if args[1] == "" {
			return usageError{fmt.Errorf("settings set: VALUE is empty; mcp-memory settings unset %s removes it", args[0])}
		}
		return p.changeSetting(cmd, args[0], args[1])
	}
	return cmd
}

func (p *Program) unsetSettingCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "unset KEY", Aliases: []string{"reset"},
		Short: "Take one setting out of config.yaml, so that its default holds", Args: usageArgs(cobra.ExactArgs(1)),
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return p.changeSetting(cmd, args[0], "") }
	return cmd
}

// changeSetting writes a setting into config.yaml. An empty value removes it.
func (p *Program) changeSetting(cmd *cobra.Command, name, value string) error {
	s, err := findSetting(name)
	if err != nil {
		return err
	}
	dir := p.settings.get("data_dir")
	switch {
	case s.key == "data_dir":
		return memory.Errorf(memory.CodeInvalidArgument, "data_dir says where config.yaml is, and so cannot stand in it").
			WithHint("set %s, or give --data-dir", s.env())
	case s.key == "categories" && strings.HasPrefix(strings.TrimSpace(value), "["):
		return memory.Errorf(memory.CodeInvalidArgument, "a list of categories is written by hand").
			WithHint("edit %s", filepath.Join(dir, upkeep.Config))
	}
	before, given := p.settings.values[s.key], p.settings.origins[s.key]
	if value != "" {
		known := p.misunderstood()
		p.settings.values[s.key], p.settings.origins[s.key] = value, typedValue
		for _, err := range p.misunderstood() {
			if !slices.ContainsFunc(known, func(one error) bool { return one.Error() == err.Error() }) && !ofOther(s.key, err) {
				return err
			}
		}
		p.settings.values[s.key], p.settings.origins[s.key] = before, given
	}
	if s.key == "embed.local" {
		if value, err = p.presentModel(value); err != nil {
			return err
		}
	}
	if err := makeDataDir(dir); err != nil {
		return err
	}
	if err := changeConfig(dir, map[string]string{s.key: value}); err != nil {
		return err
	}
	text := "Unset " + s.key + "."
	if value != "" {
		text = "Set " + s.key + "."
	}
	if value != "" && given != "default" && given != upkeep.Config && given != "working directory" {
		text += fmt.Sprintf(" %s gives another value here, and goes before config.yaml.", given)
	}
	_, err = fmt.Fprintln(p.Stdout, visible(text+" Servers that run read it when they start again."))
	return err
}

// ofOther reports whether an error names another setting than key, such as one that is to be set
// next ("auth.audience is missing").
func ofOther(key string, err error) bool {
	return slices.ContainsFunc(knownSettings, func(s setting) bool {
		return s.key != key && strings.HasPrefix(memory.Public(err).Message, s.key+" ")
	})
}

// typedValue is the origin of a value that was given to `settings set`.
const typedValue = "VALUE"

// settingsMarkdown returns the table of settings for the reference. It names a flag only if that
// does not follow from the key.
func settingsMarkdown() string {
	var b strings.Builder
	b.WriteString("| setting | default | what |\n|---|---|---|\n")
	for _, s := range knownSettings {
		key, fallback := "`"+s.key+"`", "`"+s.fallback+"`"
		switch {
		case s.secret:
			key += " (no flag)"
		case s.key == "data_dir":
			key += " (not in `config.yaml`)"
		case otherFlags[s.key] != "":
			key += " (`--" + s.flag() + "`)"
		}
		if s.fallback == "" {
			fallback = "–"
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", key, fallback, s.help)
	}
	return b.String()
}
