/*
 * What is special about a program: the sources in it that were compiled without checks, and the checks that it does
 * without (inner.h). upc-check links another definition of these where there is something to say.
 */
extern const char *const upck_unchecked_objects;
extern const int upck_without;
const char *const upck_unchecked_objects = 0;
const int upck_without = 0;
