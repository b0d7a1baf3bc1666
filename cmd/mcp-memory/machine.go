package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"mcp-memory/hosts"
)

// machine describes this machine to package hosts.
func (p *Program) machine() hosts.Machine {
	home := homeDir(p.Env)
	return hosts.Machine{
		OS: runtime.GOOS, Home: home, Project: projectRoot(home), Env: p.Env, Look: exec.LookPath,
		Run: func(ctx context.Context, argv []string) (string, error) {
			command := exec.CommandContext(ctx, argv[0], argv[1:]...)
			command.Dir = home // not in the project, which may have servers of its own
			output, err := command.CombinedOutput()
			return string(output), err
		},
	}
}

// projectRoot returns the directory of the repository around the working directory, else the
// working directory.
func projectRoot(home string) string {
	working, err := os.Getwd()
	if err != nil {
		return "."
	}
	for dir := working; dir != home && filepath.Dir(dir) != dir; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
	}
	return working
}
