package main

import (
	"strings"

	"github.com/schollz/progressbar/v3"

	"mcp-memory/recall"
	"mcp-memory/workspace/passages"
)

// included returns the patterns of further files to search, as full paths.
func (p *Program) included() ([]string, error) {
	var list []string
	for pattern := range strings.SplitSeq(p.settings.get("workspace.include"), ",") {
		if pattern = strings.TrimSpace(pattern); pattern == "" {
			continue
		}
		pattern = fromHome(pattern, p.Env)
		if err := passages.CheckPattern(pattern); err != nil {
			return nil, p.settings.wrong("workspace.include", "full paths with *, ** and ?, such as ~/notes/**/*.md")
		}
		list = append(list, pattern)
	}
	return list, nil
}

// newLibraries returns the files that are searched for an agent. Files of workspace.include are
// only searched for the process's own agent, because agents of tokens may be other people's.
func (p *Program) newLibraries(a *app) (func(agent string) recall.Library, error) {
	include, err := p.included()
	if err != nil {
		return nil, err
	}
	return func(agent string) recall.Library {
		o := passages.Options{Dir: a.workspace(agent), Log: p.log}
		if agent == a.scope.Agent {
			o.Include = include
		}
		if !p.serving {
			o.Progress = p.readingFiles()
		}
		return passages.NewLibrary(o)
	}, nil
}

// quietly is how many bytes are read without a progress bar, because that is done before a bar is
// seen.
const quietly = 4 << 20

// readingFiles shows a progress bar for reading many files.
func (p *Program) readingFiles() func(done, total int64) {
	var bar *progressbar.ProgressBar
	return func(done, total int64) {
		if total < quietly {
			return
		}
		if bar == nil {
			bar = p.progressBar(total, "reading files")
		}
		bar.Set64(done)
		if done == total {
			bar.Exit()
			bar = nil
		}
	}
}
