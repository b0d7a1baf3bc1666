// Package moving carries banks from one store to another, as they are: every row that
// nothing else could be made of, under the same ids.
//
// All of it is read at one moment of the source, three times: to see whether it can be
// read and what it comes to, to carry it in transactions of some hundred rows, and by the
// sums of the other side, which are compared in the end. Each transaction leaves a mark
// in the bank that it writes to, of how far that has got. A copy that was ended goes on
// there, as long as the source's bank is what it was, and else begins that bank anew.
//
// Nothing is written before everything was looked at: a row that is not what was saved,
// or a bank that has something else on the other side, is named, and the copy refused.
package moving
