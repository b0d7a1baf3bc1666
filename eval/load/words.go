package main

import "strings"

// The vocabularies of the made-up facts. What stands first in a list is used
// most, see [generator.pick].
var (
	firstNames = strings.Fields(`Anna Ben Clara David Elena Felix Greta Hassan Ines Jonas Keiko Liam Maria Noah Olga Pavel
		Quinn Rosa Samir Tara Ulrich Vera Wanda Xavier Yasmin Zoran Aisha Bruno Carmen Dmitri Esther Farid Gwen Hugo Ivy
		Jamal Katya Leon Mina Niko Oscar Priya Rafael Saskia Theo Uma Viktor Willa Yusuf Zelda Amara Boris Celeste Dario
		Edith Franz Gloria Henrik Isla Jorge`)
	lastNames = strings.Fields(`Keller Moreau Okafor Lindqvist Tanaka Rossi Novak Silva Haddad Meyer Petrov Johansson Costa
		Dubois Ferrari Garcia Horvath Ivanova Jensen Kowalski Larsen Mendes Nakamura Olsen Popescu Quiroga Rahman Schmidt
		Torres Ueda Varga Weber Yilmaz Zimmer Adeyemi Bauer Castillo Demir Eriksen Fischer`)
	cities = strings.Fields(`Berlin Lisbon Oslo Prague Kyoto Turin Dakar Quito Vienna Bergen Porto Krakow Seville Ghent
		Tampere Bologna Leeds Galway Utrecht Basel Lyon Nantes Aarhus Malmo Gdansk Ljubljana Zagreb Izmir Haifa Tunis
		Accra Nairobi Pune Hanoi Busan Sapporo Adelaide Dunedin Halifax Austin`)
	foods = strings.Fields(`lasagne ramen dumplings paella falafel pancakes risotto goulash curry tacos pierogi couscous
		sushi gnocchi shakshuka moussaka ceviche hummus brownies waffles porridge chowder kimchi strudel gazpacho
		meatballs polenta quiche ratatouille tiramisu`)
	hobbies = lines(`pottery
		long-distance running
		bird watching
		chess problems
		wood carving
		open water swimming
		sketching old bridges
		restoring bicycles
		mushroom hunting
		choir singing
		bouldering
		analogue photography
		model railways
		beekeeping
		calligraphy
		salsa dancing
		tabletop games
		astronomy
		knitting
		sourdough baking
		fly fishing
		playing the cello
		urban gardening
		orienteering`)
	services = lines(`billing service
		search index
		login gateway
		image resizer
		report generator
		message queue
		mobile app
		payment webhook
		backup job
		feature store
		support portal
		recommendation engine
		data warehouse
		build cluster
		notification worker
		session cache
		audit log
		geocoder
		video encoder
		pricing engine
		invoice archive
		load balancer
		admin console
		translation pipeline`)
	technologies = strings.Fields(`PostgreSQL Redis Kubernetes Terraform Kafka Go TypeScript Rust Python nginx Grafana
		Elasticsearch RabbitMQ Docker GraphQL SQLite Ansible Prometheus Svelte Django Vault Consul ClickHouse Envoy`)
	faults = lines(`a connection leak
		an expired certificate
		a missing index
		a full disk
		a race between two workers
		a wrong time zone
		an unbounded retry loop
		a stale cache entry
		a corrupt upload
		a deadlock during checkout
		an off-by-one in pagination
		a memory leak in the parser
		a duplicated webhook
		a misspelt header
		a broken migration
		a slow regular expression`)
	objects = lines(`oak desk
		red bicycle
		field camera
		winter coat
		espresso machine
		garden shed
		old piano
		camper van
		sewing machine
		telescope
		rowing boat
		record player
		fountain pen
		tool chest
		wool blanket
		mountain tent
		walnut table
		leather suitcase
		brass lamp
		rain barrel
		chess set
		violin
		pressure cooker
		paper lantern`)
	topics = lines(`the office move
		remote work
		the spring release
		hiring two engineers
		the school play
		solar panels
		the family reunion
		a new logo
		the travel budget
		the summer holiday
		parental leave
		the kitchen renovation
		open source licences
		the quarterly report
		a pay rise
		the noise complaint
		the museum visit
		a second dog
		the customer survey
		data retention
		the wedding speech
		a language course
		the neighbourhood party
		code review rules`)
	relations = strings.Fields(`sister brother mother father cousin neighbour manager colleague roommate aunt uncle friend
		daughter son landlord mentor dentist trainer`)
	companies = lines(`Northwind Bakery
		Halden Optics
		Brightwater Energy
		Tessel Robotics
		Marlow and Sons
		Quarry Lane Press
		Ostrava Steelworks
		Blue Heron Travel
		Kestrel Insurance
		Pinegrove Dairy
		Lumen Theatre
		Corvid Analytics
		Saltmarsh Brewery
		Fernhill Clinic
		Juniper Logistics
		Orchard Street School`)
	moods  = strings.Fields(`happy nervous relieved proud tired curious annoyed hopeful surprised calm sceptical excited`)
	months = strings.Fields(`January February March April May June July August September October November December`)
	days   = strings.Fields(`Monday Tuesday Wednesday Thursday Friday Saturday Sunday`)
)

// lines returns the trimmed lines of text.
func lines(text string) []string {
	list := strings.Split(text, "\n")
	for i := range list {
		list[i] = strings.TrimSpace(list[i])
	}
	return list
}
