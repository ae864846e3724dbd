#include <stdio.h>

#include <sec/tree.h>
#include <sec/enc.h>
#include <sec/crypto.h>

int stop(void);
