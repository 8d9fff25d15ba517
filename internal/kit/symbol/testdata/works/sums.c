#include <stdio.h>
#include <string.h>
int n = 1000, verbose;
double a[1000], b[1000], c[20][20], largest;
char text[100];
int main(int argc, char **argv)
{
    double sum = 0;
    int i, j;
    for (i = 0; i < n; i++)
        sum += a[i] * b[i];
    for (i = 0; i < n; i++)
        if (a[i] > largest)
            largest = a[i];
    for (i = 0; i < argc; i++)
        for (j = 0; j < 20; j++)
            c[i][j] = c[j][i] + sum;
    for (i = 0; i < n && a[i] != sum; i++)
        ;
    for (i = 0; i < n; i++) {
        if (verbose)
            printf("%g\n", a[i]);
        b[i] = i;
    }
    while (text[j] && text[j] != ' ')
        j++;
    for (i = n - 1; i >= 0; i--)
        b[i] /= 2;
    memcpy(a, b, sizeof a);
    return i + j + (int)strlen(argv[0]);
}
