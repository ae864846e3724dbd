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
    if (top == 0) return -1;
    top = top - 1;
    return top;
}

int size(void)
{
    return top;
}
