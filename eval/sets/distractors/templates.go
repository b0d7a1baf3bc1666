package distractors

import "strings"

func lines(text string) []string {
	list := strings.Split(text, "\n")
	for i := range list {
		list[i] = strings.TrimSpace(list[i])
	}
	return list
}

var everyday = lines(`{person} bought a {object} at the flea market in {city} for {5-90} euros
	{person} is planning a weekend in {city} with a {relation}
	{person} is planning a hike near {city} with a {relation}
	{person}'s {relation} moved to {city} to study {subject}
	{person}'s {relation} works as a {job} in {city}
	{person} used to be a {job} and now teaches {subject}
	The {shop} in {street} sells {food} on {weekday}s
	The {shop} next to the {place} closes for renovation in {month}
	{person} cooked {food} with {food2} for {3-14} guests
	{person} prefers {food} to {food2}
	{person} got the recipe for {food} from a {relation} in {city}
	{person} ordered {food} at the restaurant opposite the {place} and sent it back
	{person} has taken up {hobby} and practises on {weekday}s
	{person} gave up {hobby} after {2-20} years
	{person} won a prize for {hobby} in {city}
	{person} signed up for a course in {hobby} that begins in {month}
	The {hobby} club of {city} has {12-90} members and a new chairwoman
	{person} visits the physiotherapist in {street} because of {ailment}
	{person} spent {2-9} days in hospital in {city} with {ailment}
	{person} was told by a specialist in {city} that {ailment} would pass
	{person}'s {relation} suffers from {ailment} since {month}
	{person} adopted a {pet} from the shelter in {city}
	{person}'s {pet} ate a {object}
	{person} named the {pet} after a {relation}
	{person} lost a {object} near the {place} in {city}
	{person} found a {object} on the bus to {city}
	{person} lent a {object} to {person2}
	{person} repaired a {object} with glue and string
	{person} painted the {room} of the house in {street} in {colour}
	{person} hung a {colour} curtain in the {room}
	{person} chose {colour} tiles for the {room}
	The {room} of {person}'s flat in {street} is {8-40} square metres
	{person}'s {relation} inherited a {object} from a {job}
	{person} got a raise of {2-9} percent in {month} {2015-2025}
	{person} pays {300-1900} dollars a month for a flat in {city}
	{person} spent {20-900} dollars on a {object} and regrets it
	{person} saved {100-9000} dollars for a journey to {city}
	{person} sold a {object} to a {job} from {city}
	{person} took the bus from {city} to {city2} and slept all the way
	{person} rented a bungalow outside {city} in {month}
	{person} missed the connection in {city} and stayed with a {relation}
	{person} liked the {place} of {city} better than the one in {city2}
	{person} met {person2} at the {place} in {city} on a {weekday}
	{person} and {person2} quarrelled about a {object}
	{person} and {person2} share an interest in {hobby}
	{person} and {person2} celebrated with {food} in the {room}
	{person} invited {person2} to the {place} for the {1-28} of {month}
	{person} interviewed for a position as a {job} in {city}
	{person} shares an apprentice with a {job} from {street}
	{person} complained to the {shop} in {street} about a {object}
	{person} knitted a {colour} scarf for a {relation}
	{person} wrote a letter about {subject} to the {place} of {city}
	{person} reads about {subject} in the {room} until midnight
	{person} heard a lecture about {subject} at the {place}
	{person} photographs {colour} doors in {city}
	{person} was {mood} when the {relation} from {city} called
	{person} felt {mood} after the concert at the {place}
	{person} carries a {object} everywhere, even to the {place}
	{person} planted {2-30} shrubs behind the {place}
	{person} volunteers at the {place} of {city} on {weekday}s`)

