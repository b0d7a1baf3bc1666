package extractive

// moved are the words of an appointment that gets another date.
var moved = table("moved")

// maxBack is how many facts a correction may reach back.
const maxBack = 30
