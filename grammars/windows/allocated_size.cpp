#include "grammars/allocated_size.h"

#include <malloc.h>

namespace bodkin {

size_t allocated_size(void* memory) { return _msize(memory); }

}  // namespace bodkin
