/* Stands in for the file of that name that says what the program was compiled without. */
const char *const upck_unchecked_objects = 0;
const int upck_without = 0;
