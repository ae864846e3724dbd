#include "edits/text.h"
