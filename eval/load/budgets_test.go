package main

import "testing"

func TestBudgets(t *testing.T) {
	marks := map[string]bool{}
	for _, r := range rows(figures{Records: 10_000, ImportRate: 6999, RecallP50: 5, Start: 21}) {
		marks[r.What] = r.OK
	}
	if marks["import"] || !marks["memory_recall, p50"] || marks["start to initialize, median"] || !marks["database"] {
		t.Errorf("marks are %v", marks)
	}
}
