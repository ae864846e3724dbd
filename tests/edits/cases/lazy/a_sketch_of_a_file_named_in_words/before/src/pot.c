#include <stdio.h>
#include <stdlib.h>

static int top;

int push(int x)
{
    top = top + x;
    return 0;
}

int pop(void)
{
    top = top - 1;
    return top;
}

int size(void)
{
    return top;
}
