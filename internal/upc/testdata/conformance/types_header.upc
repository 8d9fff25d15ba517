#include "conform.h"
#include <upc_atomic.h>
#include <upc_io.h>

// 5.3 The operators are distinct bits.
FACT(op_values)
{
	int all[] = { UPC_ADD, UPC_MULT, UPC_AND, UPC_OR, UPC_XOR, UPC_LOGAND, UPC_LOGOR, UPC_MIN, UPC_MAX };
	upc_op_t sum = 0;
	EACH(i, 9) {
		IS(all[i] > 0 && all[i] < 65536 && (sum & all[i]) == 0);
		sum |= all[i];
	}
}

// 5.3 The types are distinct and positive.
FACT(type_values)
{
	int all[] = { UPC_CHAR, UPC_UCHAR, UPC_SHORT, UPC_USHORT, UPC_INT, UPC_UINT, UPC_LONG, UPC_ULONG, UPC_LLONG, UPC_ULLONG, UPC_INT8,
		UPC_UINT8, UPC_INT16, UPC_UINT16, UPC_INT32, UPC_UINT32, UPC_INT64, UPC_UINT64, UPC_FLOAT, UPC_DOUBLE, UPC_LDOUBLE, UPC_PTS };
	EACH(i, 22) {
		IS(all[i] > 0 && all[i] < 65536);
		EACH(j, i) IS(all[i] != all[j]);
	}
}

// 5.3 The flags are distinct bits below 64.
FACT(flag_values)
{
	int all[] = { UPC_IN_ALLSYNC, UPC_IN_MYSYNC, UPC_IN_NOSYNC, UPC_OUT_ALLSYNC, UPC_OUT_MYSYNC, UPC_OUT_NOSYNC };
	int sum = 0;
	EACH(i, 6) {
		IS(all[i] > 0 && (sum & all[i]) == 0);
		sum |= all[i];
	}
	IS(sum < 64);
}

// 5.3 The types of the header are integers.
FACT(types_are_integers)
{
	IS((upc_op_t)1.5 == 1 && (upc_type_t)1.5 == 1 && (upc_flag_t)1.5 == 1);
}

// 5.3 Values of the header are known to #if.
FACT(values_in_if)
{
#if UPC_ADD > 0 && UPC_INT > 0 && UPC_IN_ALLSYNC > 0
	IS(1);
#else
	IS(!"in #if");
#endif
}

// 5.3 The collective library adds two operators.
FACT(collective_ops)
{
	upc_op_t basic = UPC_ADD | UPC_MULT | UPC_AND | UPC_OR | UPC_XOR | UPC_LOGAND | UPC_LOGOR | UPC_MIN | UPC_MAX;
	IS(UPC_FUNC > 0 && UPC_NONCOMM_FUNC > 0 && UPC_FUNC != UPC_NONCOMM_FUNC);
	IS((basic & UPC_FUNC) == 0 && (basic & UPC_NONCOMM_FUNC) == 0);
}

// 5.3 The atomic library adds operators.
FACT(atomic_ops)
{
	upc_op_t sum = UPC_ADD | UPC_MULT | UPC_AND | UPC_OR | UPC_XOR | UPC_LOGAND | UPC_LOGOR | UPC_MIN | UPC_MAX;
	int all[] = { UPC_GET, UPC_SET, UPC_CSWAP, UPC_SUB, UPC_INC, UPC_DEC };
	EACH(i, 6) {
		IS(all[i] > 0 && (sum & all[i]) == 0);
		sum |= all[i];
	}
}
