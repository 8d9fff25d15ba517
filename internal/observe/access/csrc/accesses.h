// What the statements of a function access in memory, and where.
//
// Left out are local variables whose address is not known outside, thread-local ones of a file whose address is never
// taken, and constants: MPI can be given none of them.
#ifndef UK_ACCESSES_H
#define UK_ACCESSES_H

#include "gcc-plugin.h"

#include "backend.h"
#include "tree.h"
#include "gimple.h"
#include "tree-pass.h"
#include "ssa.h"
#include "context.h"
#include "gimple-iterator.h"
#include "gimplify.h"
#include "gimplify-me.h"
#include "cfgloop.h"
#include "cfgloopmanip.h"
#include "tree-cfg.h"
#include "tree-dfa.h"
#include "tree-ssa-loop.h"
#include "tree-ssa-loop-manip.h"
#include "tree-ssa-loop-ivopts.h"
#include "tree-into-ssa.h"
#include "fold-const.h"
#include "langhooks.h"
#include "stor-layout.h"
#include "builtins.h"
#include "stringpool.h"
#include "attribs.h"
#include "options.h"

#include "access.h"

namespace
{

struct access_of {
    gimple *stmt; // the test goes before it
    location_t where;
    tree at; // the address of the first byte, an expression
    unsigned HOST_WIDE_INT bytes;
    unsigned align;    // of the address, in bytes
    tree length;       // instead of bytes, of a call that moves memory
    bool store, after; // the call that stores its result is looked at behind it
    bool orders;       // it is volatile or atomic
};

// Of a variable, whether MPI can have its address.
bool reachable(tree base)
{
    switch (TREE_CODE(base)) {
    case MEM_REF:
    case TARGET_MEM_REF:
        return true;
    case VAR_DECL:
        if (DECL_HARD_REGISTER(base) || (TREE_READONLY(base) && is_global_var(base)))
            return false;
        if (DECL_THREAD_LOCAL_P(base) && !TREE_PUBLIC(base) && !TREE_ADDRESSABLE(base))
            return false;
        if (is_global_var(base))
            return true;
        // fall through
    case PARM_DECL:
    case RESULT_DECL:
        if (!TREE_ADDRESSABLE(base))
            return false;
        // In Fortran the compiler takes what is passed to be known to nobody once the call has returned, which is not
        // so for pending operations.
        return !optimize || pt_solution_includes(&cfun->gimple_df->escaped, base) ||
               (lang_GNU_Fortran() && !DECL_ARTIFICIAL(base));
    default:
        return false;
    }
}

void note(auto_vec<access_of> &list, gimple *stmt, tree ref, bool store, bool after)
{
    poly_int64 bitsize, bitpos;
    tree offset;
    machine_mode mode;
    int is_unsigned, reverse, is_volatile = 0; // the last one is set only if it is
    HOST_WIDE_INT size, position;
    tree base = get_inner_reference(ref, &bitsize, &bitpos, &offset, &mode, &is_unsigned, &reverse, &is_volatile);
    if (!bitsize.is_constant(&size) || !bitpos.is_constant(&position) || size <= 0 || !reachable(base) ||
        !ADDR_SPACE_GENERIC_P(TYPE_ADDR_SPACE(TREE_TYPE(base))))
        return;
    if (TREE_CODE(base) == MEM_REF && TREE_CODE(TREE_OPERAND(base, 0)) == INTEGER_CST)
        return; // no memory that MPI could be given, and the number that twin() loads
    if (TREE_CODE(base) == MEM_REF && TREE_CODE(TREE_OPERAND(base, 0)) == ADDR_EXPR) {
        tree variable = get_base_address(TREE_OPERAND(TREE_OPERAND(base, 0), 0));
        if (!variable || !reachable(variable))
            return;
    }
    const HOST_WIDE_INT first = position >= 0 ? position / 8 : -((-position + 7) / 8);
    access_of a = {};
    a.stmt = stmt;
    a.where = gimple_location(stmt);
    a.bytes = (position + size + 7 - first * 8) / 8;
    a.align = get_object_alignment(ref) / 8;
    a.store = store;
    a.after = after;
    a.orders = is_volatile || TREE_THIS_VOLATILE(ref);
    a.at = build_fold_addr_expr(unshare_expr(base));
    if (offset)
        a.at = fold_build_pointer_plus(a.at, unshare_expr(offset));
    if (first != 0)
        a.at = fold_build_pointer_plus_hwi(a.at, first);
    if (position % 8 != 0 || size % 8 != 0)
        a.align = 1;
    list.safe_push(a);
}

void note_range(auto_vec<access_of> &list, gimple *stmt, tree at, tree length, bool store, bool orders = false)
{
    access_of a = {};
    a.stmt = stmt;
    a.where = gimple_location(stmt);
    a.at = unshare_expr(at);
    a.length = unshare_expr(length);
    a.store = store;
    a.orders = orders;
    if (!integer_zerop(length))
        list.safe_push(a);
}

// The compiler may make loads and stores of these calls, so the runtime may not see them.
void note_moved(auto_vec<access_of> &list, gimple *stmt)
{
    if (!gimple_call_builtin_p(stmt, BUILT_IN_NORMAL))
        return;
    switch (DECL_FUNCTION_CODE(gimple_call_fndecl(stmt))) {
    case BUILT_IN_MEMCPY:
    case BUILT_IN_MEMMOVE:
    case BUILT_IN_MEMPCPY:
        note_range(list, stmt, gimple_call_arg(stmt, 1), gimple_call_arg(stmt, 2), false);
        note_range(list, stmt, gimple_call_arg(stmt, 0), gimple_call_arg(stmt, 2), true);
        break;
    case BUILT_IN_MEMSET:
        note_range(list, stmt, gimple_call_arg(stmt, 0), gimple_call_arg(stmt, 2), true);
        break;
    case BUILT_IN_MEMCMP:
    case BUILT_IN_MEMCMP_EQ:
        note_range(list, stmt, gimple_call_arg(stmt, 0), gimple_call_arg(stmt, 2), false);
        note_range(list, stmt, gimple_call_arg(stmt, 1), gimple_call_arg(stmt, 2), false);
        break;
    default:
        // Atomic ones have the address first, and their size as the end of their name.
        const char *name = IDENTIFIER_POINTER(DECL_NAME(gimple_call_fndecl(stmt)));
        bool atomic = strncmp(name, "__atomic_", 9) == 0 || strncmp(name, "__sync_", 7) == 0;
        const char *end = strrchr(name, '_');
        int bytes = atomic && end ? atoi(end + 1) : 0;
        if (bytes > 0 && gimple_call_num_args(stmt) > 0)
            note_range(list, stmt, gimple_call_arg(stmt, 0), size_int(bytes), strncmp(name, "__atomic_load", 13) != 0,
                       true);
    }
}

// Marks statements whose accesses are all among what the runtime is asked about before a loop (ranges.h). Copies have
// it, too. The other flag of a pass is changed by update_ssa.
const plf_mask in_ranges = GF_PLF_2;

// The accesses of a block, or those that are in no range.
void collect(auto_vec<access_of> &list, basic_block bb, bool others_only = false)
{
    for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i)) {
        gimple *stmt = gsi_stmt(i);
        if (gimple_clobber_p(stmt) || (others_only && gimple_plf(stmt, in_ranges)))
            continue;
        if (is_gimple_call(stmt)) {
            for (unsigned k = 0; k < gimple_call_num_args(stmt); k++) {
                tree arg = gimple_call_arg(stmt, k);
                if (!is_gimple_reg(arg) && !is_gimple_min_invariant(arg) && !gimple_call_internal_p(stmt))
                    note(list, stmt, arg, false, false);
            }
            note_moved(list, stmt);
            if (gimple_store_p(stmt) && !stmt_ends_bb_p(stmt))
                note(list, stmt, gimple_call_lhs(stmt), true, true);
        } else if (gimple_assign_single_p(stmt)) {
            if (gimple_assign_load_p(stmt))
                note(list, stmt, gimple_assign_rhs1(stmt), false, false);
            if (gimple_store_p(stmt))
                note(list, stmt, gimple_assign_lhs(stmt), true, false);
        }
    }
}

} // namespace

#endif
