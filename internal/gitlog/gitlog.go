// Package gitlog reads the commits that changed a file, from a repository that may be malicious. So
// git runs without hooks, pager, helpers and the user's settings, opens no connection, and has
// little time.
package gitlog

import (
	"bytes"
	"context"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Commit is a commit.
type Commit struct {
	ID, Author, Subject string
	At                  time.Time
}

// Limits of one call of Of: its time, how many commits, and bytes of git's output.
const (
	patience = 3 * time.Second
	limit    = 20
	maxBytes = 64 << 10
)

// harmless are flags that switch off every program that a repository's settings could make git run.
var harmless = []string{
	"--no-pager", "--no-optional-locks", "--literal-pathspecs", "-c", "core.hooksPath=/dev/null", "-c",
	"core.fsmonitor=false", "-c", "core.pager=cat", "-c", "core.sshCommand=false", "-c", "core.askPass=false",
	"-c", "credential.helper=", "-c", "log.showSignature=false", "-c", "gpg.program=false", "-c",
	"diff.external=", "-c", "protocol.allow=never", "-c", "log.mailmap=false", "-c", "core.commitGraph=false",
}

// Of returns the newest commits that changed a file, newest first. If `to` is above 0, it is those
// that changed the lines from `from` to `to`. Without a repository or git it returns none.
// searchPath is the PATH in which git is looked for.
func Of(ctx context.Context, path string, from, to int, searchPath string) []Commit {
	dir, name := filepath.Dir(path), filepath.Base(path)
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	args := append([]string{"-C", dir}, harmless...)
	args = append(args, "log", "--no-ext-diff", "--no-textconv", "--no-show-signature", "--no-color", "--no-decorate", "-n",
		strconv.Itoa(limit), "--format=%x1e%H%x1f%ct%x1f%an%x1f%s%x1f")
	if to > 0 {
		args = append(args, "-s", "-L", strconv.Itoa(from)+","+strconv.Itoa(to)+":"+name)
	} else {
		args = append(args, "--", name)
	}
	git := exec.CommandContext(ctx, "git", args...)
	git.Env = []string{
		"PATH=" + searchPath, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null",
		"GIT_CONFIG_SYSTEM=/dev/null", "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1",
		"GIT_ALLOW_PROTOCOL=none", "GIT_NO_REPLACE_OBJECTS=1", "GIT_ATTR_NOSYSTEM=1", "GIT_PAGER=cat", "LC_ALL=C", "HOME=/nonexistent",
	}
	git.WaitDelay = time.Second
	var out bounded
	git.Stdout = &out
	if git.Run() != nil && out.Len() == 0 {
		return nil
	}
	var commits []Commit
	for entry := range strings.SplitSeq(out.String(), "\x1e") {
		fields := strings.Split(entry, "\x1f")
		if len(fields) < 5 || len(fields[0]) < 8 {
			continue
		}
		seconds, err := strconv.ParseInt(fields[1], 10, 64)
		if err != nil {
			continue
		}
		commits = append(commits,
			Commit{ID: fields[0], At: time.Unix(seconds, 0).UTC(), Author: strings.ToValidUTF8(fields[2], ""),
				Subject: strings.ToValidUTF8(fields[3], "")})
	}
	return commits
}

// bounded keeps the first maxBytes that are written.
type bounded struct{ bytes.Buffer }

// Write implements [io.Writer].
func (b *bounded) Write(p []byte) (int, error) {
	if room := maxBytes - b.Len(); room > 0 {
		b.Buffer.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}
