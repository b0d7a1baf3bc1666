package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"mcp-memory/internal/product"
	"mcp-memory/memory"
)

const (
	// newerTimeout is how long the server that publishes releases may take to answer.
	newerTimeout = 10 * time.Second
	// newerLimit is how many bytes of its answer are read. GitHub's has some kilobytes.
	newerLimit = 1 << 20
)

// newest describes the newest release.
type newest struct {
	Tag  string `json:"tag_name"`
	Page string `json:"html_url"`
}

// newerRelease asks a URL for the newest release, and says in a line whether it is newer than this
// program. An empty URL is where the project publishes releases.
func (p *Program) newerRelease(ctx context.Context, place string) (found newest, newer bool, line string, err error) {
	if place == "" && !product.Published() {
		return found, false, "", memory.Errorf(memory.CodeUnavailable, "this build does not know where its releases are published").
			WithHint("--from URL asks a place that you know, in the form of GitHub's \"latest release\"")
	}
	if place == "" {
		place = product.Latest
	}
	if found, err = askNewest(ctx, place); err != nil {
		return found, false, "", err
	}
	order, err := compareVersions(strings.TrimPrefix(found.Tag, "v"), product.Version)
	if err != nil {
		return found, false, "", memory.Errorf(memory.CodeUnavailable, "%s names a release %q, which is no version", place, found.Tag)
	}
	switch {
	case order > 0:
		line = fmt.Sprintf("%s is out; this is %s", found.Tag, product.Version)
		if found.Page != "" {
			line += ": " + found.Page
		}
	case order < 0:
		line = fmt.Sprintf("this is newer than the newest release, %s", found.Tag)
	default:
		line = "this is the newest release"
	}
	return found, order > 0, line, nil
}

// askNewest reads the newest release from a URL. Of this machine it sends only the version of the
// program.
func askNewest(ctx context.Context, place string) (found newest, err error) {
	address, err := url.Parse(place)
	if err != nil || address.Host == "" || address.Scheme != "http" && address.Scheme != "https" {
		return found, memory.Errorf(memory.CodeInvalidArgument, "%q is not the URL of a release", place).
			WithHint("such as %s", product.Latest)
	}
	ctx, cancel := context.WithTimeout(ctx, newerTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, place, nil)
	if err != nil {
		return found, err
	}
	request.Header.Set("Accept", "application/vnd.github+json")
	request.Header.Set("User-Agent", product.Name+"/"+product.Version)
	response, err := http.DefaultClient.Do(request)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return found, memory.Errorf(memory.CodeUnavailable, "%s did not answer within %s", address.Host, newerTimeout).
			WithHint("try again later")
	case err != nil:
		return found, memory.Errorf(memory.CodeUnavailable, "%s cannot be reached", address.Host).WithCause(err).
			WithHint("everything else works without a network")
	}
	defer response.Body.Close()
	switch response.StatusCode {
	case http.StatusOK:
	case http.StatusNotFound:
		return found, memory.Errorf(memory.CodeNotFound, "there is no release at %s", place)
	case http.StatusForbidden, http.StatusTooManyRequests:
		return found, memory.Errorf(memory.CodeUnavailable, "%s does not want to be asked now: %s", address.Host, response.Status).
			WithHint("try again in an hour")
	default:
		return found, memory.Errorf(memory.CodeUnavailable, "%s answers %s", address.Host, response.Status)
	}
	if err := json.NewDecoder(io.LimitReader(response.Body, newerLimit)).Decode(&found); err != nil {
		return found, memory.Errorf(memory.CodeUnavailable, "the answer of %s cannot be understood", address.Host).WithCause(err)
	}
	return found, nil
}

// semantic matches a version: three numbers, optionally with a pre-release and a build.
var semantic = regexp.MustCompile(`^(\d{1,9})\.(\d{1,9})\.(\d{1,9})(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$`)

// compareVersions is negative if a is older than b, 0 if they are equal, and positive if a is
// newer. A pre-release is older than its release. Pre-releases of one release are in alphabetical
// order.
func compareVersions(a, b string) (int, error) {
	left, right := semantic.FindStringSubmatch(a), semantic.FindStringSubmatch(b)
	if left == nil || right == nil {
		return 0, errors.New("not a version")
	}
	for i := 1; i <= 3; i++ {
		x, _ := strconv.Atoi(left[i]) // a few digits only, so it cannot fail
		y, _ := strconv.Atoi(right[i])
		if x != y {
			return x - y, nil
		}
	}
	switch {
	case left[4] == right[4]:
		return 0, nil
	case left[4] == "":
		return 1, nil
	case right[4] == "":
		return -1, nil
	}
	return strings.Compare(left[4], right[4]), nil
}
