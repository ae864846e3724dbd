#pragma once

#ifdef HAVE_INDEX
#include <core.h>
#define SIZE 200
static int ready = 1;
#else
#define SIZE 0
#endif
