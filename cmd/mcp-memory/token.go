package main

import (
	"cmp"
	"errors"
	"slices"
	"strings"
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

// tokenShown is a token as the commands show it.
type tokenShown struct {
	ID        string     `json:"id"`
	Token     string     `json:"token,omitempty"`
	Agent     string     `json:"agent"`
	Projects  []string   `json:"projects,omitempty"`
	ReadOnly  bool       `json:"read_only,omitempty"`
	Operator  bool       `json:"operator,omitempty"`
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
	return tokenShown{t.ID, secret, t.Agent, t.Projects, t.ReadOnly, t.Operator, t.CreatedAt.UTC(), optional(t.ExpiresAt),
		optional(t.RevokedAt)}
}

func (p *Program) tokenCreateCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "create", Short: "Make a token for the agent; it is shown only this once", Args: usageArgs(cobra.NoArgs)}
	var request access.Request
	var expires string
	cmd.Flags().StringSliceVar(&request.Projects, "projects", nil, "restrict it to these projects; what has no project is not for it")
	cmd.Flags().BoolVar(&request.ReadOnly, "read-only", false, "let it recall, not save")
	cmd.Flags().BoolVar(&request.Operator, "operator", false,
		"let it see how all banks do, on the page of serve --web and by /metrics, and nothing that is in one")
	cmd.Flags().StringVar(&expires, "expires", "", "when it ends: a duration such as 720h, or a `time`; default: never")
	addJSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if cmd.Flags().Changed("projects") && len(request.Projects) == 0 { // an unset variable must not open everything
			return usageError{errors.New("token create: --projects is empty; leave it out for a token of all projects")}
		}
		return p.answer(cmd, p.open, func(a *app) (any, string, error) {
			request.Agent = p.settings.get("agent")
			var err error
			if request.ExpiresAt, err = p.expiry(expires); err != nil {
				return nil, "", err
			}
			t, secret, err := a.access.Create(cmd.Context(), request)
			return shownToken(t, secret), secret, err
		})
	}
	return cmd
}

// expiry parses --expires. "" is never, the zero time.
func (p *Program) expiry(text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	if d, err := time.ParseDuration(text); err == nil {
		return p.Clock().Add(d), nil
	}
	at, err := p.when("expires", text)
	if err != nil {
		return at, memory.Errorf(memory.CodeInvalidArgument, "expires is %q", text).
			WithHint("a duration such as 720h, or a time such as 2030-12-31 or in 3 months")
	}
	return at, nil
}

func (p *Program) tokenListCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "list", Short: "Show the tokens of all agents, or of --agent", Args: usageArgs(cobra.NoArgs)}
	addJSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return p.answer(cmd, p.openExisting, func(a *app) (any, string, error) {
			agent := ""
			if p.settings.origins["agent"] != "default" {
				agent = p.settings.get("agent")
			}
			all, err := a.access.List(cmd.Context(), "")
			found := slices.DeleteFunc(slices.Clone(all), func(t memory.Token) bool { return agent != "" && t.Agent != agent })
			shown := make([]tokenShown, len(found))
			for i, t := range found {
				shown[i] = shownToken(t, "")
			}
			return map[string]any{"items": shown, "total": len(shown)}, p.tokenTable(found, all), err
		})
	}
	return cmd
}

func (p *Program) tokenTable(tokens, all []memory.Token) string {
	if len(tokens) == 0 {
		return "There are no tokens."
	}
	short := shortAmong(idsOfTokens(tokens), idsOfTokens(all))
	var rows [][]string
	for _, one := range tokens {
		state := "valid"
		switch {
		case !one.RevokedAt.IsZero():
			state = "revoked " + p.local(one.RevokedAt)
		case !one.Valid(p.Clock()):
			state = "expired " + p.local(one.ExpiresAt)
		case !one.ExpiresAt.IsZero():
			state = "until " + p.local(one.ExpiresAt)
		}
		may := "read and write"
		switch {
		case one.Operator:
			may = "operator"
		case one.ReadOnly:
			may = "read"
		}
		rows = append(rows, []string{short[one.ID], one.Agent, may, state, strings.Join(one.Projects, ",")})
	}
	return p.screen().Table(rows)
}

func idsOfTokens(tokens []memory.Token) []string {
	ids := make([]string, len(tokens))
	for i, one := range tokens {
		ids[i] = one.ID
	}
	return ids
}

func (p *Program) tokenRevokeCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "revoke ID", Short: "End a token at once, also on servers that run", Args: usageArgs(cobra.ExactArgs(1))}
	addJSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return p.answer(cmd, p.openExisting, func(a *app) (any, string, error) {
			all, err := a.access.List(cmd.Context(), "")
			if err != nil {
				return nil, "", err
			}
			ids := slices.DeleteFunc(idsOfTokens(all), func(id string) bool { return !strings.HasPrefix(id, strings.ToLower(args[0])) })
			id, err := onlyID(ids, args[0])
			if err != nil {
				return nil, "", err
			}
			t, err := a.access.Revoke(cmd.Context(), cmp.Or(id, args[0]))
			return map[string]string{"id": t.ID, "agent": t.Agent}, "revoked a token of " + t.Agent, err
		})
	}
	return cmd
}
