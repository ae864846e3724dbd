#ifndef TILL_H
#define TILL_H

int count(void);
int open_till(void);

TILL_END

#endif
