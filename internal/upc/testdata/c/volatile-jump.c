#include <setjmp.h>
#include <stdio.h>
struct frame { jmp_buf env; struct frame *up; volatile int code; };
static struct frame *top;
#define TRY for (struct frame f_ = { .up = top }, *on_ = top = &f_; on_; on_ = 0, top = f_.up) if (setjmp(f_.env) == 0)
static void raise_(int code) { top->code = code; longjmp(top->env, 1); }
static void risky(int n) { if (n > 2) raise_(n); printf("fine %d ", n); }
int main(void) { TRY { risky(1); risky(5); printf("never "); } else printf("caught %d ", f_.code); TRY risky(2); else printf("never"); printf("end\n"); return 0; }
