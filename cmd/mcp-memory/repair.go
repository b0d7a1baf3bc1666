package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"mcp-memory/db"
	"mcp-memory/memory"
	"mcp-memory/mirror"
	"mcp-memory/upkeep"
)

// damages are the names of the checks whose findings a repair can mend.
var damages = []string{"file", "schema", "structure", "references", "counters", "text index", "vectors", "queue"}

// repairServer corrects the counters of a database on a server. All other repairs are up to its
// operator.
func (p *Program) repairServer(cmd *cobra.Command, findings []memory.Finding) error {
	wrong, err := db.MendServer(cmd.Context(), p.settings.get("database"))
	if err != nil {
		return err
	}
	findings = slices.DeleteFunc(findings, func(f memory.Finding) bool { return f.Check == "counters" })
	mended := memory.Finding{Check: "repair", Condition: memory.ConditionOK, Detail: "there is nothing that it could mend"}
	if wrong > 0 {
		mended.Detail = fmt.Sprintf("%d groups of records were counted anew", wrong)
	}
	return p.printFindings(cmd, append(findings, mended))
}

// repair mends the database if findings show damage that it can mend, and the files that differ
// from the banks.
func (p *Program) repair(cmd *cobra.Command, findings []memory.Finding) error {
	dir := p.settings.get("data_dir")
	if err := upkeep.CheckThere(dir); err != nil {
		return err
	}
	needed := slices.ContainsFunc(findings, func(f memory.Finding) bool {
		return f.Condition == memory.ConditionBroken && slices.Contains(damages, f.Check)
	})
	findings = leftToPeople(findings, needed)
	differ := slices.ContainsFunc(findings, func(f memory.Finding) bool { return f.Check == mirror.Check && f.Advice == mirror.Mend })
	switch {
	case needed:
	case differ:
		if err := p.repairFiles(cmd.Context()); err != nil {
			return err
		}
		return p.printFindings(cmd,
			append(findings, memory.Finding{Check: "repair", Condition: memory.ConditionOK, Detail: "the files agree with the banks"}))
	default:
		return p.printFindings(cmd,
			append(findings, memory.Finding{Check: "repair", Condition: memory.ConditionOK, Detail: "there is nothing that it could mend"}))
	}
	embedder, err := p.newEmbedder()
	if err != nil {
		return err
	}
	var salvaged db.Salvaged
	r, err := upkeep.Repair(cmd.Context(), upkeep.RepairOptions{
		Dir: dir, Verify: db.Verify,
		Salvage: func(ctx context.Context, from, to string) (err error) {
			salvaged, err = db.Salvage(ctx, from, to, db.Options{Embedder: embedder.Fingerprint(), Clock: p.Clock})
			return err
		},
	})
	if err != nil {
		return err
	}
	if err := p.repairFiles(cmd.Context()); err != nil { // the next call does it again
		p.log.Warn("make the files agree with the banks", "error", err)
	}
	result := struct {
		Findings []memory.Finding `json:"findings"` // before the repair
		Counts   map[string]int   `json:"counts"`   // after the repair, by table
		db.Salvaged
		Before string `json:"before"`
	}{findings, r.Counts, salvaged, r.Before}
	return p.print(cmd, result, findingsText(p.screen(), findings)+"\n\n"+repairText(r, salvaged, filepath.Join(dir, r.Before)))
}

// leftToPeople turns findings about lost contents, which no repair can restore, into warnings,
// unless the database needs a repair anyway.
func leftToPeople(findings []memory.Finding, needed bool) []memory.Finding {
	left := slices.Clone(findings)
	for i, f := range left {
		if f.Check == "contents" && f.Condition == memory.ConditionBroken && !needed {
			left[i].Condition = memory.ConditionWarning
		}
	}
	return left
}

// repairFiles makes the files of all agents agree with their banks.
func (p *Program) repairFiles(ctx context.Context) (err error) {
	a, err := p.open(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.close()) }()
	agents, err := a.raw.Agents(ctx)
	for _, agent := range agents {
		if a.workspace(agent).Exists(ctx) {
			err = errors.Join(err, a.mirror.Repair(ctx, agent))
		}
	}
	return err
}

// maxNamed is how many lost things are named.
const maxNamed = 50

func nameAll(b *strings.Builder, what string, names []string) {
	for _, name := range names[:min(maxNamed, len(names))] {
		fmt.Fprintf(b, "%s%s\n", what, name)
	}
	if more := len(names) - maxNamed; more > 0 {
		fmt.Fprintf(b, "%s%d more\n", what, more)
	}
}

func repairText(r upkeep.Repaired, s db.Salvaged, before string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Repaired: %s. Vectors are made by the next server.\n", inAll(upkeep.Manifest{Counts: r.Counts}))
	if s.Damaged > 0 {
		fmt.Fprintf(&b, "%s could not be read.\n", counted(s.Damaged, "page", "pages"))
	}
	nameAll(&b, "lost: ", s.Lost)
	nameAll(&b, "not what was saved: ", s.Changed)
	if s.Unnamed > 0 {
		fmt.Fprintf(&b, "lost: %s that nothing names\n", counted(s.Unnamed, "row", "rows"))
	}
	fmt.Fprintf(&b, "The old database is in %s, as it was; remove it when you do not need it.", before)
	return b.String()
}
