#include <stdio.h>
#define SWAP(a, b) ({ typeof(a) t = a; a = b; b = t; (void)0; })
static int h[32], n;
static void push(int v) { int i = n++; h[i] = v; while (i && h[(i - 1) / 2] > h[i]) { SWAP(h[i], h[(i - 1) / 2]); i = (i - 1) / 2; } }
static int pop(void) { int top = h[0], i = 0; h[0] = h[--n]; for (int c; (c = 2 * i + 1) < n; i = c) { if (c + 1 < n && h[c + 1] < h[c]) c++; if (h[i] <= h[c]) break; SWAP(h[i], h[c]); } return top; }
int main(void) { for (int i = 0; i < 20; i++) push(i * 7919 % 101); while (n) printf("%d ", pop()); printf("\n"); return 0; }
