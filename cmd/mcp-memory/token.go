package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"mcp-memory/access"
	"mcp-memory/memory"
)

func (p *Program) tokenCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "token", Short: "Tokens that let clients use the memory over HTTP",
		Long: "Each token speaks for one agent and opens only that agent's memory. As long as there is no token, a server\n" +
			"on the loopback address is open to everybody on this machine; once there is one, every request needs a token.",
		Args: usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(p.tokenCreateCommand(), p.tokenListCommand(), p.tokenRevokeCommand())
	return cmd
}

// tokenShown is what a person sees of a token.
type tokenShown struct {
	ID        string     `json:"id"`
	Token     string     `json:"token,omitempty"`
	Agent     string     `json:"agent"`
	Projects  []string   `json:"projects,omitempty"`
	ReadOnly  bool       `json:"read_only,omitempty"`
	CreatedAt time.Time  `json:"created_at"`
	ExpiresAt *time.Time `json:"expires_at"`
	RevokedAt *time.Time `json:"revoked_at,omitempty"`
}

func shownToken(t memory.Token, secret string) tokenShown {
	optional := func(t time.Time) *time.Time {
		if t.IsZero() {
			return nil
		}
		return &t
	}
	return tokenShown{t.ID, secret, t.Agent, t.Projects, t.ReadOnly, t.CreatedAt.UTC(), optional(t.ExpiresAt), optional(t.RevokedAt)}
}

// withTokens runs fn over the tokens of the data directory, which open opens.
func (p *Program) withTokens(cmd *cobra.Command, open opener, fn func(*access.Service) (result any, text string, err error)) error {
	a, err := open(cmd.Context())
	if err != nil {
		return err
	}
	defer a.close()
	result, text, err := fn(a.access)
	if err != nil {
		return err
	}
	data, err := json.Marshal(result)
	if err != nil {
		return err
	}
	return p.print(cmd, data, text)
}

func (p *Program) tokenCreateCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "create", Short: "Make a token for the agent; it is shown only this once", Args: usageArgs(cobra.NoArgs)}
	var request access.Request
	var expires string
	cmd.Flags().StringSliceVar(&request.Projects, "projects", nil, "restrict it to these projects; what has no project is not for it")
	cmd.Flags().BoolVar(&request.ReadOnly, "read-only", false, "let it recall, not save")
	cmd.Flags().StringVar(&expires, "expires", "", "when it ends: a duration such as 720h, or a date; default: never")
	addJSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return p.withTokens(cmd, p.open, func(tokens *access.Service) (any, string, error) {
			request.Agent = p.settings.get("agent")
			var err error
			if request.ExpiresAt, err = expiry(expires, p.Clock()); err != nil {
				return nil, "", err
			}
			t, secret, err := tokens.Create(cmd.Context(), request)
			return shownToken(t, secret), secret, err
		})
	}
	return cmd
}

// expiry reads --expires; "" is never.
func expiry(s string, now time.Time) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	if d, err := time.ParseDuration(s); err == nil {
		return now.Add(d), nil
	}
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if t, err := time.Parse(layout, s); err == nil {
			return t, nil
		}
	}
	return time.Time{}, memory.Errorf(memory.CodeInvalidArgument, "expires is %q", s).WithHint("a duration such as 720h, or a date such as 2030-12-31")
}

func (p *Program) tokenListCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "list", Short: "Show the tokens of all agents, or of --agent", Args: usageArgs(cobra.NoArgs)}
	addJSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return p.withTokens(cmd, p.openExisting, func(tokens *access.Service) (any, string, error) {
			agent := ""
			if p.settings.origins["agent"] != "default" {
				agent = p.settings.get("agent")
			}
			found, err := tokens.List(cmd.Context(), agent)
			shown := make([]tokenShown, len(found))
			for i, t := range found {
				shown[i] = shownToken(t, "")
			}
			return map[string]any{"items": shown, "total": len(shown)}, tokensText(found, p.Clock()), err
		})
	}
	return cmd
}

func tokensText(tokens []memory.Token, now time.Time) string {
	if len(tokens) == 0 {
		return "There are no tokens."
	}
	var b strings.Builder
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, one := range tokens {
		state := "valid"
		switch {
		case !one.RevokedAt.IsZero():
			state = "revoked " + one.RevokedAt.Format(time.DateOnly)
		case !one.Valid(now):
			state = "expired " + one.ExpiresAt.Format(time.DateOnly)
		case !one.ExpiresAt.IsZero():
			state = "until " + one.ExpiresAt.Format(time.DateOnly)
		}
		may := "read and write"
		if one.ReadOnly {
			may = "read"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", one.ID, one.Agent, may, state, strings.Join(one.Projects, ","))
	}
	t.Flush()
	return strings.TrimSuffix(b.String(), "\n")
}

func (p *Program) tokenRevokeCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "revoke ID", Short: "End a token at once, also on servers that run", Args: usageArgs(cobra.ExactArgs(1))}
	addJSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return p.withTokens(cmd, p.openExisting, func(tokens *access.Service) (any, string, error) {
			t, err := tokens.Revoke(cmd.Context(), args[0])
			return map[string]string{"id": t.ID, "agent": t.Agent}, "revoked a token of " + t.Agent, err
		})
	}
	return cmd
}
