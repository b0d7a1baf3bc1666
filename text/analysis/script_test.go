package analysis

import "testing"

func TestOtherScript(t *testing.T) {
	for text, want := range map[string]bool{
		"": false, "42!": false, "Where is Füßen?": false, "Где мой ключ?": true,
		"谁对花生过敏？": true, "port 5432": false, "Sony の カメラ": false, "Go の カメラ は": true,
	} {
		if got := OtherScript(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}
