// Old title of this file.
int f() { return 1; }
