package web

import (
	"errors"
	"fmt"
	"net/http"
	"time"
)

const (
	// lookEvery is how often a stream of events looks for changes, and beatEvery how often it sends
	// a comment to show that it is still there.
	lookEvery = 500 * time.Millisecond
	beatEvery = 15 * time.Second
)

// version returns a text that changes whenever what the pages show of the bank may have changed.
func (v *visit) version() (string, error) {
	scope, err := v.scope()
	if err != nil {
		return "", err
	}
	version, err := v.site.o.Start.Version(v.context(), scope)
	if v.site.o.Review != nil {
		version = fmt.Sprint(version, " ", v.site.o.Review.Looks(scope.Agent))
	}
	return version, err
}

// events is a stream of server-sent events. It sends "change" when the bank has changed since the
// version in the field since, whoever changed it, and "signed-out" when the session has ended. The
// page then reloads its parts.
func (s *Site) events(v *visit) (answer, error) {
	ctx, control := v.context(), http.NewResponseController(v.w)
	last, err := v.version()
	if err != nil {
		return nil, err
	}
	if since := v.field("since"); since != "" {
		last = since
	}
	v.w.Header().Set("Content-Type", "text/event-stream")
	v.w.Header().Set("X-Accel-Buffering", "no")
	say := func(text string) bool {
		v.extend()
		if _, err := fmt.Fprint(v.w, text); err != nil {
			return false
		}
		return control.Flush() == nil
	}
	if !say("retry: 1000\n: here\n\n") {
		return nil, nil
	}
	look, beat := time.NewTicker(lookEvery), time.NewTicker(beatEvery)
	defer look.Stop()
	defer beat.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil, nil
		case <-s.closing.Done():
			return nil, nil
		case <-beat.C:
			if !say(": here\n\n") {
				return nil, nil
			}
		case <-look.C:
			if s.sessions.find(v.session.id, true) == nil || errors.Is(s.recheck(ctx, v.session), errSignIn) {
				say("event: signed-out\ndata: -\n\n")
				return nil, nil
			}
			now, err := v.version()
			if err != nil || now == last {
				continue // an error may be gone at the next tick
			}
			if last = now; !say("event: change\ndata: -\n\n") {
				return nil, nil
			}
		}
	}
}
