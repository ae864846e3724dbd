impl Oven {
    fn heat(&mut self) {
        self.lamp.on();
        self.start(12);
        // The door is closed.
        self.check_door();
        self.fan.run(3);
    }
}
