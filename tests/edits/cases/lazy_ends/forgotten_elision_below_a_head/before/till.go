package till

func Count(t *Till) int {
	sum := 0
	seen := map[string]bool{}
	lock(t)
	defer unlock(t)
	limit := t.Limit()
	log.Print(limit)
	for _, coin := range t.Coins {
		sum += coin.Value
	}
	return sum
}

func Open(t *Till) {
	t.open = true
}
