// Package moving copies banks from one store to another, with all rows that cannot be derived from
// others, under the same ids.
//
// The source is read twice, at the same moment of its history: first to check all rows and compute
// sums of them, then to copy them in transactions of some hundred rows. In the end the sums of the
// other side are computed and compared. Each transaction stores a mark in the bank it writes to,
// which says how far the copy has got. An interrupted copy is continued from there if the source's
// bank is unchanged, else that bank is copied anew.
//
// Nothing is written before everything was checked. If a row is damaged, or a bank on the other
// side has other content, the copy is refused and names it.
package moving
