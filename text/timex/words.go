package timex

type nameEntry struct {
	word  string
	value int
	sense sense
}

var monthNames = []nameEntry{
	{"january", 1, plain}, {"february", 2, plain}, {"march", 3, verb}, {"april", 4, name},
	{"may", 5, verb}, {"june", 6, name}, {"july", 7, plain}, {"august", 8, name},
	{"september", 9, plain}, {"october", 10, plain}, {"november", 11, plain}, {"december", 12, plain},
	{"jan", 1, short}, {"feb", 2, short}, {"mar", 3, homonym}, {"apr", 4, short}, {"jun", 6, short},
	{"jul", 7, short}, {"aug", 8, short}, {"sep", 9, homonym}, {"sept", 9, short}, {"oct", 10, short},
	{"nov", 11, short}, {"dec", 12, homonym},
}

var weekdayNames = []nameEntry{
	{"monday", 1, plain}, {"tuesday", 2, plain}, {"wednesday", 3, plain}, {"thursday", 4, plain},
	{"friday", 5, plain}, {"saturday", 6, plain}, {"sunday", 7, plain},
	{"mondays", 1, plain}, {"tuesdays", 2, plain}, {"wednesdays", 3, plain}, {"thursdays", 4, plain},
	{"fridays", 5, plain}, {"saturdays", 6, plain}, {"sundays", 7, plain},
	{"mon", 1, homonym}, {"tue", 2, short}, {"tues", 2, short}, {"wed", 3, homonym}, {"thu", 4, short},
	{"thur", 4, short}, {"thurs", 4, short}, {"fri", 5, short}, {"sat", 6, homonym}, {"sun", 7, homonym},
}

var unitNames = map[string]unit{
	"second": second, "seconds": second, "minute": minute, "minutes": minute, "hour": hour, "hours": hour,
	"day": day, "days": day, "week": week, "weeks": week, "weekend": weekend, "weekends": weekend,
	"fortnight": fortnight, "fortnights": fortnight, "month": month, "months": month,
	"quarter": quarter, "quarters": quarter, "year": year, "years": year, "decade": decade, "decades": decade,
}

// shortUnits count only after digits and before "ago": "5d ago".
var shortUnits = map[string]unit{
	"s": second, "sec": second, "secs": second, "min": minute, "mins": minute, "h": hour, "hr": hour, "hrs": hour,
	"d": day, "w": week, "wk": week, "wks": week, "mo": month, "mos": month, "y": year, "yr": year, "yrs": year,
}

var counts = map[string][2]int{
	"a": {1, 1}, "an": {1, 1}, "one": {1, 1}, "two": {2, 2}, "three": {3, 3}, "four": {4, 4}, "five": {5, 5},
	"six": {6, 6}, "seven": {7, 7}, "eight": {8, 8}, "nine": {9, 9}, "ten": {10, 10}, "eleven": {11, 11},
	"twelve": {12, 12}, "thirteen": {13, 13}, "fourteen": {14, 14}, "fifteen": {15, 15}, "sixteen": {16, 16},
	"seventeen": {17, 17}, "eighteen": {18, 18}, "nineteen": {19, 19}, "twenty": {20, 20}, "thirty": {30, 30},
	"forty": {40, 40}, "fifty": {50, 50}, "sixty": {60, 60}, "seventy": {70, 70}, "eighty": {80, 80}, "ninety": {90, 90},
	"couple": {2, 3}, "few": {2, 5}, "some": {2, 5}, "several": {3, 7}, "many": {5, 20},
}

var ordinals = map[string]int{
	"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "last": -1, "final": -1,
}

var steps = map[string]step{
	"last": last, "previous": last, "past": last, "this": this, "current": this,
	"next": next, "coming": next, "upcoming": next,
}

var seasonNames = map[string]season{
	"spring": spring, "summer": summer, "autumn": autumn, "fall": autumn, "winter": winter,
}

var dayParts = map[string]dayPart{
	"morning": morning, "afternoon": afternoon, "evening": evening, "night": night,
}

var thirds = map[string]third{
	"early": early, "mid": middle, "late": late,
	"beginning": early, "start": early, "middle": middle, "end": late,
}

// cueWords are words before a time, which make it likely that what follows is
// one.
var cueWords = []string{
	"in", "since", "during", "of", "by", "before", "after", "until", "till", "from", "around", "circa", "about",
	"early", "mid", "late", "throughout", "through", "between", "on", "over", "for", "starting", "back", "year",
	"last", "next", "past", "previous", "coming", "upcoming",
}

var owners = []string{"the", "my", "our", "your", "his", "her", "their"}

// persons are words after which "may" is a verb, and often "march".
var persons = []string{
	"i", "you", "we", "they", "he", "she", "it", "that", "which", "who", "this", "these", "those", "there",
	"to", "will", "not", "what", "one", "users", "people",
}

// plainWords are in the lexicon only for rules that compare words.
var plainWords = []string{
	"ago", "now", "hence", "yesterday", "today", "tomorrow", "tonight", "other", "and", "or", "half", "prior",
	"earlier", "later", "present", "onwards", "onward", "every", "each", "be", "have", "also", "need", "well",
	"still", "seem", "boot", "framework", "security", "cloud", "mvc",
}

// starters begin expressions and have no other property in the lexicon that
// implies it.
var starters = []string{
	"in", "between", "from", "since", "before", "after", "until", "till", "prior", "yesterday", "today", "tomorrow",
	"tonight", "other", "earlier", "later", "half",
}

// quarterWords stand directly before their number: "Q3 2024", "H1 2024".
var quarterWords = []string{"q", "h"}

// holiday has a fixed date. words are without the "'s" of a genitive: "New
// Year's Eve" is new, year, eve.
type holiday struct {
	words      []string
	month, day int
}

// holidays has longer names before shorter ones with the same beginning.
var holidays = []holiday{
	{[]string{"christmas", "eve"}, 12, 24}, {[]string{"xmas", "eve"}, 12, 24},
	{[]string{"christmas", "day"}, 12, 25}, {[]string{"christmas"}, 12, 25}, {[]string{"xmas"}, 12, 25},
	{[]string{"boxing", "day"}, 12, 26},
	{[]string{"new", "year", "eve"}, 12, 31}, {[]string{"new", "years", "eve"}, 12, 31},
	{[]string{"new", "year", "day"}, 1, 1}, {[]string{"new", "years", "day"}, 1, 1},
	{[]string{"new", "year"}, 1, 1},
	{[]string{"halloween"}, 10, 31}, {[]string{"juneteenth"}, 6, 19},
	{[]string{"valentine", "day"}, 2, 14}, {[]string{"valentines", "day"}, 2, 14},
	{[]string{"patrick", "day"}, 3, 17}, {[]string{"patricks", "day"}, 3, 17},
	{[]string{"earth", "day"}, 4, 22}, {[]string{"independence", "day"}, 7, 4}, {[]string{"veterans", "day"}, 11, 11},
}
