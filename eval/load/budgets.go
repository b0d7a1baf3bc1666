package main

import (
	"fmt"
	"io"
	"math"
	"text/tabwriter"
)

// row is one figure beside its budget.
type row struct {
	What     string  `json:"what"`
	Measured float64 `json:"measured"`
	Unit     string  `json:"unit"`
	Budget   float64 `json:"budget,omitempty"` // 0 is none
	AtLeast  bool    `json:"at_least,omitempty"`
	OK       bool    `json:"ok"`
}

const megabyte = 1 << 20

// binaryBudget is for the binary as it is released, in MiB; continuous integration
// fails above it.
const binaryBudget = 61

// rows compares figures with the budgets of the design.
func rows(f figures) []row {
	list := []row{
		{What: "import", Measured: f.ImportRate, Unit: "records/s", Budget: 7000, AtLeast: true},
		{What: "start to initialize, median", Measured: f.Start, Unit: "ms", Budget: 20},
		{What: "memory_save, p50", Measured: f.SaveP50, Unit: "ms", Budget: 2},
		{What: "memory_save, p95", Measured: f.SaveP95, Unit: "ms", Budget: 5},
		{What: "memory_recall, first", Measured: f.FirstRecall, Unit: "ms"},
		{What: "memory_recall, p50", Measured: f.RecallP50, Unit: "ms", Budget: recallBudget(f.Records)},
		{What: "memory_recall, p95", Measured: f.RecallP95, Unit: "ms"},
		{What: "memory_recall, p99", Measured: f.RecallP99, Unit: "ms"},
		{What: "needles in the first ten", Measured: 100 * f.NeedlesFound, Unit: "%"},
		{What: "resident memory, idle", Measured: float64(f.IdleMemory) / megabyte, Unit: "MB", Budget: 28 + encoderMemory},
		{What: "resident memory, after the recalls", Measured: float64(f.RecallMemory) / megabyte, Unit: "MB",
			Budget: memoryBudget(f.Records)},
		{What: "database", Measured: float64(f.DatabaseBytes) / megabyte, Unit: "MB"},
		{What: "binary", Measured: float64(f.BinaryBytes) / megabyte, Unit: "MiB", Budget: binaryBudget},
		{What: "default tool list", Measured: float64(f.ToolTokens), Unit: "tokens", Budget: 1800},
	}
	for i := range list {
		r := &list[i]
		r.OK = r.Budget == 0 || (r.AtLeast && r.Measured >= r.Budget) || (!r.AtLeast && r.Measured <= r.Budget)
	}
	return list
}

// encoderMemory is what the sentence encoder may add to the process, in megabytes.
const encoderMemory = 15

// recallBudget is what the median recall may take with the sentence encoder, in milliseconds.
func recallBudget(records int) float64 {
	switch {
	case records <= 10_000:
		return 5
	case records <= 100_000:
		return 9
	case records <= 1_000_000:
		return 15
	}
	return 0
}

// memoryBudget is what the process may hold after its recalls, in megabytes.
func memoryBudget(records int) float64 {
	switch {
	case records <= 100_000:
		return 120 + encoderMemory
	case records <= 1_000_000:
		return 500 + encoderMemory
	}
	return 0
}

func printTable(w io.Writer, f figures) {
	fmt.Fprintf(w, "%d facts imported, %d records, %d tools\n", f.Records, f.Imported, f.Tools)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "what\tmeasured\tbudget\t")
	for _, r := range rows(f) {
		budget, verdict := "", ""
		if r.Budget > 0 {
			sign, word := "≤", "over"
			if r.AtLeast {
				sign, word = "≥", "under"
			}
			budget, verdict = fmt.Sprintf("%s %g", sign, r.Budget), "ok"
			if !r.OK {
				verdict = word
			}
		}
		fmt.Fprintf(t, "%s\t%s %s\t%s\t%s\n", r.What, rounded(r.Measured), r.Unit, budget, verdict)
	}
	t.Flush()
}

// rounded shows three digits, more of a large number.
func rounded(x float64) string {
	switch {
	case math.Abs(x) >= 100:
		return fmt.Sprintf("%.0f", x)
	case math.Abs(x) >= 10:
		return fmt.Sprintf("%.1f", x)
	}
	return fmt.Sprintf("%.2f", x)
}
