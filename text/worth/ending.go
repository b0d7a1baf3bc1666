package worth

import "strings"

// The words of [Rule], in the languages of the cues.
var (
	refusing  = setOf("don't not never no avoid stop without nicht nie niemals kein keine keinen keinem ne pas jamais nunca niet nooit geen")
	excepting = setOf("without unless except but only ohne außer nur")
	// once are words of what is allowed or spared for once, or under a condition.
	once = setOf(`this today tomorrow tonight once just only except unless if when while until temporarily should diesmal heute morgen
		ausnahmsweise nur wenn falls einmal`)
	untils = setOf("until till bis")
	unreal = setOf(`will would should could might may can if when unless until once soon almost nearly yet tomorrow next
		hopefully maybe perhaps isn't aren't hasn't haven't wasn't weren't won't wird wenn falls noch bald kein`)
	scopes    = setOf("in for with on before after when while at during by under from vor nach bei in im am für mit auf")
	recurring = setOf("always never every each daily weekly monthly immer jede jeden jedes")
	owing     = setOf("need needs have has still")
	being     = setOf("is are was were been be got ist sind wurde wurden")
	doers     = setOf("user i we others i've we've")
	finishing = setOf("done finished completed ready complete erledigt fertig")
	answering = setOf("answer answers reply replies respond response responses explanations antworte antworten antwort")
	targets   = setOf("to into from")
	doing     = setOf("can may don't doesn't do does")
	small     = setOf("a an the is are was were has have had be been of to on in der die das ist sind hat haben")

	// helpers are verbs that say nothing of what a rule is about; fillers are words that any rule may have.
	helpers = setOf(`use using add adding include including put write writing run running make making do doing give keep keeping end ending
		begin start set have execute verwende benutze nutze nimm mach mache schreibe schreib führe`)
	fillers = setOf(`anything everything user user's assistant assistant's others want wants wanted allow allows allowed never always again repo repository project
		please now anymore any more longer ok okay fine alright free need needs needed necessary required have has must may can permitted
		forbidden banned stop instead from now on there it's that's everyone also still as every each one full too either also
		du ihr sie ich wir man kannst könnt darfst dürft können dürfen musst müsst brauchst wieder auf immer der die das den dem des ein eine
		einen einem ist sind nicht mehr nötig erlaubt verboten in ordnung vor jedem jeden jeder jedes aus und bitte ab sofort am im an zu für est
		le la les de nouveau autorisé plus nécessaire interdit toujours faut
		siempre hay que altijd ya hace falta otra vez permitido weer toegestaan meer nodig is op niet
		decided decide agreed agree chose choose chosen against after all let's lets we're we've
		scrap scrapped ditch ditched abandon abandoned`)

	sparing = phrasesOf(`don't have to, do not have to, doesn't have to, does not have to, don't need, do not need, doesn't need, no need,
		needn't, no longer needed, no longer required, no longer necessary, no longer wants, no longer want, no longer has to, no longer have to,
		no longer need, no longer needs, not needed anymore, not necessary anymore, not required anymore, nicht mehr nötig, nicht mehr notwendig,
		decided against, decide against, scrap, scrapped, ditch, ditched, abandon, abandoned,
		musst nicht mehr, brauchst nicht mehr, plus nécessaire, ya no hace falta, niet meer nodig`)
	lasting = phrasesOf(`again, now, from now on, any more, anymore, any longer, no longer, no more, stop, instead, wieder, ab sofort, mehr,
		de nouveau, otra vez, weer`)
	allowing = phrasesOf(`allows, allowed, may, can, ok, okay, fine, permitted, alright, kannst, könnt, darfst, dürft, erlaubt, in ordnung, autorisé,
		permitido, toegestaan`)
	freeing  = phrasesOf("no longer forbidden, no longer banned, nicht mehr verboten, plus interdit, ban is lifted, ban was lifted")
	insteads = phrasesOf("instead of, rather than, in place of, statt, anstatt, anstelle von")
)

// axis is a question that a rule may answer one way or the other: of answers their language and length.
type axis struct{ axis, value string }

var axes = func() map[string]axis {
	all := map[string]axis{}
	for line := range strings.Lines(`language en: english englisch anglais inglés engels
language de: german deutsch allemand alemán duits
language fr: french französisch français francés frans
language es: spanish spanisch espagnol español spaans
language nl: dutch niederländisch néerlandais neerlandés nederlands
language it: italian italienisch
length short: short shorter brief briefly concise concisely terse sentence sentences kurz kürzer knapp
length long: long longer detailed verbose elaborate length lang länger ausführlich ausführlicher`) {
		name, words, _ := strings.Cut(line, ":")
		about, value, _ := strings.Cut(name, " ")
		for w := range strings.FieldsSeq(words) {
			all[w] = axis{about, value}
		}
	}
	return all
}()

// participles are irregular ones, with their verbs.
var participles = func() map[string]string {
	all := map[string]string{}
	for pair := range strings.FieldsSeq(`written:write sent:send built:build made:make bought:buy paid:pay found:find told:tell sold:sell taken:take
		chosen:choose drawn:draw given:give shown:show run:run set:set put:put got:get done:do met:meet kept:keep left:leave taught:teach
		brought:bring spoken:speak spoke:speak wrote:write gave:give took:take begun:begin known:know held:hold read:read upset:upset`) {
		past, verb, _ := strings.Cut(pair, ":")
		all[past] = verb
	}
	return all
}()

// phrasesOf splits a list at its commas, and keeps each phrase under its first word.
func phrasesOf(list string) map[string][][]string {
	phrases := map[string][][]string{}
	for one := range strings.SplitSeq(list, ",") {
		words := strings.Fields(one)
		phrases[words[0]] = append(phrases[words[0]], words[1:])
	}
	return phrases
}
