package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"mcp-memory/cmd/mcp-memory/screen"
	"mcp-memory/db"
	"mcp-memory/hooks"
	"mcp-memory/hosts"
	"mcp-memory/memory"
	"mcp-memory/mirror"
	"mcp-memory/planning"
	"mcp-memory/upkeep"
	"mcp-memory/workspace"
)

// errIll ends the doctor command if something is broken.
var errIll = errors.New("something is broken, see above")

func (p *Program) doctorCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "doctor", Short: "Look through the data directory and say what is wrong and what to do; --repair mends it",
		Args: usageArgs(cobra.NoArgs),
		Long: "Looks at the database's file, permissions, lock, log, schema, every page, indexes, counters, texts and vectors; at\n" +
			"workspaces and whether MEMORY.md and the like say what the bank says, settings, the embedder, and at what hosts start. Each line is ok, a warning, or broken. Nothing is changed.\n" +
			"Exit status 1 if something is broken.\n\n" +
			"--repair, while nothing else uses the directory: copies the files first; makes a new database of every row that can\n" +
			"still be read; makes indexes, counters and vectors anew; checks it; and only then puts it in the place of the old one. Then it makes\n" +
			"MEMORY.md and the like say what the bank says. Of a PostgreSQL database it sets right what is counted wrong.",
	}
	repair := cmd.Flags().Bool("repair", false, "mend what is broken, after a copy")
	addJSONFlag(cmd)
	var unsettled error
	cmd.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		if unsettled = p.prepare(cmd); p.settings.get("data_dir") == "" {
			return unsettled
		}
		return nil
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		findings := p.examine(cmd.Context(), unsettled)
		if !*repair {
			return p.printFindings(cmd, findings)
		}
		if p.onServer() {
			return p.repairServer(cmd, findings)
		}
		return p.repair(cmd, findings)
	}
	return cmd
}

// examine runs all checks. unsettled is the error of reading the settings, or nil.
func (p *Program) examine(ctx context.Context, unsettled error) []memory.Finding {
	dir := p.settings.get("data_dir")
	findings := []memory.Finding{{Check: "version", Condition: memory.ConditionOK,
		Detail: fmt.Sprintf("%s, %s/%s, %s", version(), runtime.GOOS, runtime.GOARCH, db.DriverName())}}
	findings = append(findings, p.checkSettings(unsettled)...)
	findings = append(findings, p.checkEmbedder(ctx, unsettled))
	if _, err := p.newChats(); unsettled == nil && err == nil && p.readsByModel() { // checkSettings has reported other errors
		findings = append(findings, p.checkModel())
	}
	if p.unused(dir) {
		findings = append(findings, memory.Finding{
			Check: "directory", Condition: memory.ConditionWarning, Detail: "nothing has been saved yet: " + dir + " does not exist",
			Advice: "the first save makes it, or a host that starts the server; --data-dir names another",
		})
		return append(findings, hosts.Examine(p.machine())...)
	}
	findings = append(findings, upkeep.CheckDirectory(dir)...)
	if p.onServer() {
		findings = append(findings, db.ExamineServer(ctx, p.settings.get("database"))...)
	} else if err := upkeep.CheckThere(dir); err != nil {
		findings = append(findings, brokenBy("file", err))
	} else {
		path := filepath.Join(dir, databaseName)
		findings = append(findings, db.Examine(ctx, path)...)
		if owners, err := db.Owners(ctx, path); err == nil {
			findings = append(findings, upkeep.CheckWorkspaces(dir, owners))
			findings = append(findings, p.examineFiles(ctx, path, findings, owners)...)
			findings = append(findings, p.examineHooks(ctx, path, findings))
		}
	}
	return append(findings, hosts.Examine(p.machine())...)
}

// unused reports whether the program was never used here: the default data directory does not
// exist. A missing directory that somebody configured is a fault instead.
func (p *Program) unused(dir string) bool {
	_, err := os.Stat(dir)
	return errors.Is(err, fs.ErrNotExist) && p.settings.origins["data_dir"] == "default" && !p.onServer()
}

// readable reports whether findings say that the database can be read.
func readable(before []memory.Finding) bool {
	return !slices.ContainsFunc(before, func(f memory.Finding) bool {
		return f.Condition == memory.ConditionBroken && f.Check != settingsCheck || f.Check == "schema" && f.Condition != memory.ConditionOK
	})
}

