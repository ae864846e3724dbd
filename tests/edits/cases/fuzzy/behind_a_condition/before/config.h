#pragma once

#ifdef HAVE_INDEX
#include <index.h>
#endif
#define SIZE 200
static int ready = 1;
static int limit = 2;
