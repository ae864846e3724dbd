void tick(struct clock *clock) {
    read(clock);
    show(clock);
	    store(clock);
    done(clock);
}
