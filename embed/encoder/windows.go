package encoder

// Windows returns parts of a text's pieces, each of at most length pieces, from the text's
// beginning to its end. They overlap by at least overlap, unless that takes more than `most` parts:
// then there are `most` parts at equal distances, which overlap less or leave pieces out. If `most`
// is 1, the part is the beginning.
func Windows(pieces []int32, length, overlap, most int) (parts [][]int32) {
	if len(pieces) <= length || most == 1 {
		if len(pieces) > 0 {
			parts = append(parts, pieces[:min(len(pieces), length)])
		}
		return parts
	}
	last, stride := len(pieces)-length, length-overlap
	n := min(most, 1+(last+stride-1)/stride)
	for i := range n {
		at := last * i / (n - 1)
		parts = append(parts, pieces[at:at+length])
	}
	return parts
}
