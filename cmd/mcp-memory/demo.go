package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"mcp-memory/recall"
	"mcp-memory/server/stdio"
)

// demoFacts are saved in the first session. Most have nothing to do with the questions, and some
// questions have no word in common with their answer.
var demoFacts = []string{
	"My cat's name is Whiskerino",
	"Anna Lindqvist is a doctor at the children's hospital in Utrecht",
	"We decided to use PostgreSQL for the billing service because of its row-level security",
	"The staging server listens on port 8443 and is redeployed every night at 02:30 UTC",
	"Tom is allergic to peanuts and carries an adrenaline pen",
	"The quarterly report is due on 15 March 2027",
	"I prefer short answers without bullet points",
	"The release manager is Priya",
	"To undo a release, run `make rollback TAG=previous` on the build host",
}

var demoQuestions = []string{
	"What is my cat's name?",
	"Which database did we choose for billing?",
	"What can Tom not eat?",
	"How do we roll back a release?",
	"Where does the physician work?",
}

// demoChange is the fact that the second session saves, which replaces one of the first.
const demoChange = "The release manager is Jonas now"

var changedQuestions = []string{
	"Who is the release manager?",
	"Who was the release manager before?",
}

func (p *Program) demoCommand() *cobra.Command {
	return &cobra.Command{
		Use: "demo", Short: "Watch a memory survive the death of its server", Args: usageArgs(cobra.NoArgs),
		Long: "Starts the real server over stdio in a temporary directory, saves some facts, kills it with SIGKILL,\n" +
			"starts a new one and asks it plain questions; then it is told that a fact has changed, and a line of\n" +
			"MEMORY.md is edited. Your own memories are not touched.",
		RunE: func(cmd *cobra.Command, _ []string) error { return p.demo(cmd.Context()) },
	}
}

func (p *Program) demo(ctx context.Context) (err error) {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "mcp-memory-demo-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	start := func() (*stdio.Child, error) {
		child, err := stdio.StartChild(ctx, p.Stderr, program, "serve", "--data-dir", dir, "--agent", "demo", "--project=")
		if err == nil {
			fmt.Fprintf(visibly{p.Stdout}, "$ mcp-memory serve        (started over stdio, process %d)\n", child.PID())
		}
		return child, err
	}
	child, err := start()
	if err != nil {
		return err
	}
	for _, fact := range demoFacts {
		if _, _, err := child.Call(ctx, "memory_save", map[string]any{"content": fact}); err != nil {
			return errors.Join(err, child.Kill())
		}
		fmt.Fprintf(visibly{p.Stdout}, "  memory_save   %s\n", fact)
	}
	fmt.Fprintf(visibly{p.Stdout}, "$ kill -9 %d\n", child.PID())
	if err := child.Kill(); err != nil {
		return err
	}
	if child, err = start(); err != nil {
		return err
	}
	err = p.interview(ctx, child)
	if err == nil {
		err = p.editFile(ctx, child, dir)
	}
	if err != nil {
		return errors.Join(err, child.Kill())
	}
	fmt.Fprintln(p.Stdout,
		"\nThe second server found what the first one had been told, and heard what was edited. Every save was on disk before it was answered.")
	return child.Close()
}

// interview is the second session: it asks questions, saves a changed fact, and asks about that.
func (p *Program) interview(ctx context.Context, child *stdio.Child) error {
	for _, question := range demoQuestions {
		if err := p.ask(ctx, child, question); err != nil {
			return err
		}
	}
	if err := p.change(ctx, child, demoChange); err != nil {
		return err
	}
	for _, question := range changedQuestions {
		if err := p.ask(ctx, child, question); err != nil {
			return err
		}
	}
	return nil
}

// change saves a changed fact and shows the memory that it supersedes.
func (p *Program) change(ctx context.Context, child *stdio.Child, fact string) error {
	result, _, err := child.Call(ctx, "memory_save", map[string]any{"content": fact})
	if err != nil {
		return err
	}
	var saved struct{ Superseded []string }
	if err := json.Unmarshal(result, &saved); err != nil {
		return err
	}
	fmt.Fprintf(visibly{p.Stdout}, "\n  memory_save   %s\n", fact)
	if len(saved.Superseded) == 0 {
		return nil
	}
	if result, _, err = child.Call(ctx, "memory_get", map[string]any{"ids": saved.Superseded}); err != nil {
		return err
	}
	var before struct{ Records []struct{ Content string } }
	err = json.Unmarshal(result, &before)
	for _, r := range before.Records {
		fmt.Fprintf(visibly{p.Stdout},
			"             -> takes the place of: %s\n                (it stays as history, and can be brought back)\n", r.Content)
	}
	return err
}

// ask shows the best answer to a question and why it was found.
func (p *Program) ask(ctx context.Context, child *stdio.Child, question string) error {
	result, _, err := child.Call(ctx, "memory_recall", map[string]any{"query": question, "limit": 1, "explain": true})
	if err != nil {
		return err
	}
	var answer struct {
		Results []struct {
			Content    string
			OutdatedBy string `json:"outdated_by"`
			Score      float64
			Why        recall.Why
		}
	}
	if err := json.Unmarshal(result, &answer); err != nil {
		return err
	}
	fmt.Fprintf(visibly{p.Stdout}, "\n  memory_recall %s\n", question)
	for _, r := range answer.Results {
		outdated := ""
		if r.OutdatedBy != "" {
			outdated = " (marked as outdated)"
		}
		fmt.Fprintf(visibly{p.Stdout},
			"             -> %s%s\n                (score %.2f: words %.2f, meaning %.2f, salience %.2f; matched %q)\n",
			r.Content, outdated, r.Score, r.Why.TextScore, r.Why.VectorScore, r.Why.Salience, r.Why.MatchedTerms)
	}
	if len(answer.Results) == 0 {
		fmt.Fprintln(p.Stdout, "             -> nothing relevant")
	}
	return nil
}
