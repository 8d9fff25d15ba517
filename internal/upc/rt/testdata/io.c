/* UPC-IO, in a file that the first argument names. */
#include "check.h"
#include "upc_io.h"
#include "upc_types.h"
#include <errno.h>
#include <string.h>
#include <unistd.h>

upcr_ptr upc_all_alloc(size_t, size_t), upc_alloc(size_t);
void upc_all_free(upcr_ptr), upc_free(upcr_ptr);
struct upc_shared_memvec { upcr_ptr baseaddr; size_t blocksize, len; };
upcr_ptr upc_all_fopen(const char *, int, size_t, const struct upc_hint *);
int upc_all_fclose(upcr_ptr), upc_all_fsync(upcr_ptr), upc_all_fset_size(upcr_ptr, upc_off_t), upc_all_fpreallocate(upcr_ptr, upc_off_t);
int upc_all_fcntl(upcr_ptr, int, void *);
upc_off_t upc_all_fseek(upcr_ptr, upc_off_t, int), upc_all_fget_size(upcr_ptr);
upc_off_t upc_all_fread_local(upcr_ptr, void *, size_t, size_t, int), upc_all_fwrite_local(upcr_ptr, void *, size_t, size_t, int);
upc_off_t upc_all_fread_shared(upcr_ptr, upcr_ptr, size_t, size_t, size_t, int);
upc_off_t upc_all_fwrite_shared(upcr_ptr, upcr_ptr, size_t, size_t, size_t, int);
upc_off_t upc_all_fread_list_local(upcr_ptr, size_t, const struct upc_local_memvec *, size_t, const struct upc_filevec *, int);
upc_off_t upc_all_fwrite_list_local(upcr_ptr, size_t, const struct upc_local_memvec *, size_t, const struct upc_filevec *, int);
upc_off_t upc_all_fread_list_shared(upcr_ptr, size_t, const struct upc_shared_memvec *, size_t, const struct upc_filevec *, int);
upc_off_t upc_all_fwrite_list_shared(upcr_ptr, size_t, const struct upc_shared_memvec *, size_t, const struct upc_filevec *, int);
void upc_all_fread_local_async(upcr_ptr, void *, size_t, size_t, int), upc_all_fwrite_local_async(upcr_ptr, void *, size_t, size_t, int);
void upc_all_fread_shared_async(upcr_ptr, upcr_ptr, size_t, size_t, size_t, int);
void upc_all_fwrite_shared_async(upcr_ptr, upcr_ptr, size_t, size_t, size_t, int);
void upc_all_fread_list_local_async(upcr_ptr, size_t, const struct upc_local_memvec *, size_t, const struct upc_filevec *, int);
void upc_all_fwrite_list_local_async(upcr_ptr, size_t, const struct upc_local_memvec *, size_t, const struct upc_filevec *, int);
void upc_all_fread_list_shared_async(upcr_ptr, size_t, const struct upc_shared_memvec *, size_t, const struct upc_filevec *, int);
void upc_all_fwrite_list_shared_async(upcr_ptr, size_t, const struct upc_shared_memvec *, size_t, const struct upc_filevec *, int);
upc_off_t upc_all_fwait_async(upcr_ptr), upc_all_ftest_async(upcr_ptr, int *);

static const char *name;
enum { RW = UPC_RDWR | UPC_CREATE | UPC_TRUNC, PART = 40 };

/* Each thread writes its part at its own place; all read all. */
static void local_parts(int strong)
{
	upcr_ptr f = upc_all_fopen(name, RW | UPC_INDIVIDUAL_FP | strong, 0, NULL);
	CHECK(f);
	int out[10], in[10];
	for (int i = 0; i < 10; i++)
		out[i] = upcr_thread * 100 + i;
	CHECK(upc_all_fseek(f, upcr_thread * PART, UPC_SEEK_SET) == upcr_thread * PART);
	CHECK(upc_all_fwrite_local(f, out, sizeof(int), 10, 0) == PART);
	CHECK(upc_all_fseek(f, 0, UPC_SEEK_CUR) == (upcr_thread + 1) * PART);
	CHECK(upc_all_fsync(f) == 0 && upc_all_fget_size(f) == upcr_threads * PART);
	upc_all_fseek(f, 0, UPC_SEEK_SET);
	for (int t = 0; t < upcr_threads; t++) {
		CHECK(upc_all_fread_local(f, in, sizeof(int), 10, UPC_IN_NOSYNC | UPC_OUT_NOSYNC) == PART);
		CHECK(in[0] == t * 100 && in[9] == t * 100 + 9);
	}
	/* The end of the file: nothing, then a part. */
	CHECK(upc_all_fread_local(f, in, sizeof(int), 10, 0) == 0);
	CHECK(upc_all_fseek(f, -12, UPC_SEEK_END) == upcr_threads * PART - 12);
	CHECK(upc_all_fread_local(f, in, sizeof(int), upcr_thread % 2 ? 10 : 2, 0) == (upcr_thread % 2 ? 12 : 8));
	CHECK(in[0] == (upcr_threads - 1) * 100 + 7);
	CHECK(upc_all_fseek(f, -1, UPC_SEEK_SET) == -1 && errno == EINVAL);
	CHECK(upc_all_fclose(f) == 0);
}

