package hub

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"mcp-memory/embed/modelfile"
	"mcp-memory/memory"
)

const (
	// stalled is how long nothing may arrive before a request is given up.
	stalled = time.Minute
	// attempts is how often Fetch continues a file after a connection broke, as long as each
	// attempt brought some bytes.
	attempts = 20
)

// Options say how models are fetched. Zero values are defaults.
type Options struct {
	URL      string                  // of the hub; [DefaultURL] by default
	Client   *http.Client            // [http.DefaultClient] by default, which uses the system's proxies
	Progress func(done, total int64) // called after each read with the bytes of the model; nil for none
}

// Fetch installs a model of the list in root/NAME. It does nothing if the model is there and its
// files have the right checksums.
//
// Errors are [memory.CodeUnavailable] if the hub cannot be reached or the connection breaks: what
// has arrived is kept, and another call continues from there. [memory.CodeInvalidArgument] if a
// file is not the pinned one: then nothing is kept. [memory.CodeNotFound] if the hub does not have
// it.
func Fetch(ctx context.Context, root string, m Model, o Options) (fetched bool, err error) {
	s, err := open(root, m.Name)
	if err != nil || s.verified(m) {
		return false, err
	}
	if o.URL == "" {
		o.URL = DefaultURL
	}
	if o.Client == nil {
		o.Client = http.DefaultClient
	}
	defer os.Remove(s.dir) // only if it is empty
	f := fetcher{Options: o, model: m, stage: s, total: m.Size()}
	for _, file := range m.Files {
		if err := f.file(ctx, file); err != nil {
			return false, err
		}
		f.before += file.Size
	}
	return true, s.finish(m.Manifest)
}

// fetcher fetches the files of one model.
type fetcher struct {
	Options
	model  Model
	stage  stage
	before int64 // bytes of the files that are complete
	total  int64
}

// file fetches what is missing of one file and compares its checksum.
func (f *fetcher) file(ctx context.Context, want modelfile.File) error {
	path := f.stage.path(want.Name)
	for tries := 0; ; tries++ {
		have := size(path)
		if have >= want.Size {
			break
		}
		err := f.more(ctx, want, path, have)
		switch {
		case err == nil:
		case memory.CodeOf(err) != memory.CodeUnavailable || ctx.Err() != nil || tries >= attempts || size(path) <= have:
			return err
		}
	}
	got, err := modelfile.Measure(f.stage.dir, want.Name)
	if err != nil {
		return err
	}
	if got != want {
		return errors.Join(memory.Errorf(memory.CodeInvalidArgument,
			"%s of %s is not the file that is pinned: its SHA-256 is %s, not %s; nothing is kept",
			want.Name, f.model.Name, got.SHA256,
			want.SHA256).WithHint("a proxy or a mirror may have changed it; try again, or another --hub"), f.stage.drop())
	}
	return nil
}

// size returns the size of a file, 0 if there is none.
func size(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}

// more fetches the file from byte `have` on and appends it. If the server sends all of it, it
// replaces the file.
func (f *fetcher) more(ctx context.Context, want modelfile.File, path string, have int64) (err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	alarm := time.AfterFunc(stalled, func() { cancel(fmt.Errorf("nothing arrived for %s", stalled)) })
	defer alarm.Stop()
	answer, err := f.get(ctx, want.Name, have)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	mode := os.O_CREATE | os.O_WRONLY
	if answer.StatusCode == http.StatusPartialContent {
		mode |= os.O_APPEND
	} else {
		mode, have = mode|os.O_TRUNC, 0 // the server sends it whole
	}
	out, err := os.OpenFile(path, mode, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	// One byte too many is enough to know that the file is wrong.
	body := io.LimitReader(answer.Body, want.Size-have+1)
	buffer := make([]byte, 64<<10)
	for {
		n, readErr := body.Read(buffer)
		alarm.Reset(stalled)
		if _, err := out.Write(buffer[:n]); err != nil {
			return err
		}
		if have += int64(n); f.Progress != nil {
			f.Progress(f.before+min(have, want.Size), f.total)
		}
		if readErr == io.EOF && have >= want.Size {
			return nil
		}
		if readErr != nil {
			return memory.Errorf(memory.CodeUnavailable, "%s of %s broke off at %d of %d bytes", want.Name, f.model.Name, have, want.Size).
				WithHint("run the same command again: it goes on from there").WithCause(cause(ctx, readErr))
		}
	}
}

// cause returns why ctx was cancelled, if it was, else err, which is a consequence of that.
func cause(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// get requests a file from a byte on.
func (f *fetcher) get(ctx context.Context, name string, from int64) (*http.Response, error) {
	url := strings.TrimSuffix(f.URL, "/") + "/" + f.model.Repository + "/resolve/" + f.model.Revision + "/" + name
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil || request.URL.Host == "" {
		return nil, memory.Errorf(memory.CodeInvalidArgument, "%q is not the address of a hub", f.URL).WithHint("such as %s", DefaultURL)
	}
	request.Header.Set("Accept-Encoding", "identity")
	request.Header.Set("User-Agent", "mcp-memory")
	if from > 0 {
		request.Header.Set("Range", fmt.Sprintf("bytes=%d-", from))
	}
	answer, err := f.Client.Do(request)
	if err != nil {
		return nil, memory.Errorf(memory.CodeUnavailable, "the hub %s cannot be reached", f.URL).
			WithHint("on another machine fetch the files, and use --from DIR").WithCause(cause(ctx, err))
	}
	if answer.StatusCode == http.StatusPartialContent &&
		!strings.HasPrefix(answer.Header.Get("Content-Range"), fmt.Sprintf("bytes %d-", from)) {
		answer.Body.Close()
		return nil, memory.Errorf(memory.CodeUnavailable, "the hub %s sends another part of %s than was asked for", f.URL, name)
	}
	switch answer.StatusCode {
	case http.StatusOK, http.StatusPartialContent:
		return answer, nil
	}
	answer.Body.Close()
	switch answer.StatusCode {
	case http.StatusNotFound:
		return nil, memory.Errorf(memory.CodeNotFound, "the hub has no %s of %s at revision %.8s", name, f.model.Name, f.model.Revision)
	case http.StatusRequestedRangeNotSatisfiable:
		return nil, errors.Join(memory.Errorf(memory.CodeUnavailable, "the hub's %s is shorter than what was fetched before", name).
			WithHint("run the same command again: it starts anew"), os.Remove(f.stage.path(name)))
	}
	return nil, memory.Errorf(memory.CodeUnavailable, "the hub %s answers %s for %s", f.URL, answer.Status, filepath.Base(name))
}
