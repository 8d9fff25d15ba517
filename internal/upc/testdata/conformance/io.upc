#include "conform.h"
#include <upc_io.h>

#define ALL_SYNC (UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC)
static upc_file_t *make(const char *name, int flags)
{
	upc_barrier;
	return upc_all_fopen(name, UPC_CREATE | UPC_TRUNC | UPC_DELETE_ON_CLOSE | flags, 0, NULL);
}

// 5.9 A file is made, has size 0, and is closed.
FACT(io_open_close)
{
	upc_file_t *f = make("conform.io1", UPC_RDWR | UPC_COMMON_FP);
	IS(f != 0);
	IS(upc_all_fget_size(f) == 0);
	IS(upc_all_fclose(f) == 0);
}

// 5.9 Opening a file that does not exist fails on all threads.
FACT(io_open_fails)
{
	upc_file_t *f = upc_all_fopen("conform.does-not-exist", UPC_RDONLY | UPC_INDIVIDUAL_FP, 0, NULL);
	IS(f == 0);
}

// 5.9 Each thread writes its part with its own file pointer.
FACT(io_write_local)
{
	upc_file_t *f = make("conform.io2", UPC_RDWR | UPC_INDIVIDUAL_FP);
	int x[4] = { MYTHREAD, 1, 2, 3 }, y[4] = { 0 };
	IS(upc_all_fseek(f, MYTHREAD * sizeof x, UPC_SEEK_SET) == (upc_off_t)(MYTHREAD * sizeof x));
	IS(upc_all_fwrite_local(f, x, sizeof(int), 4, ALL_SYNC) == sizeof x);
	IS(upc_all_fsync(f) == 0);
	IS(upc_all_fget_size(f) == (upc_off_t)(THREADS * sizeof x));
	int next = (MYTHREAD + 1) % THREADS;
	upc_all_fseek(f, next * sizeof x, UPC_SEEK_SET);
	IS(upc_all_fread_local(f, y, sizeof(int), 4, ALL_SYNC) == sizeof y);
	IS(y[0] == next && y[3] == 3);
	upc_all_fclose(f);
}

// 5.9 A shared array is written and read with the common file pointer.
FACT(io_shared)
{
	static shared [3] int a[6 * THREADS], b[6 * THREADS];
	upc_forall (int i = 0; i < 6 * THREADS; i++; &a[i])
		a[i] = i * i;
	upc_file_t *f = make("conform.io3", UPC_RDWR | UPC_COMMON_FP);
	upc_off_t n = 6 * THREADS * sizeof(int);
	IS(upc_all_fwrite_shared(f, a, 3, sizeof(int), 6 * THREADS, ALL_SYNC) == n);
	IS(upc_all_fseek(f, 0, UPC_SEEK_SET) == 0);
	IS(upc_all_fread_shared(f, b, 3, sizeof(int), 6 * THREADS, ALL_SYNC) == n);
	EACH(i, 6 * THREADS) IS(b[i] == (int)(i * i));
	upc_all_fclose(f);
}

// 5.9 Seeking from the current place and from the end.
FACT(io_seek)
{
	upc_file_t *f = make("conform.io4", UPC_RDWR | UPC_COMMON_FP);
	IS(upc_all_fset_size(f, 100) == 0);
	IS(upc_all_fget_size(f) == 100);
	IS(upc_all_fseek(f, 10, UPC_SEEK_SET) == 10);
	IS(upc_all_fseek(f, 5, UPC_SEEK_CUR) == 15);
	IS(upc_all_fseek(f, -20, UPC_SEEK_END) == 80);
	upc_all_fclose(f);
}

// 5.9 Reading at the end of a file gives what is left.
FACT(io_end_of_file)
{
	upc_file_t *f = make("conform.io5", UPC_RDWR | UPC_INDIVIDUAL_FP);
	char text[10] = "123456789";
	if (MYTHREAD == 0)
		IS(upc_all_fwrite_local(f, text, 1, 6, ALL_SYNC) == 6);
	else
		upc_all_fwrite_local(f, text, 1, 0, ALL_SYNC);
	upc_all_fsync(f);
	upc_all_fseek(f, 2, UPC_SEEK_SET);
	char got[10] = "";
	IS(upc_all_fread_local(f, got, 1, 10, ALL_SYNC) == 4);
	IS(memcmp(got, "3456", 4) == 0);
	upc_all_fclose(f);
}

// 5.9 upc_all_fcntl tells about the file.
FACT(io_fcntl)
{
	upc_file_t *f = make("conform.io6", UPC_RDWR | UPC_COMMON_FP);
	const char *name = 0;
	IS(upc_all_fcntl(f, UPC_GET_FP, NULL) == UPC_COMMON_FP);
	IS(upc_all_fcntl(f, UPC_SET_INDIVIDUAL_FP, NULL) == 0);
	IS(upc_all_fcntl(f, UPC_GET_FP, NULL) == UPC_INDIVIDUAL_FP);
	upc_all_fcntl(f, UPC_GET_FN, &name);
	IS(name && strcmp(name, "conform.io6") == 0);
	IS((upc_all_fcntl(f, UPC_GET_FL, NULL) & UPC_RDWR) != 0);
	IS(upc_all_fcntl(f, UPC_ASYNC_OUTSTANDING, NULL) == 0);
	upc_all_fclose(f);
}

// 5.9 Strong and weak consistency are chosen and told.
FACT(io_consistency)
{
	upc_file_t *f = make("conform.io7", UPC_RDWR | UPC_INDIVIDUAL_FP | UPC_STRONG_CA);
	IS(upc_all_fcntl(f, UPC_GET_CA_SEMANTICS, NULL) == UPC_STRONG_CA);
	IS(upc_all_fcntl(f, UPC_SET_WEAK_CA_SEMANTICS, NULL) == 0);
	IS(upc_all_fcntl(f, UPC_GET_CA_SEMANTICS, NULL) != UPC_STRONG_CA);
	upc_all_fclose(f);
}