/* A shared array goes to the file in the order of its elements, by the common pointer. */
static void shared_common(size_t block)
{
	const int n = 7 * upcr_threads + 3;
	upcr_ptr a = upc_all_alloc((size_t)upcr_threads, 4096), b = upc_all_alloc((size_t)upcr_threads, 4096);
	for (int i = 0; i < n; i++)
		if (upcr_is_mine(upcr_index(a, i, (long)block, 4)))
			UPCR_WRITE(int, upcr_index(a, i, (long)block, 4), 1000 + i);
	upcr_ptr f = upc_all_fopen(name, RW | UPC_COMMON_FP, 0, NULL);
	CHECK(upc_all_fwrite_shared(f, a, block, 4, (size_t)n, 0) == n * 4);
	CHECK(upc_all_fseek(f, 0, UPC_SEEK_CUR) == n * 4);
	CHECK(upc_all_fsync(f) == 0);
	CHECK(upc_all_fseek(f, 8, UPC_SEEK_SET) == 8);
	CHECK(upc_all_fread_shared(f, b, block, 4, (size_t)n, 0) == n * 4 - 8);
	for (int i = 0; i < n - 2; i++)
		CHECK(UPCR_READ(int, upcr_index(b, i, (long)block, 4)) == 1002 + i);
	int one;
	CHECK(upc_all_fread_local(f, &one, 4, 1, 0) == -1 && errno == EINVAL);
	CHECK(upc_all_fcntl(f, UPC_SET_INDIVIDUAL_FP, NULL) == 0 && upc_all_fcntl(f, UPC_GET_FP, NULL) == UPC_INDIVIDUAL_FP);
	upc_all_fseek(f, 4 * upcr_thread, UPC_SEEK_SET);
	CHECK(upc_all_fread_local(f, &one, 4, 1, 0) == 4 && one == 1000 + upcr_thread);
	CHECK(upc_all_fclose(f) == 0);
	upc_all_free(a);
	upc_all_free(b);
}

/* With individual pointers, each thread fills a shared array of its own from its own place. */
static void shared_individual(void)
{
	upcr_ptr f = upc_all_fopen(name, UPC_RDWR | UPC_INDIVIDUAL_FP, 0, NULL);
	upcr_ptr mine = upc_alloc(400), spread = upc_all_alloc((size_t)upcr_threads, 4096);
	upc_all_fseek(f, 4 * upcr_thread, UPC_SEEK_SET);
	CHECK(upc_all_fread_shared(f, mine, 0, 4, 3, 0) == 12);
	CHECK(UPCR_READ(int, mine) == 1000 + upcr_thread && UPCR_READ(int, mine + 8) == 1002 + upcr_thread);
	/* Thread 0 alone reads into an array that is on all threads. */
	upc_all_fseek(f, 0, UPC_SEEK_SET);
	size_t n = upcr_thread == 0 ? (size_t)upcr_threads * 3 : 0;
	CHECK(upc_all_fread_shared(f, spread, 2, 4, n, 0) == (upc_off_t)n * 4);
	for (int i = 0; i < 3 * upcr_threads; i++)
		CHECK(UPCR_READ(int, upcr_index(spread, i, 2, 4)) == 1000 + i);
	upc_all_fseek(f, 4000 + 12 * upcr_thread, UPC_SEEK_SET);
	CHECK(upc_all_fwrite_shared(f, mine, 0, 4, 3, 0) == 12);
	CHECK(upc_all_fsync(f) == 0 && upc_all_fget_size(f) == 4000 + 12 * upcr_threads);
	int last;
	upc_all_fseek(f, -4, UPC_SEEK_END);
	CHECK(upc_all_fread_local(f, &last, 4, 1, 0) == 4 && last == 1002 + upcr_threads - 1);
	CHECK(upc_all_fclose(f) == 0);
	upc_free(mine);
	upc_all_free(spread);
}

