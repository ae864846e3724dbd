use crate::clock;
use crate::queue;
use crate::store;

pub struct Job {
    pub id: u64,
    pub due: Time,
    pub tries: u8,
    pub owner: Name,
}

impl Job {
    pub fn is_late(&self) -> bool {
        self.due < clock::now()
    }
}