var technical = lines(`{person} wrote the first version of the {service} in {language}
	{person} maintains the {service} since {month} {2015-2025}
	{person} presented the {service} at a meetup in {city}
	{person} rewrote the {module} of the {service} in {language}
	{person} filed a ticket about the {module} of the {service}
	{person} closed {3-60} tickets about the {service} in {month}
	{person} reviewed the {module} of the {service} and had {2-30} remarks
	{person} and {person2} paired on the {module} of the {service}
	{person} drew a diagram of the {module} for the {service}
	{person} was {mood} about the {module} of the {service}
	{person} spent a {weekday} chasing a {fault} in the {service}
	{person} reproduced the {fault} of the {service} on a {device}
	{person} blamed the {fault} on {technology}
	A {fault} in the {module} of the {service} was fixed by {person} in {month}
	The {fault} of the {service} only occurs with {technology}
	The {service} was written by {person} during a hackathon in {city}
	The {service} is named after a pub in {city}
	The {service} reads its {module} from {technology}
	The {service} talks to {technology} through a {module}
	The {service} has a {module} that nobody but {person} understands
	The {service} got a new {module} in version {1-9}.{0-30}
	The {service} was moved from {technology} to {technology2} in {2015-2025}
	The {service} starts in {2-40} seconds on a {device}
	The {service} consists of {2-90} thousand lines of {language}
	The {service} and the {service2} share a {module}
	The {service} replaces the {service2} in {month}
	The {service} sends {10-900} messages a second to the {service2}
	The {module} of the {service} is generated from a template
	The {module} of the {service} depends on {technology} {1-9}.{0-20}
	The {module} of the {service} was tested with {technology}
	The team in {city} uses {technology} for the {service}
	The team in {city} prefers {language} to {language2}
	The team in {city} bought {2-40} units of the {device}
	The office in {city} got a {device} in {month}
	The office in {city} has {2-9} meeting rooms named after {language} keywords
	The {device} in {city} is labelled {colour}
	The {device} of {person} needs a longer cable
	The {device} of {person} came with {technology} installed
	The {device} runs {technology} {1-9}.{0-20} for the {service}
	{person} recommends the {device} for {language} developers
	{person} learned {language} from {person2}
	{person} gave a course on {language} in {city}
	{person} wrote a plugin for {technology} in {language}
	{person} evaluated {technology} against {technology2} for the {service}
	{person} found {technology} easier to operate than {technology2}
	{person} asked the vendor of {technology} for a discount of {5-40} percent
	{person} translated the manual of the {service} for {city}
	{person} wants a {colour} theme for the {service}
	{person} demonstrated the {service} to {person2} on a {weekday}
	{person} handed the {service} over to {person2}
	{person} is against {technology} in the {module}
	{person} sketched the {module} of the {service2} on a napkin in {city}
	{person} keeps a fork of the {service} for experiments with {language}
	{person} measured the {service} with {technology} and was {mood}
	The workshop about {technology} in {city} lasts {2-5} days
	The book about {language} on the shelf belongs to {person}
	The licence of {technology} for the {service} costs {100-9000} dollars
	The consultant from {city} suggested {technology} for the {module}
	The prototype of the {service} was shown in {city} in {month} {2015-2025}
	The intern from {city} works with {person} on the {service}`)

