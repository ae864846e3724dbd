/* Counts the values.
 *  #include <count.h>
 *  ...
 *  values<int> in(5);
 *  count(in);
 */
void count();

/* Uses them.
 *  #include <sum.h>
 *  ...
 *  values<int> in(4);
 *  use(in);
 */
void use();

/* Last.
 *  sum(in);
 */
void last();
