#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int total;
static void *work(void *p) { for (int i = 0; i < 1000; i++) { pthread_mutex_lock(&m); total += *(int *)p; pthread_mutex_unlock(&m); } return p; }
int main(void) {
	pthread_t t[3];
	int v[3] = { 1, 2, 3 };
	for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, work, &v[i]);
	int s = 0;
	for (int i = 0; i < 3; i++) { void *r; pthread_join(t[i], &r); s += *(int *)r; }
	printf("%d %d\n", total, s);
	return 0;
}
