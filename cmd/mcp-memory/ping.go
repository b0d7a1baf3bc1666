package main

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/spf13/cobra"

	"mcp-memory/memory"
)

// pingTimeout is how long a healthy server may take to answer.
const pingTimeout = 3 * time.Second

func (p *Program) pingCommand() *cobra.Command {
	return &cobra.Command{
		Use: "ping URL", Short: "Ask a server over HTTP whether it is ready (for health checks)",
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := ping(cmd.Context(), args[0]); err != nil {
				return err
			}
			_, err := fmt.Fprintln(p.Stdout, "ready")
			return err
		},
	}
}

func ping(ctx context.Context, base string) error {
	address, err := url.Parse(base)
	if err != nil || address.Host == "" || address.Scheme != "http" && address.Scheme != "https" {
		return memory.Errorf(memory.CodeInvalidArgument, "%q is not the URL of a server", base).WithHint("such as http://127.0.0.1:8765")
	}
	ctx, cancel := context.WithTimeout(ctx, pingTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address.JoinPath("readyz").String(), nil)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return memory.Errorf(memory.CodeUnavailable, "%s does not answer", base).
			WithHint("`mcp-memory serve --http ADDRESS` starts a server there").WithCause(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return memory.Errorf(memory.CodeUnavailable, "%s is not ready: %s", base, response.Status)
	}
	return nil
}
