int table[16];
int limit;
// The table has one slot for every letter that begins a name.
// Names that begin with a sign are few, and are searched last.
// Whoever takes it off writes a mark.
// Its slots are never empty, be they new or old ones from before.
int used;
