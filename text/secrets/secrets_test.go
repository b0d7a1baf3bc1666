package secrets

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp/syntax"
	"slices"
	"strings"
	"testing"

	"mcp-memory/memory"
	"mcp-memory/text/analysis"
)

// chance is text as chance makes it, of n characters.
func chance(n int) string {
	return strings.Repeat("a7Kq2Zx9Wm4Rt8Yp1Lc6Vb3Nd5Hf0Gj", n/31+1)[:n]
}

// hex is the same of the digits of base 16.
func hex(n int) string { return strings.Repeat("9f8e7d6c5b4a3021", n/16+1)[:n] }

// found are secrets by what finds them. They are put together, so that scanners
// of repositories do not take them for real.
var found = map[string][]string{
	"private key": {"-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl", "-----BEGIN RSA " + "PRIVATE KEY-----",
		"age: AGE-SECRET-" + "KEY-1" + strings.Repeat("Q7", 20)},
	"token of this server": {"mcpm" + "_" + chance(43), "the token m c p m _ " + strings.Join(strings.Split(chance(43), ""), " ")},
	"key of a cloud provider": {"AKI" + "A" + strings.Repeat("Q7", 8), "AIz" + "a" + chance(35), "GOCSPX" + "-" + chance(28),
		"DefaultEndpointsProtocol=https;AccountName=x;Account" + "Key=" + chance(86) + "==", "AKI" + "A Q7Q7 Q7Q7 Q7Q7 Q7Q7"},
	"key of a model provider": {"use sk" + "-proj-" + chance(60), "sk" + "-ant-api03-" + chance(80), "gsk" + "_" + chance(52),
		"hf" + "_" + chance(34),
		"ｓｋ-ant-api03-" + chance(80), "s\u200bk" + "-ant-api03-" + chance(80)},
	"key of a provider": {"sk" + "-" + chance(48), "SG" + "." + chance(22) + "." + chance(43), "hvs" + "." + chance(24)},
	"key of a payment provider": {"sk" + "_live_" + chance(24), "rk" + "_test_" + chance(24), "whsec" + "_" + chance(32),
		"shpat" + "_" + hex(32)},
	"token of a code host or registry": {"the key gh" + "p_" + chance(36), "github" + "_pat_" + chance(40), "glpat" + "-" + chance(20),
		"npm" + "_" + chance(36), "pypi" + "-" + chance(80),
		"gh" + "p_" + chance(12) + " " + chance(24), "gh" + "p_" + chance(18) + "\n" + chance(18)},
	"token of a chat or web service": {"xox" + "b-1234567890-abcdef", "https://hooks.slack.com/ser" + "vices/T0000/B0000/" + chance(24),
		"12345678:" + "AA" + chance(33), "dapi" + hex(32)},
	"JSON web token": {"ey" + "JhbGciOiJI.ey" + "JzdWIiOiIx.c2ln"},
	"password in an address": {"postgres://bob:hunter2@db.example/shop", "https://ann:s3cret@example.com/x",
		"redis://:tiger99@cache:6379", "mongodb+srv://a:b4b4b4@c.example"},
	"header of a request": {"Authorization: Bearer abc123def456", "Authorization: Basic YW5uOnMzY3JldA=="},
	"named key or token":  {"The API key is 9f8e7d6c5b4a", `{"api_key": "9f8e7d6c5b4a"}`, "client secret = 8c7a6f5e-1234"},
	"assigned key":        {"SENTRY_AUTH: " + hex(40), "ENCRYPTION_KEY=" + chance(32), `"tokenValue" => "` + chance(20) + `"`},
	"PIN or card code":    {"My PIN is 4711", "CVV 2 of the card is 123", "PIN 90210", "My PIN is ４７１１", "My PIN is ٤٧١١"},
	"code of a door or safe": {"the door pin code: 90210", "The door code is 4711#.", "Front door code 4711",
		"The code for the garage door is 12-34-56", "Gate code: 9021", "The alarm code is *4711",
		"Der Türcode lautet 4711", "Code de la porte : 1234", "The combination to the safe is 12 34 56",
		"el código de la puerta es 1234", "The lockbox combination is 0815"},
	"password": {"The wifi password is swordfish.", "Password: correct horse", "password for the staging server bob@db is hunter2",
		"passwd=x9!k", "Das Passwort lautet Sesam",
		"Le mot de passe est Sésame", "La contraseña es hola123", "Пароль: кошка", "密码是abc123", "パスワードは hunter2 です",
		"The password is not hunter2; the password is hunter3", "p a s s w o r d : hunter2", "Ｐａｓｓｗｏｒｄ： hunter2"},
	"password in a command": {"mysql -u shop -pBr1ckLane shopdb", "curl -u admin:velvet-otter-19 http://example.com",
		"sshpass -p 'Lo0kingGlass' ssh a@b"},
	"password in a list of settings": {"Server=db;Database=x;User Id=y;Password=M0orland!5;Encrypt=true"},
	"national or tax number":         {"My social is 512-48-3907", "PESEL mamy to 89051553699", "passport number C4X7KP92M"},
	"recovery code":                  {"GitHub recovery codes: 6c534-1143b, ee42f-eca83"},
	"seed of a second factor": {"otpauth://totp/GitHub:lena?secret=LWDTJGIAHWQCPEKH&issuer=GitHub",
		"TOTP seed for the VPN: V7RQ YSTE HN3I BC6D JEHA Q4BP"},
	"answer to a security question": {"security question about the first pet: the answer is Biscuit",
		"if the bank asks for the street I grew up in, I put Drosselweg"},
	"token": {"squ" + "_" + hex(40), "the one for staging: zQ4" + chance(36), `Set-Cookie: session=` + chance(24),
		"PMAK" + "-" + hex(24) + "-" + hex(34), hex(32) + "-us" + "12",
		"https://x.blob.core.windows.net/c?sv=1&sig=" + chance(44)},
	"code of a door, card or device": {"punch in 3358 at the gate", "unlock the phone with 0852", "The safe: left 44, right 12, left 71"},
	"card number": {"4111 1111 1111 1111", "card 5500-0000-0000-0004.", "Amex 378282246310005", "(4242424242424242)",
		"４１１１ １１１１ １１１１ １１１１", "Visa: 4111\u00a01111\u00a01111\u00a01111"},
	"bank account": {"IBAN DE89370400440532013000", "GB82 WEST 1234 5698 7654 32", "fr14 2004 1010 0505 0001 3m02 606",
		"NO93 8601 1117 947"},
	"seed phrase": {"act add age aim air box boy can car cat cry dad", "legal winner thank year wave sausage worth useful legal winner thank yellow",
		"My wallet: 1. abandon 2. ability 3. able 4. about 5. above 6. absent 7. absorb 8. abstract 9. absurd 10. abuse 11. access 12. accident",
		"letter, advice, cage, absurd, amount, doctor, acoustic, avoid, letter, advice, cage, above"},
}

