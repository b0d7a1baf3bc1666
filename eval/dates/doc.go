// Command dates measures how well times are read that are said relatively ("the plumber comes
// on Monday week"), and how well what was said is found when a question names the date.
//
//	go run ./eval/dates --data eval/sets/judgement/dates --data ../shared/data/judgement
//	go run ./eval/dates --data eval/sets/judgement/dates --judge       fail where a must is not reached
//
// Each directory has files dates*.jsonl, a line of which is {"id", "lang", "said_at", "content",
// "means": {"from", "to"} or null, "relation", "also"?: [..], "recurs"?, "question", "asked_at"}.
// All of a file are saved into one bank, each when it was said, and each question is asked as of
// its moment. Rows:
//
//	read      one of the times that were read is just the days that are meant, or overlaps them
//	invented  sentences that mean no time, or a habit, and got one
//	found     the sentence is the first answer, or among five; of those with a time alone, too
package main