static void lists(int async)
{
	upcr_ptr f = upc_all_fopen(name, RW | UPC_INDIVIDUAL_FP, 0, NULL);
	char text[30], back[30] = "";
	for (int i = 0; i < 30; i++)
		text[i] = (char)('a' + (i + upcr_thread) % 26);
	/* 5 + 10 bytes of memory to 3 + 12 bytes of the file, the threads' pieces interleaved. */
	const struct upc_local_memvec out[] = {{text, 5}, {text + 20, 10}}, in[] = {{back, 7}, {back + 10, 8}};
	const struct upc_filevec place[] = {{upcr_thread * 3, 3}, {1000 + upcr_thread * 12, 12}};
	upc_off_t got;
	if (async) {
		upc_all_fwrite_list_local_async(f, 2, out, 2, place, 0);
		got = upc_all_fwait_async(f);
	} else {
		got = upc_all_fwrite_list_local(f, 2, out, 2, place, 0);
	}
	CHECK(got == 15);
	upc_all_fsync(f);
	if (async) {
		int done = 0;
		upc_all_fread_list_local_async(f, 2, in, 2, place, 0);
		CHECK(upc_all_fcntl(f, UPC_ASYNC_OUTSTANDING, NULL) == 1);
		while (!done)
			got = upc_all_ftest_async(f, &done);
		CHECK(upc_all_fcntl(f, UPC_ASYNC_OUTSTANDING, NULL) == 0);
	} else {
		got = upc_all_fread_list_local(f, 2, in, 2, place, 0);
	}
	CHECK(got == 15 && !memcmp(back, text, 5) && !memcmp(back + 5, text + 20, 2) && !memcmp(back + 10, text + 22, 8));
	upcr_ptr a = upc_all_alloc((size_t)upcr_threads, 64), mine = upc_alloc(64);
	const struct upc_shared_memvec to[] = {{mine, 0, 4}, {mine + 16, 0, 11}};
	if (async) {
		upc_all_fread_list_shared_async(f, 2, to, 2, place, 0);
		got = upc_all_fwait_async(f);
	} else {
		got = upc_all_fread_list_shared(f, 2, to, 2, place, 0);
	}
	char *m = upcr_own(mine);
	CHECK(got == 15 && !memcmp(m, text, 4) && m[16] == text[4] && !memcmp(m + 17, text + 20, 10));
	const struct upc_filevec later[] = {{2000 + upcr_thread * 15, 15}};
	if (async) {
		upc_all_fwrite_list_shared_async(f, 2, to, 1, later, 0);
		got = upc_all_fwait_async(f);
	} else {
		got = upc_all_fwrite_list_shared(f, 2, to, 1, later, 0);
	}
	CHECK(got == 15 && upc_all_fsync(f) == 0);
	upc_all_fseek(f, 2000 + upcr_thread * 15, UPC_SEEK_SET);
	CHECK(upc_all_fread_local(f, back, 1, 15, 0) == 15 && !memcmp(back, text, 5) && !memcmp(back + 5, text + 20, 10));
	CHECK(upc_all_fread_list_local(f, 0, NULL, 0, NULL, 0) == 0);
	CHECK(upc_all_fclose(f) == 0);
	upc_all_free(a);
	upc_free(mine);
}

static void asynchronous(void)
{
	upcr_ptr f = upc_all_fopen(name, RW | UPC_COMMON_FP, 0, NULL), a = upc_all_alloc((size_t)upcr_threads, 64);
	for (int i = 0; i < 8; i++)
		((char *)upcr_own(a))[i] = (char)('A' + upcr_thread);
	const upc_off_t all = 8 * upcr_threads;
	upc_all_fwrite_shared_async(f, a, 8, 1, (size_t)all, 0);
	CHECK(upc_all_fwait_async(f) == all && upc_all_fsync(f) == 0);
	memset(upcr_own(a), 0, 64);
	upc_all_fseek(f, 8, UPC_SEEK_SET);
	upc_all_fread_shared_async(f, a, 8, 1, (size_t)all, 0);
	CHECK(upc_all_fwait_async(f) == all - 8);
	CHECK(((char *)upcr_own(a))[7] == (upcr_thread == upcr_threads - 1 ? 0 : 'B' + upcr_thread));
	CHECK(upc_all_fseek(f, 0, UPC_SEEK_CUR) == all);
	upc_all_fcntl(f, UPC_SET_INDIVIDUAL_FP, NULL);
	char c[8], d[8];
	memset(c, 'a' + upcr_thread, 8);
	upc_all_fseek(f, 8 * upcr_thread, UPC_SEEK_SET);
	upc_all_fwrite_local_async(f, c, 1, 8, 0);
	CHECK(upc_all_fwait_async(f) == 8 && upc_all_fsync(f) == 0);
	upc_all_fseek(f, all - 8, UPC_SEEK_SET);
	upc_all_fread_local_async(f, d, 1, 8, 0);
	CHECK(upc_all_fwait_async(f) == 8 && d[3] == 'a' + upcr_threads - 1);
	CHECK(upc_all_fclose(f) == 0);
	upc_all_free(a);
}

