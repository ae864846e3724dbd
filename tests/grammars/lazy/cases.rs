=== a function in an impl block, with an attribute above it
--- file
use std::io;

impl Reader {
    #[inline]
    pub fn read(&self) -> u32 {
        self.a
    }

    pub fn skip(&self) -> u32 {
        self.b
    }
}
--- sketch
// ... existing code ...

impl Reader {
    // ... existing code ...
    pub fn read(&self) -> u32 {
        self.a + 1
    }

    // ... existing code ...
}
--- result
use std::io;

impl Reader {
    #[inline]
    pub fn read(&self) -> u32 {
        self.a + 1
    }

    pub fn skip(&self) -> u32 {
        self.b
    }
}
=== an attribute that is not shown stays
--- file
use std::io;

impl Reader {
    #[inline]
    pub fn read(&self) -> u32 {
        self.a
    }

    pub fn skip(&self) -> u32 {
        self.b
    }
}
--- sketch
// ... existing code ...

impl Reader {
    pub fn read(&self) -> u32 {
        self.a + 1
    }

    // ... existing code ...
}
--- result
use std::io;

impl Reader {
    #[inline]
    pub fn read(&self) -> u32 {
        self.a + 1
    }

    pub fn skip(&self) -> u32 {
        self.b
    }
}