func TestSecretsAreFound(t *testing.T) {
	for want, texts := range found {
		for _, text := range texts {
			// What finds it may be another pattern that fits as well.
			if got := Find("Note: " + text); got == "" {
				t.Errorf("%s: not found: %q", want, text)
			}
		}
		if got := Find(texts[0]); got != want && want != "code of a door or safe" {
			t.Errorf("%q is %q, want %q", texts[0], got, want)
		}
	}
	for name, r := range map[string]memory.Record{
		"category":              {Category: "secret"},
		"tag":                   {Tags: []string{"x", "SECRET"}},
		"confidential":          {Tags: []string{"Confidential"}},
		"a tag in wide letters": {Tags: []string{"ｓｅｃｒｅｔ"}},
		"a hash tag":            {Tags: []string{"#private "}},
		"metadata":              {Metadata: json.RawMessage(`{"password":"hunter2"}`)},
		"triple": {KindDetails: memory.KindDetails{Triple: &memory.TripleDetails{Subject: "router", Predicate: "password",
			Object: "hunter2"}}},
		"steps": {KindDetails: memory.KindDetails{Procedure: &memory.ProcedureDetails{
			Steps: []memory.ProcedureStep{{Action: "log in", ExpectedOutcome: "the password is hunter2"}}}}},
	} {
		if !Is(r) {
			t.Errorf("%s: not found", name)
		}
	}
}