static void opening(void)
{
	char missing[512];
	snprintf(missing, sizeof missing, "%s.missing", name);
	CHECK(!upc_all_fopen(missing, UPC_RDONLY | UPC_INDIVIDUAL_FP, 0, NULL) && errno == ENOENT);
	CHECK(!upc_all_fopen(name, RW | UPC_EXCL | UPC_INDIVIDUAL_FP, 0, NULL) && errno == EEXIST);
	CHECK(!upc_all_fopen(name, UPC_RDONLY, 0, NULL) && errno == EINVAL);
	char folder[512];
	snprintf(folder, sizeof folder, "%s", name);
	*strrchr(folder, '/') = 0;
	CHECK(!chdir(folder));
	upcr_ptr one = upc_all_fopen("f", RW | UPC_INDIVIDUAL_FP | UPC_DELETE_ON_CLOSE, 0, NULL); /* one letter */
	CHECK(one && !upc_all_fclose(one));
	CHECK(!upc_all_fopen(name, UPC_RDONLY | UPC_RDWR | UPC_COMMON_FP, 0, NULL) && errno == EINVAL);
	const struct upc_hint hints[] = {{"access_style", "sequential"}, {"file_perm", "0600"}}, more = {"cb_nodes", "1"};
	upcr_ptr f = upc_all_fopen(missing, UPC_WRONLY | UPC_CREATE | UPC_EXCL | UPC_COMMON_FP | UPC_DELETE_ON_CLOSE, 2, hints);
	const char *got;
	const struct upc_hint *list;
	CHECK(f && upc_all_fcntl(f, UPC_GET_FN, &got) == 0 && !strcmp(got, missing));
	CHECK(upc_all_fcntl(f, UPC_GET_HINTS, &list) == 2 && !strcmp(list[1].value, "0600"));
	CHECK(upc_all_fcntl(f, UPC_SET_HINT, (void *)&more) == 0 && upc_all_fcntl(f, UPC_GET_HINTS, &list) == 3 && !strcmp(list[2].key, "cb_nodes"));
	CHECK(upc_all_fcntl(f, UPC_GET_FL, NULL) == (UPC_WRONLY | UPC_CREATE | UPC_EXCL | UPC_COMMON_FP | UPC_DELETE_ON_CLOSE));
	CHECK(upc_all_fcntl(f, UPC_GET_CA_SEMANTICS, NULL) == 0);
	CHECK(upc_all_fcntl(f, UPC_SET_STRONG_CA_SEMANTICS, NULL) == 0 && upc_all_fcntl(f, UPC_GET_CA_SEMANTICS, NULL) == UPC_STRONG_CA);
	CHECK(upc_all_fcntl(f, UPC_SET_WEAK_CA_SEMANTICS, NULL) == 0 && upc_all_fcntl(f, 99, NULL) == -1 && errno == EINVAL);
	CHECK(upc_all_fset_size(f, 100) == 0 && upc_all_fget_size(f) == 100 && upc_all_fset_size(f, -1) == -1 && errno == EINVAL);
	CHECK(upc_all_fpreallocate(f, 300) == 0 && upc_all_fget_size(f) == 300);
	upcr_ptr a = upc_all_alloc((size_t)upcr_threads, 64);
	CHECK(upc_all_fread_shared(f, a, 1, 1, 4, 0) == -1 && errno == EBADF);
	upc_all_free(a);
	CHECK(upc_all_fclose(f) == 0);
	upcr_barrier(0, 0);
	CHECK(access(missing, F_OK) == -1);
	f = upc_all_fopen(name, UPC_WRONLY | UPC_CREATE | UPC_TRUNC | UPC_INDIVIDUAL_FP, 0, NULL);
	CHECK(upc_all_fget_size(f) == 0 && upc_all_fset_size(f, 50) == 0 && upc_all_fclose(f) == 0);
	f = upc_all_fopen(name, UPC_RDONLY | UPC_APPEND | UPC_INDIVIDUAL_FP, 0, NULL);
	CHECK(upc_all_fseek(f, 0, UPC_SEEK_CUR) == 50 && upc_all_fset_size(f, 10) == -1 && errno == EBADF && upc_all_fclose(f) == 0);
}

int upcr_main(int argc, char **argv, char **envp)
{
	(void)argc;
	(void)envp;
	name = argv[1];
	local_parts(0);
	local_parts(UPC_STRONG_CA);
	shared_common(4);
	shared_common(0);
	shared_common(1);
	shared_individual();
	lists(0);
	lists(1);
	asynchronous();
	opening();
	upcr_barrier(0, 0);
	if (upcr_thread == 0)
		printf("fine %d\n", upcr_threads);
	return 0;
}
