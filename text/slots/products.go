package slots

// generic are words for what a team works on that are no name of a project. Who speaks of "the
// project" speaks of what the user works on, so the two may be one subject.
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
