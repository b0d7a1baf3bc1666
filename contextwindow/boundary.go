package contextwindow

import (
	"slices"

	"mcp-memory/memory"
)

// boundary returns how many of the live turns go when the last keep shall
// stay. A call and its results are never parted, so more may stay; fewer do
// where they would not fit into room, down to the last message with what
// belongs to it. Only what stays is looked at.
func boundary(turns []turnSize, keep, room int) int {
	if len(turns) == 0 {
		return 0
	}
	at := whole(turns, max(0, len(turns)-keep))
	stays := turns[at:]
	first := firstNeeded(stays)
	gone := 0
	for kept := sum(stays); kept > room; {
		next := gone + 1
		for next < len(stays) && first[next] < next {
			next++
		}
		if next >= len(stays) {
			break
		}
		kept -= sum(stays[gone:next])
		gone = next
	}
	return at + gone
}

// whole moves a boundary back until no result after it has its call before it.
func whole(turns []turnSize, at int) int {
	for i := len(turns) - 1; i >= at; i-- {
		if owner := ownerOf(turns, i); owner >= 0 {
			at = min(at, owner)
		}
	}
	return at
}

// firstNeeded returns for each place the first turn that it and all after it
// need: itself, or a call that one of them answers.
func firstNeeded(turns []turnSize) []int {
	first, needed := make([]int, len(turns)), len(turns)
	for i := len(turns) - 1; i >= 0; i-- {
		needed = min(needed, i)
		if owner := ownerOf(turns, i); owner >= 0 {
			needed = min(needed, owner)
		}
		first[i] = needed
	}
	return first
}

// ownerOf returns the place of the turn whose call the one at i answers: by
// the call's id, else the nearest turn before it and other results, if that has
// calls; -1 if it answers none.
func ownerOf(turns []turnSize, i int) int {
	t := turns[i]
	if t.role != memory.RoleTool {
		return -1
	}
	speaker := -1 // the nearest turn that is no result
	for at := i; at >= 0; at-- {
		if t.answers != "" && slices.Contains(turns[at].ids, t.answers) {
			return at
		}
		if speaker < 0 && turns[at].role != memory.RoleTool {
			if speaker = at; t.answers == "" {
				break
			}
		}
	}
	if speaker >= 0 && turns[speaker].calls && (t.answers == "" || len(turns[speaker].ids) == 0) {
		return speaker
	}
	return -1
}

// shares divides room among texts of the given sizes: small ones get what they
// take, the larger ones the same each.
func shares(sizes []int, room int) []int {
	order := make([]int, len(sizes))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return sizes[a] - sizes[b] })
	parts := make([]int, len(sizes))
	for n, i := range order {
		parts[i] = max(0, min(sizes[i], room/(len(order)-n)))
		room -= parts[i]
	}
	return parts
}
