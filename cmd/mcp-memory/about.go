package main

import (
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"mcp-memory/db/sqlite"
	"mcp-memory/internal/licenses"
	"mcp-memory/text/semantics"
)

// release is the version of the source tree; a tagged build says more.
const release = "0.1.0"

// version is the release, with the commit where the build knows it.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return release
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			return release + "+" + s.Value[:12]
		}
	}
	return release
}

func (p *Program) versionCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "version", Short: "Show the version", Args: usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			about := struct {
				Version       string `json:"version"`
				Go            string `json:"go"`
				Platform      string `json:"platform"`
				Driver        string `json:"driver"`
				SchemaVersion int    `json:"schema_version"`
			}{version(), runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH, sqlite.DriverName, sqlite.SchemaVersion()}
			result, err := json.Marshal(about)
			if err != nil {
				return err
			}
			return p.print(cmd, result, fmt.Sprintf("mcp-memory %s (%s, %s, %s, schema %d)",
				about.Version, about.Go, about.Platform, about.Driver, about.SchemaVersion))
		},
	}
	addJSONFlag(cmd)
	return cmd
}

func (p *Program) licensesCommand() *cobra.Command {
	return &cobra.Command{
		Use: "licenses", Short: "Show the licences of everything that is built in", Args: usageArgs(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(p.Stdout, semantics.Notice()+"\n\n"+licenses.Text())
			return err
		},
	}
}

// settingsCommand lists what is in force. Secrets are never shown.
func (p *Program) settingsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "settings", Short: "Show every setting, its value and where it comes from", Args: usageArgs(cobra.NoArgs),
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
			value, origin := p.settings.get(s.key), p.settings.origins[s.key]
			if s.secret && value != "" {
				value = "(set)"
			}
			if s.key == "project" && origin == "default" {
				if scope, err := p.ownScope(); err == nil && scope.Project != "" {
					value, origin = scope.Project, "working directory"
				}
			}
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", s.key, strings.Join(strings.Fields(value), " "), origin, s.env())
		}
		return table.Flush()
	}
	return cmd
}

func settingsMarkdown() string {
	var b strings.Builder
	b.WriteString("| in config.yaml | flag | environment | default | what |\n|---|---|---|---|---|\n")
	for _, s := range knownSettings {
		flag, fallback := "`--"+s.flag()+"`", "`"+s.fallback+"`"
		if s.secret {
			flag = "–"
		}
		if s.fallback == "" {
			fallback = "–"
		}
		key := "`" + s.key + "`"
		if s.key == "data_dir" {
			key = "–"
		}
		fmt.Fprintf(&b, "| %s | %s | `%s` | %s | %s |\n", key, flag, s.env(), fallback, s.help)
	}
	return b.String()
}

// toolsCommand shows the tools as a host gets them.
func (p *Program) toolsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "tools", Short: "Show the tools that the server offers", Args: usageArgs(cobra.NoArgs),
		Long: "Show the tools that the server offers with the current setting of --tools, as the Markdown of the reference.",
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		fleet, err := new(app).tools(p.settings.get("tools"))
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(p.Stdout, fleet.Markdown())
		return err
	}
	return cmd
}
