#include <math.h>
#include <stdio.h>
int done;
double error = 1;
void step(void);
int MPI_Test(int *, int *, int *);
int MPI_Iprobe(int *);
void step(void)
{
    error /= 2;
    done = error < 0.1;
}
void (*volatile stepping)(void) = step;
int main(void)
{
    int flag = 0, status, request = 1, c;
    double x = 1;
    while (!done)
        stepping();
    while (!flag)
        MPI_Test(&request, &flag, &status);
    do
        MPI_Iprobe(&flag);
    while (!flag);
    while ((c = getchar()) != EOF && c != '\n')
        ;
    while (fabs(x * x - 2) > 1e-9)
        x = (x + 2 / x) / 2;
    while (error > 1e-3)
        error *= x / 2;
    return x > 1;
}
int MPI_Test(int *r, int *f, int *s)
{
    *f = *r;
    return *s = 0;
}
int MPI_Iprobe(int *f)
{
    return *f = 1;
}
