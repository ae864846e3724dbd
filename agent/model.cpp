#include "agent/model.h"

#include "agent/draft.h"
#include "agent/run.h"
#include "edits/explain.h"
#include "edits/parse.h"
