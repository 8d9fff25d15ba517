/* A shared library with variables. */
static long hidden;
long counter;

long *variable(int which) { return which ? &counter : &hidden; }
