package memory

import "slices"

// Kind says what sort of memory a [Record] is. All kinds share one table, one
// search and one budget; what only one kind has is in that kind's details.
type Kind string

// The kinds of record.
const (
	KindFact         Kind = "fact"         // something true about the world or the user
	KindLongTerm     Kind = "longterm"     // an episodic long-term memory, subject to self-care
	KindSoul         Kind = "soul"         // a belief, value, fear or conviction; never decays
	KindTriple       Kind = "triple"       // subject, predicate, object
	KindEpisode      Kind = "episode"      // something that happened, with participants and outcome
	KindProcedure    Kind = "procedure"    // how to do something, step by step
	KindRelationship Kind = "relationship" // what is known of another agent or person
	KindDiary        Kind = "diary"        // one entry a date
	KindSummary      Kind = "summary"      // stands for many records or turns
	KindLearning     Kind = "learning"     // an error or a correction to learn from
)

// Kinds lists every kind that can be stored.
func Kinds() []Kind {
	return []Kind{
		KindFact, KindLongTerm, KindSoul, KindTriple, KindEpisode,
		KindProcedure, KindRelationship, KindDiary, KindSummary, KindLearning,
	}
}

// Valid reports whether k is one of [Kinds].
func (k Kind) Valid() bool { return slices.Contains(Kinds(), k) }

// KindTurn names conversation turns where a search may return both: turns are
// not records, but a caller can ask for them by this kind.
const KindTurn Kind = "turn"

// Source says where a memory came from.
type Source string

// The sources of a memory.
const (
	SourceUser   Source = "user"
	SourceAgent  Source = "agent"
	SourceTool   Source = "tool"
	SourceImport Source = "import"
	SourceLink   Source = "link" // copied from another agent with its consent
)

// Sources lists every source.
func Sources() []Source {
	return []Source{SourceUser, SourceAgent, SourceTool, SourceImport, SourceLink}
}

// Valid reports whether s is one of [Sources].
func (s Source) Valid() bool { return slices.Contains(Sources(), s) }

// Corpus is one of the bodies of text that a bank can be searched in.
type Corpus string

// The corpora of a bank.
const (
	Memories      Corpus = "memories"      // records
	Conversations Corpus = "conversations" // turns
	Workspace     Corpus = "workspace"     // passages of files, which no database holds
	Thinking      Corpus = "thinking"      // what a model thought before a turn, see [Mirror]
)

// Corpora lists every corpus that a database keeps indexes of.
func Corpora() []Corpus { return []Corpus{Memories, Conversations} }

// Searchable lists every corpus that can be searched: [Corpora], [Workspace] and [Thinking].
func Searchable() []Corpus { return append(Corpora(), Workspace, Thinking) }

// Valid reports whether c is one of [Corpora].
func (c Corpus) Valid() bool { return slices.Contains(Corpora(), c) }
