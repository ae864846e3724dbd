package door

func open(name string) error {
	key, err := look(name)
	if err != nil {
		return fmt.Errorf("open: %w", err)
	}
	turn(key)
	return nil
}
