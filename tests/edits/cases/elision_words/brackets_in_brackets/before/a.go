func total(rows []int) int {
	sum := 0
	for _, row := range rows {
		sum += row
	}
	return sum
}
