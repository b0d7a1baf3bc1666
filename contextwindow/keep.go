package contextwindow

import (
	"slices"

	"mcp-memory/memory"
)

// boundary returns how many of the live turns go when the last keep shall
// stay. A call and its results are never parted, so more may stay; fewer do
// where they would not fit into room, down to the last message with what
// belongs to it.
func boundary(turns []turnSize, keep, room int) int {
	if len(turns) == 0 {
		return 0
	}
	first := firstNeeded(turns)
	at := whole(first, max(0, len(turns)-keep))
	for kept := sum(turns[at:]); kept > room; {
		next := at + 1
		for next < len(turns) && first[next] < next {
			next++
		}
		if next >= len(turns) {
			break
		}
		kept -= sum(turns[at:next])
		at = next
	}
	return at
}

// whole moves a boundary back until no result behind it has its call before it.
func whole(first []int, at int) int {
	for at < len(first) && first[at] < at {
		at = first[at]
	}
	return at
}

// firstNeeded returns for each place the first turn that it and all behind it
// need: itself, or a call that one of them answers.
func firstNeeded(turns []turnSize) []int {
	first := ownersOf(turns)
	needed := len(turns)
	for i := len(turns) - 1; i >= 0; i-- {
		if first[i] < 0 {
			first[i] = i
		}
		needed = min(needed, first[i])
		first[i] = needed
	}
	return first
}

// ownersOf returns for each turn the place of the one whose call it answers:
// by the call's id, else the nearest turn before it and other results, if that
// has calls; -1 for what answers none.
func ownersOf(turns []turnSize) []int {
	owners := make([]int, len(turns))
	byID := map[string]int{}
	speaker := -1 // the last turn that is no result
	for i, t := range turns {
		owners[i] = -1
		for _, id := range t.ids {
			byID[id] = i
		}
		if t.role != memory.RoleTool {
			speaker = i
			continue
		}
		if owner, ok := byID[t.answers]; ok && t.answers != "" {
			owners[i] = owner
		} else if speaker >= 0 && turns[speaker].calls && (t.answers == "" || len(turns[speaker].ids) == 0) {
			owners[i] = speaker
		}
	}
	return owners
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
