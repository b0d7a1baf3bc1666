package contextwindow

import (
	"slices"

	"mcp-memory/memory"
)

// boundary returns how many of the live turns a compaction removes if the last keep turns shall
// stay. A tool call and its results are never parted, so more than keep may stay. Fewer stay if
// they would take more than room tokens, down to the last message with the call that it answers.
// Only the turns that stay are examined.
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

// whole moves a boundary back (turns from index at on stay) until every tool result that stays
// has its call among those that stay.
func whole(turns []turnSize, at int) int {
	for i := len(turns) - 1; i >= at; i-- {
		if owner := ownerOf(turns, i); owner >= 0 {
			at = min(at, owner)
		}
	}
	return at
}

// firstNeeded returns for each index i the earliest turn that has to stay if all turns from i on
// stay: i itself, or an earlier call that one of them answers.
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

// ownerOf returns the index of the turn whose tool call the tool's message at i answers: the
// nearest one that has the call's id. If the message names no id, or the calls have none, it is
// the nearest turn before that is no tool's message, provided that it calls tools. -1 if there is
// none, or the turn at i is no tool's message.
func ownerOf(turns []turnSize, i int) int {
	t := turns[i]
	if t.role != memory.RoleTool {
		return -1
	}
	speaker := -1 // index of the nearest turn that is no tool's message
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

// shares divides room, in tokens, among texts of the given sizes, and returns what each gets, in
// the same order: small texts get their whole size, the larger ones equal parts of the rest.
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
