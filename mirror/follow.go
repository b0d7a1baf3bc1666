package mirror

import (
	"context"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"
)

// settling is how long a file has to be left alone before it is read: editors write a
// file in several steps, and Git many.
const settling = 200 * time.Millisecond

// Run completes the files of some agents, and then hears edits as they happen, until
// the context ends. Where the system cannot tell of changes, the next call hears them.
func (s *Service) Run(ctx context.Context, agents []string) {
	for _, agent := range agents {
		if ctx.Err() == nil && s.files(agent).Exists(ctx) {
			s.noteFailure(ctx, agent, "", s.Complete(ctx, agent))
		}
	}
	debug.FreeOSMemory() // what reading has left behind: nothing may happen for long
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		s.log.InfoContext(ctx, "edits of files are heard with the next call only", "error", err)
		s.hear(ctx, nil, nil)
		return
	}
	defer watcher.Close()
	s.watcher.Store(watcher)
	defer s.watcher.Store(nil)
	for _, agent := range agents {
		s.follow(agent)
	}
	s.hear(ctx, watcher.Events, watcher.Errors)
}

// hear refreshes the agents whose files changed, once these are left alone for the time settling,
// and the agents of whose files a pass left lines for later.
func (s *Service) hear(ctx context.Context, events <-chan fsnotify.Event, problems <-chan error) {
	touched := map[string]bool{} // agents
	timer := time.NewTimer(settling)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case agent := <-s.more:
			touched[agent] = true
			timer.Reset(settling)
		case event, ok := <-events:
			if !ok {
				return
			}
			agent, known := s.followed.Load(filepath.Dir(event.Name))
			if known && strings.HasSuffix(event.Name, ".md") {
				touched[agent.(string)] = true
				timer.Reset(settling)
			}
		case _, ok := <-problems: // some were lost: the next call hears them
			if !ok {
				return
			}
		case <-timer.C:
			for agent := range touched {
				s.Refresh(ctx, agent)
			}
			clear(touched)
		}
	}
}

// follow begins to watch the files of an agent, if they are watched at all.
func (s *Service) follow(agent string) {
	watcher := s.watcher.Load()
	if watcher == nil {
		return
	}
	root := s.files(agent).Path()
	if root == "" {
		return
	}
	for _, path := range []string{root, filepath.Join(root, "learnings")} {
		if _, before := s.followed.LoadOrStore(path, agent); before {
			continue
		}
		if err := watcher.Add(path); err != nil { // not there yet, or too many
			s.followed.Delete(path)
		}
	}
}
