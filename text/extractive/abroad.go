package extractive

// abroad are the openings in other languages of what is only supposed: they are looked for in every
// sentence, as a short one may pass for English.
var abroad = newPhrases(`
	^ vielleicht|eventuell|vermutlich|wahrscheinlich|angenommen|hoffentlich|falls|sofern
	^ wenn ich|wir|du|er|sie|es|das|der|die|mein|meine|unser|alles|jemand
	^ peut-être|probablement|imaginons|supposons|espérons|admettons
	^ si j'étais|j'avais|j'ai|j'arrive|j'obtiens|je|on|nous|tu|il|elle|jamais|tout
	^ quizás|quizas|acaso|ojalá|supongamos|imaginemos
	^ tal vez
	^ si yo|tuviera|fuera|pudiera|hubiera|gano|ganamos|puedo|podemos|tengo|tenemos|me|nos|todo
	^ forse|magari|probabilmente|supponiamo|speriamo
	^ se io|avessi|fossi|potessi|vinco|vinciamo|posso|possiamo|eu|tivesse|fosse|tudo|tutto
	^ misschien|waarschijnlijk|hopelijk|stel
	^ als ik|we|wij|je|jij|hij|zij|ze|alles
	^ talvez|provavelmente|oxalá
	^ kanske|troligen|om jag|vi`)

// gossip are the words before what somebody says of others in these languages who need not know.
var gossip = newPhrases(`
	^ ~ behauptet|prétend|beweert|sostiene|asegura
	^ mein|meine|unser|unsere|ein|eine|der|die ~ nachbar|nachbarin|onkel|tante|schwager|kumpel|kollege|bekannter|freund sagt|meint|erzählt
	^ mon|ma|notre|un|une|le|la ~ voisin|voisine|oncle|tante|cousin|cousine|beau-frère|collègue|ami|client dit|pense|croit|raconte
	^ mi|nuestro|nuestra|un|una|el|la ~ vecino|vecina|primo|prima|tío|tía|cuñado|cuñada|suegra|amigo|amiga|cliente dice|cree|piensa
	^ il|la|mio|mia|un|una ~ vicino|vicina|zio|zia|cugino|cugina|amico|amica|cliente dice|pensa|crede
	^ mijn|onze|een|de ~ buurman|buurvrouw|oom|tante|neef|nicht|vriend|collega zegt|denkt|vindt
	^ on dit|raconte
	^ se dice
	^ man sagt|erzählt
	^ si dice
	^ men zegt`)
