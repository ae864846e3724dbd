#include "edits/syntax.h"
