package main

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"mcp-memory/access"
	"mcp-memory/access/oidc"
	"mcp-memory/embed"
	"mcp-memory/internal/endpoint"
	"mcp-memory/memory"
	"mcp-memory/upkeep"
)

// databaseName is the name of the database file in the data directory.
const databaseName = upkeep.Database

// tokenNote is a data directory, in which a note says that tokens were made.
type tokenNote string

// Noted implements [access.Note].
func (dir tokenNote) Noted() bool { return upkeep.TokensNoted(string(dir)) }

// Note implements [access.Note].
func (dir tokenNote) Note() error { return upkeep.NoteTokens(string(dir)) }

// makeDataDir makes the data directory, readable by its owner only.
func makeDataDir(dir string) error {
	err := os.MkdirAll(dir, 0o700)
	var path *fs.PathError
	if errors.As(err, &path) {
		return memory.Errorf(memory.CodeUnavailable, "the data directory %s cannot be made: %v", dir, path.Err).
			WithHint("choose another with --data-dir or MCP_MEMORY_DATA_DIR")
	}
	return err
}

func (p *Program) newEmbedder() (memory.Embedder, error) {
	s := p.settings
	if s.get("embed.url") == "" {
		if name := s.get("embed.local"); name != "" {
			e, err := p.localModel(name)
			if err == nil && p.serving && !e.Local() { // a model on this machine would compete with calls for the processor
				return embed.NewPaced(e), nil
			}
			return e, err
		}
		return embed.NewBuiltin(), nil
	}
	o := embed.OpenAIOptions{
		Options:     endpoint.Options{BaseURL: s.get("embed.url"), APIKey: s.get("embed.key"), Model: s.get("embed.model")},
		QueryPrefix: s.get("embed.query_prefix"), DocumentPrefix: s.get("embed.document_prefix"),
	}
	var errs [4]error
	if s.get("embed.dimensions") != "" { // without it NewOpenAI reports that it is missing
		o.Dimensions, errs[0] = s.int("embed.dimensions")
	}
	o.RequestDimensions, errs[1] = s.bool("embed.request_dimensions")
	o.Truncate, errs[2] = s.bool("embed.truncate")
	o.Timeout, errs[3] = s.duration("embed.timeout")
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	endpoint, err := embed.NewOpenAI(o)
	if err == nil && p.calling {
		return unasked{endpoint}, nil
	}
	return endpoint, err
}

// unasked is an embedder whose endpoint is never called, because a hook has no time for that.
type unasked struct{ memory.Embedder }

var errUnasked = memory.Errorf(memory.CodeUnavailable, "a hook does not ask an endpoint")

// EmbedQuery implements [memory.Embedder].
func (unasked) EmbedQuery(context.Context, string) ([]float32, error) { return nil, errUnasked }

// EmbedDocuments implements [memory.Embedder].
func (unasked) EmbedDocuments(context.Context, []string) ([][]float32, error) { return nil, errUnasked }

// issuer returns the verifier of an issuer's tokens and its sign-in, each nil if it is not
// configured.
func (p *Program) issuer() (access.Verifier, access.SignIn, error) {
	s := p.settings
	client := oidc.Client{ID: s.get("auth.client_id"), Secret: s.get("auth.client_secret"), Scopes: s.list("auth.scopes")}
	if s.get("auth.issuer") == "" {
		if client.ID != "" {
			return nil, nil, memory.Errorf(memory.CodeInvalidArgument, "auth.client_id is set without auth.issuer").
				WithHint("auth.issuer is the URL of who knows that client")
		}
		return nil, nil, nil
	}
	verifier, err := oidc.New(oidc.Options{
		Issuer: s.get("auth.issuer"), Audience: s.get("auth.audience"),
		Claim: s.get("auth.claim"), Operator: s.get("auth.operator"), Clock: p.Clock,
	})
	if err != nil || client.ID == "" {
		return verifier, nil, err
	}
	signIn, err := oidc.NewSignIn(verifier, client)
	if err != nil {
		return nil, nil, err
	}
	return verifier, signIn, nil
}
