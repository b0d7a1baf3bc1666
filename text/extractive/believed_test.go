package extractive

import (
	"strings"
	"testing"
)

// TestBelieved: nothing stays of what is imagined, played, claimed by others, given up or taken back, and
// what is said beside it does.
func TestBelieved(t *testing.T) {
	for _, c := range []struct {
		talk  string
		gone  []string
		stays []string
	}{
		{"u Say we have ten nodes. Each of them has 32 GB. The traffic doubles every week. How long do we last?", []string{"ten nodes", "32 GB", "doubles"}, nil},
		{"u Suppose the bank says no. We sell the boat, my parents lend us thirty thousand. But for now we rent at Hafenstrasse 3.", []string{"sell the boat", "thirty thousand"}, []string{"Hafenstrasse"}},
		{"u Imagine a town with no cars. Everybody cycles. The mayor is a baker. That's the setting of my board game, by the way.", []string{"Everybody cycles", "mayor is a baker"}, nil},
		{"u Let's assume 40 guests. Then we'd need two ovens. We have one oven at the moment.", []string{"40 guests", "two ovens"}, []string{"one oven"}},
		{"u For a thought experiment: I quit in June. I move to Goa. I live on 500 a month.", []string{"quit in June", "Goa", "500"}, nil},
		{"u If I had a garden I'd grow figs. I'd keep bees too. As it is, I have two pots of basil on the balcony.", []string{"figs", "bees"}, []string{"basil"}},
		{"u I wish we had a proper QA team. Two testers, a lab, the works.", []string{"proper QA team", "Two testers"}, nil},
		{"a Imagine you have a budget of 5,000 euros. What would you buy?\nu a cargo bike, and a trip to Lofoten", []string{"cargo bike", "Lofoten"}, nil},
		{"a Let's say your server has 16 cores.\nu then I start 16 workers", []string{"16 workers"}, nil},
		{"a Example: a shop sells 100 shirts a day at 20 euros. What is the monthly revenue?\nu 60,000", []string{"60,000"}, nil},
		{"u What if we hired a nanny? She'd come at seven. She'd cook as well.", []string{"nanny", "come at seven"}, nil},
		{"u In a perfect world the release is on Monday, docs are ready and nobody is ill.", []string{"Monday"}, nil},
		{"u Pretend you're a waiter and I order. I'd like the soup, I'm allergic to cheese.", []string{"allergic to cheese"}, nil},
		{"u can you play my landlord? I want to practise asking for a lower rent\na Sure. What do you want?\nu I've lived here for nine years and I always paid on time\na The rent stays.\nu I lost my job in March\na Hm.\nu ok thanks, enough practice. My landlord is Mr. Adler by the way", []string{"nine years", "lost my job", "lost their job"}, []string{"Mr. Adler"}},
		{"u let's do a mock negotiation, you are the buyer\na I offer 9,000.\nu I have another buyer at 12,000 and I need to sell today\na 10,000.\nu stop the mock. In reality I want at least 8,500 for the van", []string{"another buyer", "sell today"}, []string{"8,500"}},
		{"u Our CTO claims that Rust cuts costs by half.", []string{"cuts costs"}, nil},
		{"u Marta swears the bus leaves at nine.", []string{"leaves at nine"}, nil},
		{"u My boss insists that we use the VPN.", nil, []string{"VPN"}},
		{"u My boss insists on PDF reports every Friday.", nil, []string{"PDF"}},
		{"u a colleague told me the canteen closes for good in May", []string{"canteen closes"}, nil},
		{"u Some guy at the gym says creatine ruins your kidneys.", []string{"kidneys"}, nil},
		{"u the estate agent promised us that the lift gets fixed in spring", []string{"lift gets fixed"}, nil},
		{"u Their sales rep says the device lasts ten years.", []string{"ten years"}, nil},
		{"u My dentist says I need a crown on the upper left.", nil, []string{"crown"}},
		{"u The doctor told me to stop eating salt.", nil, []string{"salt"}},
		{"u Ruben says the deploy window moved to 22:00.", nil, []string{"22:00"}},
		{"u According to my horoscope I get rich in June.", []string{"rich"}, nil},
		{"u Wikipedia says the tower is 96 m, the plaque says 98. No idea which is right.", []string{"96 m"}, nil},
		{"u My mum thinks I should become a teacher.", []string{"become a teacher"}, nil},
		{"u grandpa says the dog is a purebred", []string{"purebred"}, nil},
		{"u Omar runs the warehouse and reckons we lose 5 percent of the stock.", []string{"5 percent"}, []string{"Omar runs the warehouse"}},
		{"u My sister lives in Malmö, apparently with a sailor.", []string{"sailor"}, []string{"Malmö"}},
		{"u The car is a Skoda, or so the dealer says.", []string{"Skoda"}, nil},
		{"u We agreed on Friday. Hm, no, let me check with Dana first.", []string{"Friday"}, nil},
		{"u Put me down for two tickets. Hold on, I need to ask my wife.", []string{"two tickets"}, nil},
		{"u The database is in Paris and the cache is in Milan. Sorry, other way round.", []string{"database is in Paris"}, nil},
		{"u Anna does design, Bert does copy. I mixed those up, Bert does design and Anna copy.", []string{"Anna does design"}, []string{"Bert does design"}},
		{"u The limit was 50 until yesterday, now it's 80.", []string{"is 50"}, []string{"80"}},
		{"u We have six hens. It was seven until the fox came, now six.", nil, []string{"six hens"}},
		{"u I wanted to study medicine but I ended up in law, at Leiden.", []string{"medicine"}, []string{"law"}},
		{"u We nearly bought the house in Zwolle.", []string{"Zwolle"}, nil},
		{"u I was this close to signing with Acme.", []string{"Acme"}, nil},
		{"u Everyone in my family eats meat and I don't.", []string{"eats meat"}, nil},
		{"u Most of my team uses Macs but I'm on Fedora.", nil, []string{"Fedora"}},
		{"u Oh wonderful, the printer ate my thesis. Best day ever.", []string{"best day"}, nil},
		{"u Oh great, we got the grant!", nil, []string{"grant"}},
		{"u Whoever thought it was a clever idea to deploy on a Friday night deserves a medal.", []string{"medal"}, nil},
		{"u The new intern deleted the prod table. Brilliant.\nu We restored it from the backup of 3 am.", nil, []string{"restored"}},
		{"u I could sleep for a year.", []string{"year"}, nil},
		{"u I'm basically a professional napper at this point lol", []string{"professional"}, nil},
		{"u Because clearly what I need in my life is another subscription.", []string{"subscription"}, nil},
		{"u not that we have a million lying around", []string{"million"}, nil},
		{"u It's not like I own a castle.", []string{"castle"}, nil},
		{"u As if I had a yacht!", []string{"yacht"}, nil},
		{"u Who said I'm vegan? I eat everything except liver.", []string{"is vegan"}, []string{"liver"}},
		{"u I never said that I speak Dutch.", []string{"speaks dutch"}, nil},
		{"u She wants us to move in together. I haven't decided.", []string{"move in"}, nil},
		{"u They proposed Tuesday for the audit. No answer from us so far, we'll see.", []string{"Tuesday"}, nil},
		{"u The recruiter said remote is fine. The contract says three days on site.", nil, []string{"three days on site"}},
		{"u My neighbour says the street gets closed. He says that every year.", []string{"closed"}, nil},
		{"u From: Jens\nSubject: keys\n\nHi, I am in Bonn next week, the keys are at the kiosk. Jens\nu what should I reply to that?", []string{"Bonn", "kiosk"}, nil},
		{"u Jens wrote: \"I'm leaving the company in May, my last day is the 30th\". What do I answer?", []string{"last day"}, nil},
		{"u Translate to French: My name is Olga and I have two sons.", []string{"Olga", "two sons"}, nil},
		{"u The error text is \"User 4711 has no address\". Where's that from?", []string{"no address"}, nil},
		{"u Add a fixture: customer Max, born in 1990, lives in Ulm.", []string{"Max", "1990"}, nil},
		{"u In the sample file the company has 12 employees and a debt of 3 million.", []string{"12 employees"}, nil},
		{"u e.g. a user who owns three shops and wants one invoice", []string{"three shops"}, nil},
		{"u In my short story the narrator is a nurse. She poisons a senator.", []string{"nurse", "poisons"}, nil},
		{"u My D&D character is a half-orc from Neverwinter. He hates elves.", []string{"half-orc", "hates elves"}, nil},
		{"u Do you think I should sell the flat?", []string{"sell the flat"}, nil},
		{"u should I tell her that I quit?", []string{"quit"}, nil},
		{"u I may take the job in Lyon, I don't know.", []string{"Lyon"}, nil},
		{"u Maybe we get a second cat in summer.", []string{"second cat"}, nil},
		{"u I'm tempted to buy the red one.", []string{"red"}, nil},
		{"u One day I'll open a café in Trieste.", []string{"Trieste"}, nil},
		{"u Part of me wants to move back to Ghent.", []string{"Ghent"}, nil},
		{"u I keep telling myself I'll start running.", []string{"running"}, nil},
		{"u we might as well cancel Netflix", []string{"Netflix"}, nil},
		{"u I doubt that Kim will join us.", []string{"Kim"}, nil},
		{"u it's not that I hate coriander, I just can't stand the smell", []string{"hates coriander"}, nil},
		{"u My ex used to say I snore.", []string{"snore"}, nil},
		{"u rumour has it that floor 3 gets a gym", []string{"gym"}, nil},
		{"u Let's practise a phone call in English. You call the clinic, I answer.\na Hello, I'd like an appointment.\nu Clinic Sunshine, my name is Doctor Bell. We have a slot on Tuesday at nine.\na Perfect.\nu ok that's enough. My exam is on Saturday in Basel.", []string{"Doctor Bell", "at nine"}, []string{"Basel"}},
		{"u I'll be the customer and you're the barista, ok? My Italian needs it\na Buongiorno!\nu I want two croissants and I live around the corner", []string{"two croissants", "around the corner"}, nil},
		{"u My play is about a lighthouse. Agnes keeps goats. Her son is a smuggler who drowned in 1911.", []string{"keeps goats", "1911"}, nil},
		{"u plot so far: a chemist finds a door in her cellar. Behind it there's Vienna in 1890.", []string{"finds a door", "1890"}, nil},
		{"u Our broker is Klarna. Sorry, wrong, Klarna was the old one, it's Mollie since June.", []string{"is Klarna"}, []string{"Mollie"}},
		{"u the printer is on floor 2. my mistake, that's the copier. the printer is on floor 4", []string{"printer is on floor 2"}, []string{"floor 4"}},
		{"u It was going to be Bea who drives. She broke her arm. Now it's Otto.", []string{"Bea"}, nil},
		{"u test row is id 99, name \"Foo Bar\", city Nowhere, ignore it", []string{"Nowhere"}, nil},
		{"u we looked at Vercel, too pricey. We host on Fly.io", nil, []string{"Fly.io"}},
		{"u I was all set to accept the job in Graz and then they cut the salary. I stay at Bosch.", []string{"job in Graz"}, []string{"Bosch"}},
		{"u He is going to be famous, at least that's what grandma says.", []string{"famous"}, nil},
		{"u Si j'étais riche, j'habiterais à Nice.", []string{"Nice"}, nil},
		{"u Mein Nachbar behauptet, die Straße wird 2027 gesperrt. Ich wohne in Fulda.", []string{"2027"}, []string{"Fulda"}},
		{"u Wenn wir im Lotto gewinnen, kaufen wir ein Haus in Kiel. Wir wohnen in Jena.", []string{"Kiel"}, []string{"Jena"}},
		{"u Misschien verhuizen we naar Gent. Ik werk bij Philips.", []string{"Gent"}, []string{"Philips"}},
		{"u She said yes to Lisbon and then she said no. We stay in Porto.", nil, []string{"Porto"}},
		{"u the wiki says rotate keys yearly. wrong. we rotate monthly", []string{"yearly"}, []string{"monthly"}},
		{"u everybody tells me to get an electric car. I have a diesel and I keep it.", []string{"electric"}, []string{"diesel"}},
		{"u By that logic I own the bakery too.", []string{"bakery"}, nil},
		{"u If memory serves the password policy is 12 characters.", []string{"12 characters"}, nil},
		{"u give me a headline for this: we sold 400 tractors in one day", []string{"400 tractors"}, nil},
		{"u write a status like \"I am in Kyoto and I ate a whale\", as a joke", []string{"Kyoto", "whale"}, nil},
		{"u it's probably Ron who broke the mixer", []string{"Ron"}, nil},
		{"u no idea who owns the domain, Tess maybe", []string{"Tess"}, nil},
		{"u We'd be live by now if legal had answered.", []string{"live by now"}, nil},
		{"u I might drop statistics. Or not. I have six courses.", []string{"statistics"}, []string{"six courses"}},
		{"u The shop opens at nine. At least it did before the strike.", []string{"opens at nine"}, nil},
		{"u She's always saying that she'll quit.", []string{"quit"}, nil},
		{"u My neighbour Jo keeps hens.\nu Grandma says she comes on 12 June.\nu An alert tells me when the disk is full.", nil, []string{"hens", "12 June", "alert"}},
		{"u We release on the 5th. Let me check the logs of atlas.\nu I need to ask Basma about the limits.", nil, []string{"5th", "Basma"}},
		{"u Can you be a bit briefer?\nu I'll be away and you deploy.\nu Could we make the dialog wider? I live in Bonn.", nil, []string{"Bonn"}},
	} {
		got := strings.Join(factsOf(t, c.talk), "\n")
		for _, text := range c.gone {
			if strings.Contains(strings.ToLower(got), strings.ToLower(text)) {
				t.Errorf("%s\n\tleaves %q in\n\t%s", c.talk, text, got)
			}
		}
		for _, text := range c.stays {
			if !strings.Contains(strings.ToLower(got), strings.ToLower(text)) {
				t.Errorf("%s\n\tloses %q of\n\t%s", c.talk, text, got)
			}
		}
	}
}
