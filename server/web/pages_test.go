//lint:file-ignore SA1019 Clients of the older servertest.Eras are among those that are tested.

package web

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"mcp-memory/server"
	"mcp-memory/server/servertest"
)

// Over HTTP, in each transport, a token reads its agent's pages and hears of
// their changes, and no others.
func TestPagesOverHTTP(t *testing.T) {
	l := servertest.NewBank(t)
	anns, bobs := l.Save("ann", "The harbour closes at nine."), l.Save("bob", "The vault code is quincunx.")
	v := open(t, everybody, func(o *server.Options, _ *Options) { o.Pages, o.Poll = l.Options().Pages, servertest.Poll })
	clients := v.clients("ann")
	stream, err := transport.NewStreamableHTTP(v.url+"/mcp", transport.WithHTTPHeaders(map[string]string{"Authorization": "Bearer ann"}),
		transport.WithContinuousListening())
	if err != nil {
		t.Fatal(err)
	}
	clients["2025-11-25"] = client.NewClient(stream, client.WithLegacyProtocolOnly())
	t.Cleanup(func() { clients["2025-11-25"].Close() })
	if err := clients["2025-11-25"].Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	heard := map[string]chan string{}
	for name, c := range clients {
		notes := make(chan string, 100)
		heard[name] = notes
		c.OnNotification(func(n mcp.JSONRPCNotification) {
			if uri, _ := n.Params.AdditionalFields["uri"].(string); strings.HasSuffix(n.Method, "updated") {
				notes <- uri
			}
		})
		greet(t, c)
		for uri, want := range map[string]string{"memory://record/" + anns: "closes at nine", "memory://record/" + bobs: "",
			"memory://workspace/../bob/SOUL.md": ""} {
			request := mcp.ReadResourceRequest{}
			request.Params.URI = uri
			got, err := c.ReadResource(t.Context(), request)
			if want == "" {
				if err == nil || strings.Contains(err.Error(), "quincunx") {
					t.Errorf("%s: %s: %+v, %v", name, uri, got, err)
				}
			} else if err != nil || !strings.Contains(got.Contents[0].(mcp.TextResourceContents).Text, want) {
				t.Errorf("%s: %s: %+v, %v", name, uri, got, err)
			}
		}
		if name == "2026-07-28" {
			ctx, cancel := context.WithCancel(t.Context())
			t.Cleanup(cancel)
			go func() { _ = c.Listen(ctx, mcp.SubscriptionFilter{ResourceSubscriptions: []string{"memory://salient"}}) }()
			continue
		}
		request := mcp.SubscribeRequest{}
		request.Params.URI = "memory://salient"
		if err := c.Subscribe(t.Context(), request); err != nil {
			t.Fatal(name, err)
		}
	}
	l.Save("bob", "Bob saves for himself.")
	// What is told before a client's stream is open is lost, so it is told again.
	deadline := time.Now().Add(servertest.Patience)
	for i := 0; len(heard) > 0; i++ {
		l.Save("ann", fmt.Sprintf("Ferry %d leaves at ten.", i))
		for name, notes := range heard {
			select {
			case uri := <-notes:
				if delete(heard, name); uri != "memory://salient" {
					t.Errorf("%s: heard of %s", name, uri)
				}
			case <-time.After(20 * time.Millisecond):
			}
		}
		if time.Now().After(deadline) {
			t.Fatalf("these heard nothing: %v", heard)
		}
	}
}
