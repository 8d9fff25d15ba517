#include <setjmp.h>
#include <stdio.h>
struct frame { jmp_buf env; struct frame *up; int code; };
static struct frame *top;
#define TRY for (struct frame f_ = { .up = top, .code = -1 }; f_.code == -1; top = f_.up) if (top = &f_, (f_.code = setjmp(f_.env)) == 0)
static void raise_(int code) { longjmp(top->env, code); }
static void risky(int n) { if (n > 2) raise_(n); printf("fine %d ", n); }
int main(void) { TRY { risky(1); risky(5); printf("never "); } else printf("caught %d ", f_.code); TRY risky(2); else printf("never"); printf("end\n"); return 0; }
