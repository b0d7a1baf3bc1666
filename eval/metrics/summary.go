package metrics

import (
	"maps"
	"slices"
)

// The categories that are kept apart; see the package document.
const (
	Adversarial = "adversarial"
	Abstention  = "abstention"
)

// Outcome is one query with its answer.
type Outcome struct {
	Case     string
	Category string
	Gold     []string
	Ranked   Ranking
	Best     float64 // score of the first result; 0 without results
}

// Scores are averages over queries, each from 0 to 1.
type Scores struct {
	Queries  int     `json:"queries"`
	Recall5  float64 `json:"r5"`
	Recall10 float64 `json:"r10"`
	Recall20 float64 `json:"r20"`
	Hit1     float64 `json:"hit1"`
	Hit5     float64 `json:"hit5"`
	Hit10    float64 `json:"hit10"`
	MRR      float64 `json:"mrr"`
	NDCG5    float64 `json:"ndcg5"`
	NDCG10   float64 `json:"ndcg10"`
}

// Summary says how well the queries of a set were answered.
type Summary struct {
	// All averages over queries with gold ids, adversarial ones left out.
	All Scores `json:"all"`
	// Macro averages over the categories of All, each weighing the same;
	// its Queries is how many categories there are.
	Macro       Scores            `json:"macro"`
	Categories  map[string]Scores `json:"categories"`
	Adversarial Scores            `json:"adversarial"`
	Abstention  Silence           `json:"abstention"`
	Ungraded    int               `json:"ungraded"` // no gold ids, though an answer is expected
}

// Silence counts the queries that nothing answers.
type Silence struct {
	Queries int     `json:"queries"`
	Silent  float64 `json:"silent"` // share answered with nothing above the floor
}

// Summarise averages over outcomes. floor is the score that a result has to
// exceed to count as an answer to an abstention query; with 0 only an empty
// answer is silence.
func Summarise(outcomes []Outcome, floor float64) Summary {
	groups := map[string][]Outcome{}
	var all []Outcome
	var s Summary
	for _, o := range outcomes {
		switch {
		case len(o.Gold) == 0 && o.Category == Abstention:
			s.Abstention.Queries++
			if o.Best <= floor {
				s.Abstention.Silent++
			}
		case len(o.Gold) == 0:
			s.Ungraded++
		default:
			groups[o.Category] = append(groups[o.Category], o)
			if o.Category != Adversarial {
				all = append(all, o)
			}
		}
	}
	s.Abstention.Silent = divide(s.Abstention.Silent, s.Abstention.Queries)
	s.Adversarial = Mean(groups[Adversarial])
	delete(groups, Adversarial)
	s.All, s.Categories = Mean(all), map[string]Scores{}
	for _, category := range slices.Sorted(maps.Keys(groups)) {
		scores := Mean(groups[category])
		s.Categories[category] = scores
		s.Macro.add(scores)
		s.Macro.Queries++
	}
	s.Macro.divide()
	return s
}

// Mean averages over outcomes, all of which should have gold ids.
func Mean(outcomes []Outcome) Scores {
	var s Scores
	for _, o := range outcomes {
		s.add(score(o))
		s.Queries++
	}
	s.divide()
	return s
}

func score(o Outcome) Scores {
	return Scores{
		Recall5: Recall(o.Gold, o.Ranked, 5), Recall10: Recall(o.Gold, o.Ranked, 10), Recall20: Recall(o.Gold, o.Ranked, 20),
		Hit1: Hit(o.Gold, o.Ranked, 1), Hit5: Hit(o.Gold, o.Ranked, 5), Hit10: Hit(o.Gold, o.Ranked, 10),
		MRR:   ReciprocalRank(o.Gold, o.Ranked),
		NDCG5: NDCG(o.Gold, o.Ranked, 5), NDCG10: NDCG(o.Gold, o.Ranked, 10),
	}
}

// values returns every average, for arithmetic on all of them.
func (s *Scores) values() []*float64 {
	return []*float64{&s.Recall5, &s.Recall10, &s.Recall20, &s.Hit1, &s.Hit5, &s.Hit10, &s.MRR, &s.NDCG5, &s.NDCG10}
}

func (s *Scores) add(other Scores) {
	theirs := other.values()
	for i, v := range s.values() {
		*v += *theirs[i]
	}
}

// divide turns sums over Queries into averages.
func (s *Scores) divide() {
	for _, v := range s.values() {
		*v = divide(*v, s.Queries)
	}
}

func divide(sum float64, n int) float64 {
	if n == 0 {
		return 0
	}
	return sum / float64(n)
}
