package consolidate

import "time"

// Beat sets the time between renewals of a lease.
func (s *Service) Beat(every time.Duration) { s.beat = every }

// Punctuated exports punctuated.
func Punctuated(text string) string { return punctuated(text) }

// Ended exports ended.
func Ended(text string) string { return ended(text) }
