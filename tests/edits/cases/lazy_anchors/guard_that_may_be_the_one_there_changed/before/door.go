package door

func open(name string) error {
	if err != nil {
		warn(err)
		return err
	}
	turn(key)
	return nil
}
