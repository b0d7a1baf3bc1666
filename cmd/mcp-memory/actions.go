package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"mcp-memory/actions"
	"mcp-memory/embed"
	"mcp-memory/internal/gitlog"
	"mcp-memory/internal/plainfile"
	"mcp-memory/transfer/transcripts"
)

// newActions makes the use case of actions. Only commands of this machine's user read git
// repositories: a server or a hook does not.
func (p *Program) newActions(a *app) *actions.Service {
	o := actions.Options{Store: a.store, Recall: a.recall, Clock: p.Clock, Embedder: embed.NewBuiltin(), Keep: a.actionsKeep}
	if !p.serving && !p.calling {
		o.Commits = func(ctx context.Context, path string, lines actions.Lines) (commits []actions.Commit) {
			for _, c := range gitlog.Of(ctx, path, lines.From, lines.To, p.Env("PATH")) {
				commits = append(commits, actions.Commit{ID: c.ID, At: c.At, Author: c.Author, Subject: c.Subject})
			}
			return commits
		}
	}
	return actions.New(o)
}

func (p *Program) blameCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "blame PATH[:LINE[-LINE]]",
		Short: "Show the sessions, decisions, corrections, what you said of it, and commits behind a file or lines of it",
		Args:  usageArgs(cobra.ExactArgs(1)),
	}
	addJSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		request, err := blameRequest(args[0])
		if err != nil {
			return err
		}
		return p.answer(cmd, p.openExisting, func(a *app) (any, string, error) {
			scope, err := a.scopeOf(cmd.Context(), nil)
			if err != nil {
				return nil, "", err
			}
			b, err := a.actions.Blame(cmd.Context(), scope, request)
			return b, p.blameText(a, b), err
		})
	}
	return cmd
}

// blameRequest parses FILE, FILE:LINE or FILE:FROM-TO. If the file exists, it makes the path
// absolute and adds the hashes of the lines.
func blameRequest(arg string) (r actions.BlameRequest, err error) {
	r.Path = arg
	if name, lines, ok := cutLast(arg, ":"); ok && name != "" {
		from, to, isRange := strings.Cut(lines, "-")
		first, err := strconv.Atoi(from)
		last := first
		if err == nil && isRange {
			last, err = strconv.Atoi(to)
		}
		if err == nil {
			if first < 1 || last < first {
				return r, usageError{fmt.Errorf("lines %s: they count from 1, and the first is not behind the last", lines)}
			}
			r.Path, r.Lines = name, actions.Lines{From: first, To: last}
		}
	}
	whole, err := filepath.Abs(r.Path)
	if err != nil {
		return r, err
	}
	if _, err := os.Stat(whole); err != nil {
		r.Path = filepath.ToSlash(filepath.Clean(r.Path)) // a deleted file, or only the end of a path
		return r, nil
	}
	r.Path = whole
	r.Sums = lineSums(r.Path, r.Lines)
	return r, nil
}

func cutLast(text, by string) (before, after string, found bool) {
	at := strings.LastIndex(text, by)
	if at < 0 {
		return text, "", false
	}
	return text[:at], text[at+len(by):], true
}

// mostBlamed is the size in bytes up to which a file is read for its lines.
const mostBlamed = 8 << 20

// lineSums returns the hashes of lines of a file, without those that are too short for one. It is
// nil for all lines, and for a file that cannot be read or is larger than mostBlamed.
func lineSums(path string, lines actions.Lines) (sums []string) {
	if lines.To == 0 {
		return nil
	}
	text, err := plainfile.Read(path, mostBlamed)
	if err != nil {
		return nil
	}
	in := bufio.NewReader(strings.NewReader(string(text)))
	for n := 1; n <= lines.To; n++ {
		line, err := in.ReadString('\n')
		if sum := transcripts.LineSum(line); n >= lines.From && sum != "" {
			sums = append(sums, sum)
		}
		if err == io.EOF {
			break
		}
	}
	return sums
}

func (p *Program) blameText(a *app, b actions.Blame) string {
	var out strings.Builder
	for _, part := range b.Parts(a.recall.Day) {
		fmt.Fprintf(&out, "%s\n  %s\n", part.Title, strings.Join(part.Lines, "\n  "))
	}
	if out.Len() == 0 {
		return "Nothing is known of this file."
	}
	return strings.TrimSuffix(out.String(), "\n")
}
