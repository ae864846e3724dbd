// Some memory that is kept back for the moment when there is no more: to unwind, to say so and to
// answer takes some, too, and so does a destructor, which must not fail (that of a JSON value
// allocates). It has two parts. The allocation that fails first gets one and goes on; the next one
// gives up the other and throws, so that unwinding has it. Thread: any.
#pragma once

namespace bodkin {

// From now on an `operator new` that fails gives up the reserve as said above. Called at the start,
// and after each piece of work: fills what was given up, if it can.
void keep_memory_reserve();

// For those who allocate without `new`: gives up a part. False: all of it was given up already;
// there is no memory.
bool release_memory_reserve();

}  // namespace bodkin
