int printf(const char *, ...);
int main(void) { return printf("no newline after the last brace\n") < 0; }