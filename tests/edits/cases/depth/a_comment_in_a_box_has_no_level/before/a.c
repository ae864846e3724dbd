/**
 * verify:
 * @file: name.
 * @key: name.
 *
 * Says whether.
 */
int
verify(const char* file) {
    int one = 1;
    int two = 2;
}
