pub struct Tank {
    level: u32,
    limit: u32,
    alarm: u32,
}
