package slots

// generic are words for what a team works on that name none of its projects: of "the
// project" one speaks as of oneself.
var generic = map[string]bool{"project": true, "app": true, "codebase": true, "repo": true, "repository": true, "application": true}

// product returns the class of the well-known product at the end of the words from lo
// to hi whose version is told, and where it begins: "Node", "our Postgres". Nil for
// anything else.
func (r *reader) product(lo, hi int) (a *attribute, at int) {
	for at = max(lo, hi-2); at < hi; at++ {
		a = r.known(at, hi, func(a *attribute) bool { return a.id == "database" || a.id == "os" })
		if a == nil {
			a = r.known(at, hi, func(a *attribute) bool { return a.id == "version" })
		}
		if a != nil {
			return a, at
		}
	}
	return nil, hi
}

// versioned reads a change of a product's version, "bumped Node to 22", and reports
// whether it is one. The product from lo on is a part of the value.
func (c *clause) versioned(lo, hi, to int) bool {
	if to+1 >= c.hi || !numeral(c.tokens[to+1].stem()) {
		return false
	}
	a, at := c.product(lo, hi)
	if a == nil {
		return false
	}
	n := c.nounPhrase(lo, at)
	c.s.Subject, c.s.Alias, c.s.Topic = n.entity, "", ""
	if n.entity == User || lo == at {
		c.s.Subject = ""
	}
	c.s.Attribute, c.s.single = a.id, a.single
	c.product0, c.product1 = at, hi
	return true
}

// productValue puts the product before the number of its version.
func (c *clause) productValue() {
	if c.product0 == c.product1 {
		return
	}
	name, _ := c.norm(c.product0, c.product1)
	c.s.Value, c.s.Norm = c.quote(c.product0, c.product1)+" "+c.s.Value, name+" "+c.s.Norm
	if c.s.Former != "" {
		c.s.Former = name + " " + c.s.Former
	}
	if c.s.Kind = Number; c.s.Attribute != "version" {
		c.s.Kind = Name
	}
}

// stack adds what a list of well-known products says, each for its class: "the stack is
// Go 1.22, Postgres 15 and Redis 7".
func (c *clause) stack() {
	if c.begin >= c.end || c.s.Hedged || c.s.Negated || c.s.Former != "" {
		return
	}
	var items []Statement
	all := 0
	for lo := c.begin; lo < c.hi; {
		end := lo
		for end < c.hi && c.tokens[end].word != "and" {
			end++
			if c.tokens[end-1].post != 0 {
				break
			}
		}
		all++
		if a := c.knownIn(lo, end); a != nil && c.wholly(lo, end) {
			s := Statement{Subject: c.s.Subject, Attribute: a.id, single: a.single, Exclusive: a.single, Type: State, Change: c.s.Change, first: c.s.first}
			s.Value = c.quote(lo, end)
			if s.Norm, s.Kind = c.norm(lo, end); s.Kind == Number && (a.id == "database" || a.id == "os") {
				s.Kind = Name
			}
			items = append(items, s)
		}
		if end < c.hi && c.tokens[end].word == "and" {
			end++
		} else if end > lo && c.tokens[end-1].post != ',' {
			break
		}
		lo = end
	}
	if len(items) == 0 || c.known(c.begin, c.hi, systematic) == nil && c.subject != label {
		return // "Lund, with Redis"
	}
	if all < 2 && !(c.subject == label && c.np.attr == nil && c.s.Kind == Number) { // "backend: Django 4.2"
		return
	}
	for _, s := range items {
		if s.Subject == "" && c.subject == label && c.np.attr == nil && all > 1 {
			s.Subject = c.np.entity // "VPS: netcup, Debian 12"
		}
		if s.Attribute != c.s.Attribute || s.Norm != c.s.Norm {
			c.extra = append(c.extra, s)
		}
	}
	c.s.Rest = c.s.Rest || all > 1
}

// wholly reports whether nothing but a well-known product, and a number behind it, stands
// from lo to hi.
func (r *reader) wholly(lo, hi int) bool {
	for _, p := range r.tokens[lo].e.phrases {
		if p.role != valuePhrase || !systematic(p.attr) || p.capital && !r.tokens[lo].cap {
			continue
		}
		if end := r.match(p, lo, hi); end == hi || end > 0 && end+1 == hi && r.tokens[end].num {
			return true
		}
	}
	return false
}

// systematic reports whether a class is of what a system is made of.
func systematic(a *attribute) bool { return a.domain == "system" || a.id == "os" }

// aside reads what a bracket behind the value, or "replacing", says was there before:
// "Mollie (replaces Stripe, fees)", "a staff engineer at Kubrix (left Tavolo)".
func (c *clause) aside() {
	for i := max(c.end, c.verb); i+1 < c.hi; i++ {
		t := &c.tokens[i]
		if !c.behind(i, "(") && !(t.word == "replacing" && c.tokens[i-1].post == ',') || !endings[t.word] {
			continue
		}
		end := i + 1
		for end < c.hi && c.tokens[end-1].post == 0 {
			end++
		}
		lo, hi := c.valueSpan(i+1, end)
		if lo >= hi {
			return
		}
		s := &c.s
		for k := range c.extra {
			if t.word == "left" && c.extra[k].Attribute == "work" {
				s = &c.extra[k]
			}
		}
		if s.Norm == "" || s.Former != "" || s.Negated || t.word == "left" && s.Attribute != "work" {
			return
		}
		s.Former, _ = c.norm(lo, hi)
		s.Change, s.Exclusive = true, true
		return
	}
}

// endings are the words in a bracket before what is no more.
var endings = map[string]bool{"was": true, "replaces": true, "replaced": true, "replacing": true, "left": true, "formerly": true, "previously": true, "ex": true}