func TestOrdinaryTextIsNoSecret(t *testing.T) {
	for _, content := range []string{
		"Ann forgot her password again.", "Passwords are rotated every 90 days.",
		"The password is stored in the vault.", "The guest password is written under the router.", "The token budget is 128000.",
		"The context window is 200,000 tokens.", "Ann pinned the note.",
		"The secret of good bread is time.", "The key result is a launch in May.",
		"Bob's token is 12 tokens long", "See https://example.com/a:b@c?d for more.",
		"Her basic idea works.", "Spain is warm in 2026.", "The access token expires after 3600 s.",
		"Ask-me-anything was on 2026-03-01.", "The company's secret: 2019 was a bad year.", "東京は暑い。",
		"Order 4111 1111 1111 1112 was shipped.", "The id is 4111-1111-1111-1112-77.",
		"It ran for 1699999999999999 ns.", "0000 0000 0000 0000", "DE89 3704 0044 0532 0130 01 is no account.",
		"Flight LH400 leaves at 10:35 from gate 23.", "The door is 200 cm high.",
		"The building code of 2019 was strict.", "The dress code is casual, the doors open at 1900.",
		"Saw one on Saturday: 2017, 61,000 km, 5,400 at the garage.",
		"const largest, entry, lock = 52, 20, 5, 1", "Door: oak, 2040 mm high",
		"ssh-ed25519 " + "AAAAC3NzaC1lZDI1NTE5AAAAI" + chance(43),
		"integrity sha512-" + chance(86) + "==", "https://docs.example.org/document/d/" + chance(44),
		"An error code 4711 came from the gateway.", "commit 9f8e7d6c5b4a3021 fixed it",
		"ghp_ is the prefix of the tokens of GitHub, which have 36 characters more.",
		"The risk-free trial of 30 days ended on 3 May 2024 at 10 in the morning.", "about above absent apple arrive autumn became better",
		"the winner thanked the year for a wave of sausage that was worth nothing legal at all",
		"A B C D E F are letters.", "DATABASE_URL=postgres://user:password@localhost/db",
		"password: ${DB_PASSWORD}", "password = os.environ['X']",
		"+49 170 1234567 is her number.", "ISBN 978-3-16-148410-0", "My token of 2024-03-01 is a watch.",
	} {
		if r := (memory.Record{Content: content, Category: "secretary", Tags: []string{"secrets of tea"}}); Is(r) {
			t.Errorf("found %q in %q", In(r), content)
		}
	}
}

// In the sets of conversations and facts there is none. Of 6,602 messages of
// other conversations two were taken for secrets, both of them about code.
func TestSetsHaveNoSecrets(t *testing.T) {
	files, err := filepath.Glob("../../eval/sets/*.corpus.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	texts := 0
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			var one struct{ Text, Content string }
			if err := json.Unmarshal([]byte(line), &one); err != nil {
				t.Fatal(err)
			}
			texts++
			if name := Find(one.Text + one.Content); name != "" {
				t.Errorf("%q has a %s", one.Text+one.Content, name)
			}
		}
	}
	if texts < 500 {
		t.Errorf("only %d texts", texts)
	}
}

// Every pattern has strings to look for, in the letters that they are compared
// in, and finds something.
func TestPatternsCanBeFound(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range known().Patterns {
		if len(p.Needs) == 0 || seen[p.Pattern] {
			t.Errorf("%s is never looked for, or there twice", p.Name)
		}
		seen[p.Pattern] = true
		for _, need := range p.Needs {
			if strings.HasPrefix(need, "^") && (p.Anywhere || p.Compact) {
				t.Errorf("%s needs %q, but is also looked for inside of words", p.Name, need)
			}
			if need != strings.ToLower(need) {
				t.Errorf("%s needs %q, which is never there", p.Name, need)
			}
		}
		if len(found[p.Name]) == 0 {
			t.Errorf("%s finds nothing here", p.Name)
		}
		p.expression()
		p.compact()
		p.unlessLike()
		p.unlessIn()
	}
	if n := len(seedWords()); n != 2048 {
		t.Errorf("%d words", n)
	}
	if n := len(ibanLengths()); n < 80 {
		t.Errorf("accounts of %d countries", n)
	}
}

