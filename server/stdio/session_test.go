package stdio

import (
	"io"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
)

// A user who does not answer keeps nobody waiting for ever.
func TestAskTimeout(t *testing.T) {
	s := newSession(newOutput(io.Discard, nil))
	s.askTimeout = time.Millisecond
	result, err := s.RequestElicitation(t.Context(), mcp.ElicitationRequest{Params: mcp.ElicitationParams{Message: "sure?"}})
	if err != nil || result.Action != "cancel" {
		t.Errorf("%+v, %v", result, err)
	}
}
