// Command dockerfile reads a Dockerfile as BuildKit does and fails on what it
// cannot parse or its linter warns of. It prints the labels, the user and what
// is started, a line each.
package main

import (
	"fmt"
	"os"

	"github.com/moby/buildkit/frontend/dockerfile/instructions"
	"github.com/moby/buildkit/frontend/dockerfile/linter"
	"github.com/moby/buildkit/frontend/dockerfile/parser"
)

func main() {
	file, err := os.Open(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	defer file.Close()
	if err := show(file); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func show(file *os.File) error {
	parsed, err := parser.Parse(file)
	if err != nil {
		return err
	}
	for _, w := range parsed.Warnings {
		err = fmt.Errorf("%s: %s", w.Short, w.Detail)
	}
	lint := linter.New(&linter.Config{Warn: func(rule, _, _, message string, _ []parser.Range) {
		err = fmt.Errorf("%s: %s", rule, message)
	}})
	stages, _, wrong := instructions.Parse(parsed.AST, lint)
	if wrong != nil {
		return wrong
	}
	last := stages[len(stages)-1]
	fmt.Println("from", last.BaseName)
	for _, command := range last.Commands {
		switch c := command.(type) {
		case *instructions.LabelCommand:
			for _, l := range c.Labels {
				fmt.Println("label", l.Key, l.Value)
			}
		case *instructions.UserCommand:
			fmt.Println("user", c.User)
		case *instructions.HealthCheckCommand:
			fmt.Println("health", c.Health.Test)
		case *instructions.EntrypointCommand:
			fmt.Println("entrypoint", c.CmdLine)
		}
	}
	return err
}
