//go:build unix

package process

import (
	"bufio"
	"context"
	"net/http"
	"strings"
	"testing"
	"time"
)

// A stream ends when another process revokes its token, and not at its next
// heartbeat, which is half a minute away.
func TestStreamOfARevokedToken(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	id, secret := token(t, dir, "--agent", "ann")
	h, url := serveHTTP(t, dir)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, "POST", url+"/mcp", strings.NewReader(
		`{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"resourceSubscriptions":["memory://salient"]},`+
			`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{
		"Authorization": "Bearer " + secret, "Content-Type": "application/json", "Accept": "application/json, text/event-stream",
		"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "subscriptions/listen",
	} {
		r.Header.Set(name, value)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil || answer.StatusCode != 200 {
		t.Fatalf("%+v, %v", answer, err)
	}
	defer answer.Body.Close()
	lines := bufio.NewScanner(answer.Body)
	for acknowledged := false; !acknowledged && lines.Scan(); {
		acknowledged = strings.Contains(lines.Text(), "acknowledged")
	}
	if code, _, log := cli(t, dir, "token", "revoke", id); code != 0 {
		t.Fatal(log)
	}
	revoked := time.Now()
	for lines.Scan() {
	}
	if took := time.Since(revoked); took > 10*time.Second || ctx.Err() != nil {
		t.Errorf("the stream went on for %v", took)
	} else {
		t.Logf("the stream ended %v after the token", took)
	}
	terminate(t, h)
}
