package extractive

import (
	"slices"
	"strings"
	"testing"
)

// talkCase is a conversation (see talk) and what is to be kept of it.
type talkCase struct {
	talk string
	want []string
}

func checkTalks(t *testing.T, cases []talkCase) {
	t.Helper()
	right := 0
	for _, c := range cases {
		if got := factsOf(t, c.talk); !slices.Equal(got, c.want) {
			t.Errorf("%s\ngot\n\t%s\nwant\n\t%s", c.talk, strings.Join(got, "\n\t"), strings.Join(c.want, "\n\t"))
			continue
		}
		right++
	}
	t.Logf("%d of %d are right", right, len(cases))
}

// A short answer is kept with what it answers, or as what it decides, and not by itself.
func TestAnswered(t *testing.T) {
	checkTalks(t, []talkCase{
		{"a Do you want to use Vitest or Jest here?\nu vitest", []string{"Agreed: use Vitest here."}},
		{"a Fastify or Express?\nu let's take fastify", []string{"The user chose Fastify over Express."}},
		{"a Yup, Zod or Valibot?\nu Go with Zod.", []string{"The user chose Zod over Yup and Valibot."}},
		{"a Yup, Zod or Valibot?\nu go with Valibot, bundle size matters for us",
			[]string{"The user chose Valibot over Yup and Zod. Bundle size matters for the user and others."}},
		{"a Do you prefer short or long answers?\nu short", []string{"Does the user prefer short answers? Yes."}},
		{"a Short or long answers?\nu short", []string{"The user chose short over long answers."}},
		{"a Which package manager? npm or pnpm?\nu pnpm", []string{"Which package manager? Pnpm."}},
		{"a How should I call you?\nu Jo", []string{"The user wants to be called Jo."}},
		{"a What should I call you?\nu Jo, please", []string{"The user wants to be called Jo."}},
		{"a Should I use the v1 API for the exports?\nu yes, until the end of 2027",
			[]string{"Agreed: use the v1 API for the exports, until the end of 2027."}},
		{"a Should I use tabs for indentation?\nu yes but not for the legacy folder",
			[]string{"Agreed: use tabs for indentation, but not for the legacy folder."}},
		{"a Which cache should we use?\n1. Redis\n2. Memcached\n3. SQLite\nLet me know!\nu 3", []string{"Which cache should the user and others use? SQLite."}},
		{"a Which cache should we use?\n1. Redis\n2. Memcached\n3. SQLite\nTell me the number.\nu 3, we only have one node",
			[]string{"Which cache should the user and others use? SQLite.", "The user and others only have one node."}},
		{"a Here are your options for the cache:\n1. Redis\n2. Memcached\nTell me the number.\nu 2", []string{"The user chose Memcached over Redis."}},
		{"a Which one?\n1. Redis\n2. Memcached\nu 2 for now", []string{"The user chose Memcached over Redis, for now."}},
		{"a Which queue should we use?\n- NATS\n- Kafka\n- RabbitMQ\nu the last one", []string{"Which queue should the user and others use? RabbitMQ."}},
		{"a Which case should the columns have?\nA) camelCase\nB) snake_case\nu b, that's our convention",
			[]string{"Which case should the columns have? snake_case. That's the user's convention."}},
		{"a Which case should the columns have?\n(a) camelCase\n(b) snake_case\nu b", []string{"Which case should the columns have? snake_case."}},
		{"a Should we use Postgres or MySQL?\nu the latter", []string{"Agreed: use MySQL."}},
		{"a Would you like the reports as PDF or as CSV?\nu former", []string{"Would the user like the reports as PDF? Yes."}},
		{"a Three questions:\n1. Which database do you use?\n2. Which port does PgBouncer listen on?\n3. Do you need TLS?\nu 1. postgres\n2. 6432\n3. yes",
			[]string{"Which database does the user use? Postgres.", "Which port does PgBouncer listen on? 6432.", "Does the user need TLS? Yes."}},
		{"a It looks like the CI runs on Buildkite. Is that right?\nu yes", []string{"The CI runs on Buildkite."}},
		{"a Your CI runs on Buildkite, correct?\nu correct", []string{"The user's CI runs on Buildkite."}},
		{"a So your CI runs on Buildkite.\nu yes exactly", []string{"The user's CI runs on Buildkite."}},
		{"a Webhooks are signed with HMAC-SHA256 and retried up to 5 times. Correct?\nu correct, except it's 8 times",
			[]string{"Webhooks are signed with HMAC-SHA256 and retried up to 8 times."}},
		{"a Are you vegetarian?\nu no but my husband is", []string{"Is the user vegetarian? No, but the user's husband is."}},
		{"a Are you on AWS?\nu nope, Hetzner, self managed", []string{"Is the user on AWS? No, Hetzner, self managed."}},
		{"a 1. Where do you live?\n2. What do you do?\nu 1. Rome. 2. nurse",
			[]string{"Where does the user live? Rome. What does the user do? Nurse."}},
		{"a 1. Where do you live?\n2. What do you do?\nu 1. Rome\nand thanks", []string{"Where does the user live? Rome."}},
		{"a Should I use Redis?\nu yes, always", []string{"Agreed: use Redis, always."}},
		{"a Do you use Slack?\nu nah, Zulip, self hosted", []string{"Does the user use Slack? No, Zulip, self hosted."}},
		{"a So you have two kids, Max and Ida. Correct?\nu correct, but Ida is now Ivo",
			[]string{"The user corrected \"So you have two kids, Max and Ida.\": Correct, but Ida is now Ivo."}},
		// What is no choice, no claim about the user or no name.
		{"a Continue or stop?\nu stop", nil},
		{"a Which one?\n1. Redis\n2. Memcached\nu 1 or 2, whatever", nil},
		{"a Here is the plan:\n- Build\n- Deploy\nLet me know!\nu the last one", nil},
		{"a I did two things:\n1. Removed the cache\n2. Added tests\nu 2, please", nil},
		{"a So the tests pass now.\nu yes", nil},
		{"a I fixed the bug in Safari. Is that right?\nu yes", nil},
		{"a It looks like you want a summary. Correct?\nu yes", nil},
		{"a How should I call you?\nu whatever you like", nil},
	})
}

// TestTimeOfAnswer: a weekday that answers a question is past or to come as the question is.
func TestTimeOfAnswer(t *testing.T) {
	checkTalks(t, []talkCase{
		{"a When do you pick her up?\nu Friday", []string{"When does the user pick her up? On 15 May 2026."}},
		{"a When did the outage happen?\nu Friday", []string{"When did the outage happen? 8 May 2026."}},
		{"a When did the outage happen?\nu On Friday, when the storm came.",
			[]string{"When did the outage happen? On 8 May 2026, when the storm came."}},
		{"a Was the invoice paid?\nu no, on friday after the audit", []string{"Was the invoice paid? No, on friday after the audit."}},
		{"a Was the invoice paid?\nu no, tomorrow", []string{"Was the invoice paid? No, on 10 May 2026."}},
		{"u For New Year we go to Rome.", []string{"For 1 January 2027 the user and others go to Rome."}},
		{"u The rent is due on the 1st.", []string{"The rent is due on the 1st."}},
	})
}