// examineFiles compares the files that people edit with the banks, if the findings before say that
// the database can be read.
func (p *Program) examineFiles(ctx context.Context, path string, before []memory.Finding, owners []string) []memory.Finding {
	if !readable(before) {
		return nil
	}
	not := func(err error) []memory.Finding {
		f := brokenBy(mirror.Check, err)
		f.Condition, f.Detail, f.Advice = memory.ConditionWarning,
			"not compared with the bank: "+f.Detail, cmp.Or(f.Advice, "start the program once")
		return []memory.Finding{f}
	}
	store, err := db.OpenToRead(ctx, path, db.Options{Clock: p.Clock, Log: p.log})
	if err != nil {
		return not(err)
	}
	defer store.Close()
	dir := p.settings.get("data_dir")
	files := mirror.New(mirror.Options{
		Store: store, Planning: planning.New(planning.Options{Store: store, Clock: p.Clock}), Clock: p.Clock, Log: p.log,
		Files: func(agent string) mirror.Files { return workspace.Open(dir, agent) },
	})
	var findings []memory.Finding
	for _, agent := range owners {
		found, err := files.Examine(ctx, agent)
		if err != nil {
			return not(err)
		}
		findings = append(findings, found...)
	}
	if len(findings) == 0 {
		findings = []memory.Finding{{Check: mirror.Check, Condition: memory.ConditionOK, Detail: "they agree with the banks"}}
	}
	return findings
}

// examineHooks reports when hosts last called hooks.
func (p *Program) examineHooks(ctx context.Context, path string, before []memory.Finding) memory.Finding {
	f := memory.Finding{Check: "hooks", Condition: memory.ConditionOK}
	if !readable(before) {
		f.Condition, f.Detail, f.Advice = memory.ConditionWarning, "not looked at", "mend the database first"
		return f
	}
	store, err := db.OpenToRead(ctx, path, db.Options{Clock: p.Clock, Log: p.log})
	if err == nil {
		defer store.Close()
		var seen map[string]hooks.Seen
		seen, err = hooks.LastSeen(ctx, store, p.settings.get("agent"))
		f.Detail = seenText(seen)
	}
	if err != nil {
		f = brokenBy("hooks", err)
		f.Condition = memory.ConditionWarning
	}
	return f
}

// seenText lists for each host the hooks that it called, latest first.
func seenText(seen map[string]hooks.Seen) string {
	if len(seen) == 0 {
		return "no host has called one yet; `mcp-memory install HOST` sets them up"
	}
	var hosts []string
	for _, host := range slices.Sorted(maps.Keys(seen)) {
		events := slices.SortedFunc(maps.Keys(seen[host]), func(a, b string) int {
			return cmp.Or(seen[host][b].Compare(seen[host][a]), strings.Compare(a, b))
		})
		for i, event := range events {
			events[i] = event + " " + seen[host][event].Local().Format("2006-01-02 15:04")
		}
		hosts = append(hosts, host+": "+strings.Join(events, ", "))
	}
	return visible("last seen of " + strings.Join(hosts, "; "))
}

func brokenBy(check string, err error) memory.Finding {
	f := memory.Finding{Check: check, Condition: memory.ConditionBroken, Detail: message(err)}
	var known *memory.Error
	if errors.As(err, &known) {
		f.Detail, f.Advice = known.Message, known.Hint
	}
	return f
}

// embedderTime is how long the doctor waits for the embedding endpoint.
const embedderTime = 10 * time.Second

func (p *Program) checkEmbedder(ctx context.Context, unsettled error) memory.Finding {
	if unsettled != nil {
		return memory.Finding{Check: "embedder", Condition: memory.ConditionWarning, Detail: "not looked at",
			Advice: "mend the settings first"}
	}
	embedder, err := p.newEmbedder()
	if err != nil {
		return brokenBy("embedder", err)
	}
	ctx, cancel := context.WithTimeout(ctx, embedderTime)
	defer cancel()
	if _, err := embedder.EmbedQuery(ctx, "harbour"); err != nil {
		f := brokenBy("embedder", err)
		f.Condition = memory.ConditionWarning // search by words works without it
		return f
	}
	return memory.Finding{Check: "embedder", Condition: memory.ConditionOK, Detail: embedder.Fingerprint().String()}
}

func (p *Program) printFindings(cmd *cobra.Command, findings []memory.Finding) error {
	ill := slices.ContainsFunc(findings, func(f memory.Finding) bool { return f.Condition == memory.ConditionBroken })
	result := struct {
		Healthy  bool             `json:"healthy"`
		Findings []memory.Finding `json:"findings"`
	}{!ill, findings}
	if err := p.print(cmd, result, findingsText(p.screen(), findings)); err != nil {
		return err
	}
	if ill {
		return failedError{errIll}
	}
	return nil
}

func findingsText(s screen.Screen, findings []memory.Finding) string {
	var rows [][]string
	for _, f := range findings {
		rows = append(rows, []string{string(f.Condition), f.Check, visible(f.Detail)})
		if f.Advice != "" {
			rows = append(rows, []string{"", "", visible(f.Advice)})
		}
	}
	return s.Table(rows)
}
