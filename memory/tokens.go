package memory

// TokenCounter tells how long a text is for a model. Safe for concurrent use.
type TokenCounter interface {
	// Count returns how many tokens text is, 0 for an empty one. It never fails.
	Count(text string) int
}