// words are the lists that slots stand for; a name that ends in 2 is the same
// list once more.
var words = map[string][]string{
	"person": people, "person2": people, "city": cities, "city2": cities,
	"relation": split("aunt, nephew, cousin, godfather, stepsister, niece, grandson, former flatmate, mother-in-law, godchild"),
	"object":   split("barometer, typewriter, folding bike, gramophone, hammock, kettle, leather suitcase, pocket watch, rocking chair, samovar, sewing box, skateboard, snow globe, sunshade, toolbox, umbrella, vase, wheelbarrow, wind chime, xylophone, camera strap, chess clock, fondue set, kite, lantern"),
	"subject":  split("archaeology, astronomy, botany, ceramics, economics, geology, Greek philosophy, heraldry, journalism, linguistics, medieval history, meteorology, oceanography, opera, sociology, theology, urban planning, zoology"),
	"job":      split("bookbinder, bus driver, chimney builder, florist, gardener, goldsmith, journalist, judge, locksmith, midwife, notary, optician, pilot, roofer, shepherd, stage designer, tailor, undertaker, winegrower"),
	"shop":     split("antique shop, bookshop, butcher, delicatessen, fabric store, hardware store, ironmonger, kiosk, record shop, tea shop, toy shop, wine merchant"),
	"street":   split("Acorn Road, Baker's Row, Castle Square, Dock Street, Elm Avenue, Foundry Lane, Gorse Hill, Harbour Walk, Juniper Close, King's Parade, Maple Drive, Orchard Way"),
	"weekday":  split("Monday, Tuesday, Wednesday, Thursday, Friday, Saturday"),
	"month":    split("January, February, March, April, May, July, August, September, October, November"),
	"place":    split("aqueduct, botanical garden, bus station, castle, cathedral, community centre, fire brigade museum, fountain, market hall, observatory, old bridge, planetarium, skating rink, theatre, tram depot, war memorial, water tower"),
	"food":     foods, "food2": foods,
	"hobby":   split("archery, basket weaving, beekeeping, bonsai, bouldering, calligraphy, falconry, fencing, fly fishing, folk dancing, geocaching, juggling, kayaking, origami design, parkour, quilting, rowing, table tennis, unicycling, woodturning"),
	"ailment": split("a frozen shoulder, a pinched nerve, a sprained ankle, a torn muscle, bronchitis, gallstones, hay fever, kidney stones, migraine, pneumonia, sciatica, shingles, tinnitus, tonsillitis, vertigo"),
	"pet":     split("budgerigar, cockatiel, corn snake, ferret, gecko, goat, guinea pig, hamster, iguana, pony, tortoise, whippet"),
	"room":    split("conservatory, dining room, guest room, hallway, laundry, library, living room, pantry, porch, studio, utility room"),
	"colour":  split("amber, beige, burgundy, crimson, indigo, ivory, lilac, mint, ochre, olive, teal, turquoise"),
	"mood":    split("amused, annoyed, bored, cheerful, confused, disappointed, enthusiastic, proud, puzzled, relieved, sceptical, surprised"),
	"service": services, "service2": services, "technology": technologies,
	"technology2": technologies, "language": languages, "language2": languages,
	"module": split("admin panel, archive format, chart view, command parser, dashboard widget, event bus, form validation, geocoder, import wizard, layout engine, message template, notification centre, onboarding tour, plugin loader, report builder, rule engine, search form, session view, tagging model, text editor, translation file, undo stack, upload dialog"),
	"fault":  split("broken link, cropped label, deadlock, duplicate entry, encoding problem, endless loop, frozen spinner, misaligned table, missing translation, off-by-one error, race condition, rounding error, stale thumbnail, truncated title, wrong sort order"),
	"device": split("barcode scanner, conference speaker, dock, label maker, mini PC, oscilloscope, plotter, projector, smart board, spectrum analyser, tablet, thermal camera, thin client, touch screen, weather station"),
}

var (
	people = split("Hedda, Alvaro, Bettina, Callum, Dorota, Enzo, Farida, Gustav, Hiroko, Ignacio, Jolanda, Kasper, Ludmila, Matteo, Nasrin, Orla, Pascal, Quentin, Rosalind, Stellan, Tamsin, Ulrika, Viktor, Wanda, Xenia, Yannick, Zita, Anselm, Brigid, Cosmin")
	cities = split("Aarhus, Bologna, Cork, Debrecen, Eindhoven, Fribourg, Galway, Halifax, Innsbruck, Jaipur, Krakow, Leuven, Montpellier, Nagoya, Odense, Plovdiv, Quito, Riga, Salamanca, Tampere, Utrecht, Valparaiso, Winnipeg, Zagreb")
	foods  = split("baklava, borscht, cheese dumplings, chili con carne, falafel, fish tacos, goulash, grilled aubergine, gyros, lasagne, lentil stew, mushroom pie, onion tart, pancakes, pickled herring, pierogi, poached pears, potato salad, quiche, ramen, roast duck, sauerkraut, stuffed peppers, tiramisu, waffles")

	services     = split("heron, walnut, magpie, saffron, juniper, kestrel, basalt, marigold, otter, pumice, quokka, rowan, sextant, thistle, umbra, vireo, wombat, yarrow, zephyr, alder, bramble, cobalt, dunlin, ember", " service")
	technologies = split("Ansible, BigQuery, Cassandra, Clickhouse, Consul, CouchDB, Datadog, Envoy, Flink, Grafana, Hazelcast, InfluxDB, Jenkins, Kibana, Memcached, NATS, OpenTelemetry, Pulsar, RabbitMQ, Spark, SQLite, Traefik, Varnish, ZeroMQ")
	languages    = split("Ada, C#, Clojure, Crystal, Dart, Elixir, Elm, Erlang, F#, Haskell, Java, Julia, Kotlin, Lua, Nim, OCaml, Perl, PHP, Python, Ruby, Scala, Swift, TypeScript, Zig")
)

// split returns the words of a list, each with an ending.
func split(list string, ending ...string) []string {
	words := strings.Split(list, ", ")
	for i := range words {
		words[i] += strings.Join(ending, "")
	}
	return words
}
