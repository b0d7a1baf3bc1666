package main

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"mcp-memory/db/sqlite"
	"mcp-memory/embed/encoder/minilm"
	"mcp-memory/internal/licenses"
	"mcp-memory/internal/product"
	"mcp-memory/text/gloss"
	"mcp-memory/text/semantics"
	"mcp-memory/text/tokens"
)

// version returns the version of the release, with the commit if the build has it.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return product.Version
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			return product.Version + "+" + s.Value[:12]
		}
	}
	return product.Version
}

// about is the result of the version command.
type about struct {
	Version       string `json:"version"`
	Go            string `json:"go"`
	Platform      string `json:"platform"`
	Driver        string `json:"driver"`
	SchemaVersion int    `json:"schema_version"`

	Latest string `json:"latest,omitempty"` // this and the following only with --check
	Newer  *bool  `json:"newer,omitempty"`
	Page   string `json:"url,omitempty"`
}

func (p *Program) versionCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "version", Short: "Show the version, and with --check whether there is a newer one", Args: usageArgs(cobra.NoArgs),
		Long: "Show the version. With --check the place where releases are published is asked for the newest one: the only\n" +
			"time that the program looks for one, and nothing but its version is sent.",
	}
	check := cmd.Flags().Bool("check", false, "ask over the network whether there is a newer release")
	from := cmd.Flags().String("from", "",
		"with --check: the `URL` to ask, such as that of a fork; it answers as GitHub's \"latest release\" does")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if *from != "" && !*check {
			return usageError{errors.New("--from needs --check")}
		}
		says := about{Version: version(), Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH,
			Driver: sqlite.DriverName, SchemaVersion: sqlite.SchemaVersion()}
		text := fmt.Sprintf("mcp-memory %s (%s, %s, %s, schema %d)", says.Version, says.Go, says.Platform, says.Driver, says.SchemaVersion)
		if *check {
			found, newer, line, err := p.newerRelease(cmd.Context(), *from)
			if err != nil {
				return err
			}
			says.Latest, says.Newer, says.Page = found.Tag, &newer, found.Page
			text += "\n" + visible(line)
		}
		return p.print(cmd, says, text)
	}
	addJSONFlag(cmd)
	return cmd
}

func (p *Program) licensesCommand() *cobra.Command {
	return &cobra.Command{
		Use: "licenses", Short: "Show the licences of everything that is built in", Args: usageArgs(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(p.Stdout,
				strings.Join([]string{minilm.Notice(), gloss.Notice(), semantics.Notice(), tokens.Notice(), licenses.Text()}, "\n\n"))
			return err
		},
	}
}

// toolsCommand prints the tools that hosts get, as Markdown.
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
