#include <stdio.h>

#include <sec/sec.h>
#include <sec/tree.h>
#include <sec/enc.h>
#include <sec/crypto.h>

int run(void);
int stop(void);
