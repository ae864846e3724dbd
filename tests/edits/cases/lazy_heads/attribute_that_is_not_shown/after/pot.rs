struct Pot;

impl Pot {
    #[inline]
    fn level(&self) -> i32 {
        3
    }

    #[must_use]
    fn heat(&self) -> i32 {
        2
    }
}