// TestAlso: what a pattern is not searched for without is a part of each of its matches.
func TestAlso(t *testing.T) {
	parse := func(expr string) *syntax.Regexp {
		re, err := syntax.Parse(expr, syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		return re
	}
	for _, p := range known().Patterns {
		if p.Also == "" {
			continue
		}
		whole := parse(p.Pattern)
		if whole.Op != syntax.OpConcat || !slices.ContainsFunc(whole.Sub, func(sub *syntax.Regexp) bool {
			return sub.Op == syntax.OpCapture && sub.Sub[0].String() == parse(p.Also).String()
		}) {
			t.Errorf("%s: %s is no part of the row", p.Name, p.Also)
		}
	}
}

// TestNeedsAtTheBeginning: a need that has to begin a word passes for every match that it begins.
func TestNeedsAtTheBeginning(t *testing.T) {
	forms := map[string]string{"PIN or card code": "%s is: 1234", "code of a door, card or device": "%s4711 into the keypad"}
	for _, p := range known().Patterns {
		for _, need := range p.Needs {
			word, begins := strings.CutPrefix(need, "^")
			if !begins {
				continue
			}
			if word == "one-time" {
				word += " code"
			}
			for _, before := range []string{"", "my ", "é", "(", "sometan ", "use:"} {
				for _, word := range []string{word, strings.ToUpper(word)} {
					text := before + strings.Replace(forms[p.Name], "%s", word, 1)
					folded := strings.ToLower(text)
					if !p.expression().MatchString(text) || !p.needed(folded, pairsOf(folded)) {
						t.Errorf("%s is not looked for, or not found, in %q", p.Name, text)
					}
				}
			}
			if folded := "x" + word + " x_" + word; p.needed(folded, pairsOf(folded)) {
				t.Errorf("%s is looked for in %q", p.Name, folded)
			}
		}
	}
}

// TestCodesNeedAWord: no sentence tells of a code in a text that has none of the words by which
// hasCode begins to look for sentences.
func TestCodesNeedAWord(t *testing.T) {
	c, tried := known().Codes, 0
	for _, text := range texts(t) {
		folded := inDigits(strings.ToLower(text))
		for _, sentence := range analysis.Sentences(folded) {
			if c.tells(sentence) {
				if tried++; !hasCode(strings.ToLower(text)) {
					t.Errorf("the code in %q is passed over", text)
				}
			}
		}
	}
	if tried < 20 {
		t.Errorf("only %d sentences with a code", tried)
	}
}

// texts returns the texts of the sets that are judged, joined by twos without a blank as well.
func texts(t *testing.T) (all []string) {
	before := ""
	files, err := filepath.Glob("../../eval/sets/judgement/secrets/*.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			var one struct{ Content string }
			if err := json.Unmarshal([]byte(line), &one); err != nil {
				t.Fatal(err)
			}
			all = append(all, one.Content, before+one.Content)
			before = one.Content
		}
	}
	return all
}

// TestPairs: no string of a text is taken for missing, and one that shares no pair is.
func TestPairs(t *testing.T) {
	text := "my sk-proj-é key: 密码 is hf_x9"
	there := pairsOf(text)
	for i := range text {
		for k := i; k <= len(text); k++ {
			if !there.mayHave(text[i:k]) {
				t.Errorf("%q is missing", text[i:k])
			}
		}
	}
	for _, part := range []string{"ghp_", "eyj", "пароль", "sk_"} {
		if there.mayHave(part) {
			t.Errorf("%q may be there", part)
		}
	}
	if pairsOf("").mayHave("ab") || pairsOf("a").mayHave("ab") {
		t.Error("a pair of an empty text")
	}
}

func BenchmarkIs(b *testing.B) {
	r := memory.Record{Content: "The deploy script of the shop lives in ops/deploy.sh; it asks for a token and keeps the password in the vault.", Tags: []string{"ops"}}
	b.ReportAllocs()
	for b.Loop() {
		Is(r)
	}
}

func BenchmarkIsOfPlainText(b *testing.B) {
	r := memory.Record{Content: "Ann's sister lives in Bergen with two cats and plays the oboe in an orchestra on Thursdays.",
		Tags: []string{"family"}}
	b.ReportAllocs()
	for b.Loop() {
		Is(r)
	}
}
