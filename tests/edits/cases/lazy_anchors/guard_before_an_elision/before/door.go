package door

func open(name string) error {
	key, err := look(name)
	if err != nil {
		warn(err)
		return err
	}
	turn(key)
	return nil
}