// 5.9 Space is made beforehand without changing a larger size.
FACT(io_preallocate)
{
	upc_file_t *f = make("conform.io8", UPC_RDWR | UPC_COMMON_FP);
	IS(upc_all_fpreallocate(f, 1000) == 0);
	upc_all_fclose(f);
}

// 5.9 Lists of local memory and places in the file.
FACT(io_lists_local)
{
	upc_file_t *f = make("conform.io9", UPC_RDWR | UPC_INDIVIDUAL_FP);
	char a[3] = { 'a', 'b', 'c' }, b[5] = { 'd', 'e', 'f', 'g', 'h' }, got[8] = { 0 };
	struct upc_local_memvec memory[2] = { { a, 3 }, { b, 5 } };
	struct upc_filevec places[2] = { { 20 * MYTHREAD, 4 }, { 20 * MYTHREAD + 10, 4 } };
	IS(upc_all_fwrite_list_local(f, 2, memory, 2, places, ALL_SYNC) == 8);
	upc_all_fsync(f);
	struct upc_local_memvec whole = { got, 8 };
	IS(upc_all_fread_list_local(f, 1, &whole, 2, places, ALL_SYNC) == 8);
	IS(memcmp(got, "abcdefgh", 8) == 0);
	upc_all_fclose(f);
}

// 5.9 Lists of shared memory.
FACT(io_lists_shared)
{
	static shared [4] char a[4 * THREADS], b[4 * THREADS];
	EACH(i, 4) a[4 * MYTHREAD + i] = 'a' + MYTHREAD;
	upc_barrier;
	upc_file_t *f = make("conform.io10", UPC_RDWR | UPC_INDIVIDUAL_FP);
	struct upc_shared_memvec from = { &a[4 * MYTHREAD], 4, 4 }, to = { &b[4 * MYTHREAD], 4, 4 };
	struct upc_filevec place = { 4 * MYTHREAD, 4 };
	IS(upc_all_fwrite_list_shared(f, 1, &from, 1, &place, ALL_SYNC) == 4);
	upc_all_fsync(f);
	IS(upc_all_fread_list_shared(f, 1, &to, 1, &place, ALL_SYNC) == 4);
	EACH(i, 4) IS(b[4 * MYTHREAD + i] == 'a' + MYTHREAD);
	upc_all_fclose(f);
}

// 5.9 Asynchronous writing and reading are completed by waiting.
FACT(io_async)
{
	upc_file_t *f = make("conform.io11", UPC_RDWR | UPC_INDIVIDUAL_FP);
	int x = 500 + MYTHREAD, y = 0;
	upc_all_fseek(f, MYTHREAD * sizeof x, UPC_SEEK_SET);
	upc_all_fwrite_local_async(f, &x, sizeof x, 1, ALL_SYNC);
	IS(upc_all_fwait_async(f) == sizeof x);
	upc_all_fsync(f);
	upc_all_fseek(f, MYTHREAD * sizeof x, UPC_SEEK_SET);
	upc_all_fread_local_async(f, &y, sizeof y, 1, ALL_SYNC);
	int over = 0;
	while (!over)
		upc_all_ftest_async(f, &over);
	IS(y == 500 + MYTHREAD);
	upc_all_fclose(f);
}

// 5.9 Asynchronous writing of a shared array.
FACT(io_async_shared)
{
	static shared int a[2 * THREADS], b[2 * THREADS];
	EACH(i, 2) a[MYTHREAD + i * THREADS] = MYTHREAD + (int)i;
	upc_file_t *f = make("conform.io12", UPC_RDWR | UPC_COMMON_FP);
	upc_off_t n = 2 * THREADS * sizeof(int);
	upc_all_fwrite_shared_async(f, a, 1, sizeof(int), 2 * THREADS, ALL_SYNC);
	IS(upc_all_fwait_async(f) == n);
	upc_all_fseek(f, 0, UPC_SEEK_SET);
	upc_all_fread_shared_async(f, b, 1, sizeof(int), 2 * THREADS, ALL_SYNC);
	IS(upc_all_fwait_async(f) == n);
	EACH(i, 2) IS(b[MYTHREAD + i * THREADS] == MYTHREAD + (int)i);
	upc_all_fclose(f);
}

// 5.9 A file that exists is opened again, UPC_EXCL refuses it.
FACT(io_exclusive)
{
	upc_file_t *f = upc_all_fopen("conform.io13", UPC_CREATE | UPC_WRONLY | UPC_INDIVIDUAL_FP, 0, NULL);
	IS(f != 0);
	upc_all_fclose(f);
	IS(upc_all_fopen("conform.io13", UPC_CREATE | UPC_EXCL | UPC_WRONLY | UPC_INDIVIDUAL_FP, 0, NULL) == 0);
	f = upc_all_fopen("conform.io13", UPC_RDONLY | UPC_DELETE_ON_CLOSE | UPC_INDIVIDUAL_FP, 0, NULL);
	IS(f != 0 && upc_all_fget_size(f) == 0);
	upc_all_fclose(f);
}

// 5.9 Hints are taken.
FACT(io_hints)
{
	struct upc_hint hints[2] = { { "access_style", "write_once" }, { "cb_buffer_size", "65536" } };
	upc_file_t *f = upc_all_fopen("conform.io14", UPC_CREATE | UPC_RDWR | UPC_DELETE_ON_CLOSE | UPC_INDIVIDUAL_FP, 2, hints);
	IS(f != 0);
	upc_all_fclose(f);
}
