#include "conform.h"
#include <upc_tick.h>
#include <upc_castable.h>

// 5.5 Ticks do not go back on a thread.
FACT(ticks_advance)
{
	upc_tick_t last = upc_ticks_now();
	for (int i = 0; i < 1000; i++) {
		upc_tick_t now = upc_ticks_now();
		IS(now >= last);
		last = now;
	}
}

// 5.5 Ticks are converted to nanoseconds.
FACT(ticks_to_ns)
{
	upc_tick_t from = upc_ticks_now();
	while (upc_ticks_to_ns(upc_ticks_now() - from) < 1000000)
		;
	IS(upc_ticks_to_ns(upc_ticks_now() - from) >= 1000000);
	IS(upc_ticks_to_ns(0) == 0);
}

// 5.5 upc_tick_t is unsigned and lies between its limits.
FACT(tick_limits)
{
	upc_tick_t t = upc_ticks_now();
	IS(UPC_TICK_MIN <= t && t <= UPC_TICK_MAX);
	IS((upc_tick_t)-1 > 0);
}

// 5.6 upc_cast of an own object is what a cast gives.
FACT(cast_own)
{
	static shared int a[THREADS];
	int *p = upc_cast(&a[MYTHREAD]);
	IS(p == (int *)&a[MYTHREAD]);
	*p = 4;
	IS(a[MYTHREAD] == 4);
}

// 5.6 upc_cast of another thread's object is null or the object.
FACT(cast_other)
{
	static shared int a[THREADS];
	int next = (MYTHREAD + 1) % THREADS;
	a[MYTHREAD] = 100 + MYTHREAD;
	upc_barrier;
	int *p = upc_cast(&a[next]);
	IS(p == NULL || *p == 100 + next);
	upc_barrier;
	if (p)
		*p = 200 + next;
	else
		a[next] = 200 + next;
	upc_barrier;
	IS(a[MYTHREAD] == 200 + MYTHREAD);
}

// 5.6 upc_cast of null is null.
FACT(cast_null)
{
	IS(upc_cast(0) == NULL);
}

// 5.6 upc_thread_info of this thread says that all is castable.
FACT(thread_info_own)
{
	upc_thread_info_t info = upc_thread_info(MYTHREAD);
	IS((info.guaranteedCastable & UPC_CASTABLE_ALL) == UPC_CASTABLE_ALL);
	IS((info.probablyCastable & UPC_CASTABLE_ALL) == UPC_CASTABLE_ALL);
}

// 5.6 What is guaranteed to be castable is cast.
FACT(thread_info_keeps_its_word)
{
	static shared int a[THREADS];
	EACH(t, THREADS) {
		upc_thread_info_t info = upc_thread_info(t);
		if (info.guaranteedCastable & UPC_CASTABLE_STATIC)
			IS(upc_cast(&a[t]) != NULL);
		IS((info.guaranteedCastable & ~info.probablyCastable) == 0);
	}
}

// 5.6 The values of castability are bits, and ALL has all of them.
FACT(castable_values)
{
	IS(UPC_CASTABLE_ALL == (UPC_CASTABLE_ALL_ALLOC | UPC_CASTABLE_GLOBAL_ALLOC | UPC_CASTABLE_ALLOC | UPC_CASTABLE_STATIC));
}
