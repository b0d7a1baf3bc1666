package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// dist is the directory of everything that is made, relative to the top of the repository.
const dist = "dist"

// errUsage is the error for a command line that is not understood.
var errUsage = errors.New("usage: go run ./build/release files [--check] | make [--publish] [--only OS/ARCH,...] | bundle --binary FILE --target OS/ARCH | sbom --binary FILE --output FILE")

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) == 0 {
		return errUsage
	}
	flags := flag.NewFlagSet(args[0], flag.ContinueOnError)
	check := flags.Bool("check", false, "change nothing, and fail if something would be")
	publish := flags.Bool("publish", false, "publish what was made")
	only := flags.String("only", "", "make it for these platforms only, such as linux/amd64")
	binary := flags.String("binary", "", "the built program")
	target := flags.String("target", "", "for which platform it was built")
	output := flags.String("output", "", "the file to write")
	if err := flags.Parse(args[1:]); err != nil || flags.NArg() > 0 {
		return errors.Join(err, errUsage)
	}
	top, err := findTop()
	if err != nil {
		return err
	}
	switch args[0] {
	case "files":
		return treeFiles(top, *check)
	case "make":
		platforms, err := parsePlatforms(*only)
		if err != nil {
			return err
		}
		return makeAll(top, platforms, *publish)
	case "bundle":
		platforms, err := parsePlatforms(*target)
		if err != nil || len(platforms) != 1 || *target == "" || *binary == "" {
			return errors.Join(err, errUsage)
		}
		return bundle(top, *binary, platforms[0])
	case "sbom":
		if *binary == "" || *output == "" {
			return errUsage
		}
		return writeSBOM(*binary, *output)
	}
	return errUsage
}

// findTop returns the directory of go.mod, at or above the working directory.
func findTop() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		above := filepath.Dir(dir)
		if above == dir {
			return "", errors.New("start it in a clone of the repository")
		}
		dir = above
	}
}

// platform is a platform that is released for, in the names of Go and of Node.js.
type platform struct {
	os, arch         string
	nodeOS, nodeArch string
}

// platforms are the platforms that are released for; .goreleaser.yaml lists the same.
var platforms = []platform{
	{"linux", "amd64", "linux", "x64"}, {"linux", "arm64", "linux", "arm64"},
	{"darwin", "amd64", "darwin", "x64"}, {"darwin", "arm64", "darwin", "arm64"},
	{"windows", "amd64", "win32", "x64"}, {"windows", "arm64", "win32", "arm64"},
}

// String returns OS/ARCH.
func (p platform) String() string { return p.os + "/" + p.arch }

// program returns the file name of the program.
func (p platform) program() string {
	if p.os == "windows" {
		return "mcp-memory.exe"
	}
	return "mcp-memory"
}

// parsePlatforms parses a comma-separated list of platforms; an empty one means all.
func parsePlatforms(list string) ([]platform, error) {
	if list == "" {
		return platforms, nil
	}
	var found []platform
	for name := range strings.SplitSeq(list, ",") {
		known := false
		for _, p := range platforms {
			if p.String() == name {
				found, known = append(found, p), true
			}
		}
		if !known {
			return nil, fmt.Errorf("%q is not released for; there are %v", name, platforms)
		}
	}
	return found, nil
}
