// A plugin of gcc that puts a test before each access of a function to memory, and calls the runtime (runtime.c) where the shadow says that
// the probe wants to know of it (access.h).
//
// The pass runs before what moves loads and makes them wider: one that is made before a loop which might not make it, or a vector of which every
// second element is used, is not what the program says. (One pass before it does so, which -fno-hoist-adjacent-loads keeps from it.) So that loops without calls
// are vectorised all the same, each is made twice: a plain one for when nothing is wanted, which is asked before it.
//
// Left out are local variables whose address is not known outside and constants, of which MPI can be given none, and thread-local variables.
#include "gcc-plugin.h"
#include "plugin-version.h"

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
#include "stor-layout.h"
#include "builtins.h"
#include "stringpool.h"
#include "attribs.h"
#include "options.h"

#include "access.h"

int plugin_is_GPL_compatible;

namespace {

// Where it is counted for what accesses are wanted.
const unsigned HOST_WIDE_INT wanted_at = UK_SHADOW_OFFSET - UK_ACCESS_PAGE + offsetof(struct uk_access, wanted);

struct access_of {
    gimple *stmt;          // the test goes before it
    location_t where;
    tree at;               // the address of the first byte, an expression
    unsigned HOST_WIDE_INT bytes;
    unsigned align;        // of the address, in bytes
    tree length;           // instead of bytes, of a call that moves memory
    bool store, after;     // the call that stores its result is looked at behind it
    bool orders;           // it is volatile or atomic
};

// Of a variable, whether MPI can have its address.
bool reachable(tree base)
{
    switch (TREE_CODE(base)) {
    case MEM_REF:
    case TARGET_MEM_REF:
        return true;
    case VAR_DECL:
        if (DECL_HARD_REGISTER(base) || DECL_THREAD_LOCAL_P(base) || (TREE_READONLY(base) && is_global_var(base)))
            return false;
        if (is_global_var(base))
            return true;
        // fall through
    case PARM_DECL:
    case RESULT_DECL:
        return TREE_ADDRESSABLE(base) && (!optimize || pt_solution_includes(&cfun->gimple_df->escaped, base));
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
    if (!bitsize.is_constant(&size) || !bitpos.is_constant(&position) || size <= 0 || !reachable(base)
        || !ADDR_SPACE_GENERIC_P(TYPE_ADDR_SPACE(TREE_TYPE(base))))
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
            note_range(list, stmt, gimple_call_arg(stmt, 0), size_int(bytes), strncmp(name, "__atomic_load", 13) != 0, true);
    }
}

void collect(auto_vec<access_of> &list, basic_block bb)
{
    for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i)) {
        gimple *stmt = gsi_stmt(i);
        if (gimple_clobber_p(stmt))
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

// The runtime's function for an access, of which the shadow has said that it is wanted or not.
tree runtime(const access_of &a, bool asked)
{
    static const char *const names[2][2][2] = {{{"__link_by_unknot_mpicc_loads", "__link_by_unknot_mpicc_load"}, {"__link_by_unknot_mpicc_loads_ordering", "__link_by_unknot_mpicc_load_ordering"}},
                                               {{"__link_by_unknot_mpicc_stores", "__link_by_unknot_mpicc_store"}, {"__link_by_unknot_mpicc_stores_ordering", "__link_by_unknot_mpicc_store_ordering"}}};
    const char *name = names[a.store][a.orders][asked];
    tree type = build_function_type_list(void_type_node, ptr_type_node, size_type_node, NULL_TREE);
    tree f = build_fn_decl(name, type);
    TREE_NOTHROW(f) = 1;
    DECL_IS_NOVOPS(f) = 1; // it changes nothing that the function knows
    DECL_ATTRIBUTES(f) = tree_cons(get_identifier("cold"), NULL_TREE, DECL_ATTRIBUTES(f));
    DECL_VISIBILITY(f) = VISIBILITY_HIDDEN;
    DECL_VISIBILITY_SPECIFIED(f) = 1;
    return f;
}

tree add(gimple_stmt_iterator *i, location_t where, tree type, tree_code code, tree a, tree b)
{
    tree to = make_ssa_name(type);
    gimple *g = b ? gimple_build_assign(to, code, a, b) : gimple_build_assign(to, code, a);
    gimple_set_location(g, where);
    gsi_insert_before(i, g, GSI_SAME_STMT);
    return to;
}

// Types for 0 to 8 bytes of the shadow. The collector of garbage is told of them.
tree shadow_types[9];
const ggc_root_tab roots[] = {{shadow_types, 9, sizeof *shadow_types, gt_ggc_mx_tree_node, gt_pch_nx_tree_node}, LAST_GGC_ROOT_TAB};

// One of them. Stores of the program do not change the shadow.
tree shadow_type(unsigned bytes)
{
    static alias_set_type set = 0;
    tree &known = shadow_types[bytes];
    if (!known) {
        if (set == 0)
            set = new_alias_set();
        tree t = build_distinct_type_copy(build_nonstandard_integer_type(bytes * 8, 1));
        SET_TYPE_ALIGN(t, 8);
        TYPE_USER_ALIGN(t) = 1;
        TYPE_ALIAS_SET(t) = set;
        known = t;
    }
    return known;
}

void instrument(const access_of &a)
{
    gimple_stmt_iterator i = gsi_for_stmt(a.stmt);
    if (a.after) {
        gsi_next(&i);
        if (gsi_end_p(i))
            return;
    }
    const location_t where = a.where;
    tree at = force_gimple_operand_gsi(&i, a.at, true, NULL_TREE, true, GSI_SAME_STMT);
    tree length = a.length ? a.length : size_int(a.bytes);
    unsigned granules = 0; // bytes of the shadow that are looked at
    if (!a.length) {
        const bool inside = a.align >= 8 || (a.bytes <= a.align && (a.bytes & (a.bytes - 1)) == 0);
        if (inside && a.bytes <= 8)
            granules = 1;
        else if (a.bytes <= (a.align >= 8 ? 16 : 9))
            granules = 2;
        else if (a.bytes <= (a.align >= 8 ? 32 : 25))
            granules = 4;
        else if (a.bytes <= (a.align >= 8 ? 64 : 57))
            granules = 8;
    }
    gcall *call = gimple_build_call(runtime(a, granules > 0), 2, at, length);
    gimple_set_location(call, where);
    if (granules == 0) {
        gsi_insert_before(&i, call, GSI_SAME_STMT);
        return;
    }
    unsigned HOST_WIDE_INT bits = 0;
    for (unsigned k = 0; k < granules; k++)
        bits = bits << 8 | (a.store ? UK_SHADOW_STORES : UK_SHADOW_LOADS);
    tree type = shadow_type(granules), word = pointer_sized_int_node;
    tree number = add(&i, where, word, NOP_EXPR, at, NULL_TREE);
    tree eighth = add(&i, where, word, RSHIFT_EXPR, number, build_int_cst(integer_type_node, 3));
    tree shadow = add(&i, where, word, PLUS_EXPR, eighth, build_int_cst(word, UK_SHADOW_OFFSET));
    tree pointer = add(&i, where, build_pointer_type(type), NOP_EXPR, shadow, NULL_TREE);
    tree value = make_ssa_name(type);
    gimple *load = gimple_build_assign(value, build2(MEM_REF, type, pointer, build_int_cst(TREE_TYPE(pointer), 0)));
    gimple_set_location(load, where);
    gsi_insert_before(&i, load, GSI_SAME_STMT);
    tree some = add(&i, where, type, BIT_AND_EXPR, value, build_int_cst(type, bits));
    gcond *test = gimple_build_cond(NE_EXPR, some, build_int_cst(type, 0), NULL_TREE, NULL_TREE);
    gimple_set_location(test, where);
    gsi_insert_before(&i, test, GSI_SAME_STMT);

    // The block ends with the test; the call is in one of its own.
    basic_block before = gimple_bb(test);
    edge past = split_block(before, test);
    basic_block behind = past->dest, aside = create_empty_bb(before);
    if (before->loop_father)
        add_bb_to_loop(aside, before->loop_father);
    past->flags = (past->flags & ~EDGE_FALLTHRU) | EDGE_FALSE_VALUE;
    edge there = make_edge(before, aside, EDGE_TRUE_VALUE);
    there->probability = profile_probability::very_unlikely();
    past->probability = there->probability.invert();
    aside->count = there->count();
    make_single_succ_edge(aside, behind, EDGE_FALLTHRU);
    if (dom_info_available_p(CDI_DOMINATORS)) {
        set_immediate_dominator(CDI_DOMINATORS, aside, before);
        set_immediate_dominator(CDI_DOMINATORS, behind, before);
    }
    gimple_stmt_iterator end = gsi_start_bb(aside);
    gsi_insert_after(&end, call, GSI_NEW_STMT);
}

// Whether a loop makes no call in which accesses may come to be wanted.
bool quiet(const class loop *l)
{
    basic_block *body = get_loop_body(l);
    bool is = true, accesses = false;
    for (unsigned b = 0; is && b < l->num_nodes; b++)
        for (gimple_stmt_iterator i = gsi_start_bb(body[b]); is && !gsi_end_p(i); gsi_next(&i)) {
            gimple *stmt = gsi_stmt(i);
            if (is_gimple_call(stmt) && !gimple_call_internal_p(stmt) && !gimple_call_builtin_p(stmt, BUILT_IN_NORMAL)
                && !(gimple_call_flags(stmt) & (ECF_CONST | ECF_PURE)))
                is = false;
            if (gimple_code(stmt) == GIMPLE_ASM || (stmt_ends_bb_p(stmt) && is_gimple_call(stmt)))
                is = false;
            accesses |= gimple_vuse(stmt) != NULL_TREE;
        }
    free(body);
    return is && accesses;
}

// Whether a block of a loop is run whenever the loop is.
bool always_run(class loop *l, basic_block bb)
{
    auto_vec<edge> exits = get_loop_exit_edges(l);
    bool is = dominated_by_p(CDI_DOMINATORS, l->latch, bb);
    for (unsigned i = 0; is && i < exits.length(); i++)
        is = dominated_by_p(CDI_DOMINATORS, exits[i]->src, bb);
    return is;
}

// Moves tests of what is the same in each turn of a loop without calls to before it, where it is certain that the access is made.
void hoist(auto_vec<access_of> &list)
{
    calculate_dominance_info(CDI_DOMINATORS);
    class loop *last = NULL;
    bool last_quiet = false;
    for (unsigned i = 0; i < list.length(); i++) {
        access_of &a = list[i];
        basic_block bb = gimple_bb(a.stmt);
        class loop *l = bb->loop_father;
        if (!l || !loop_outer(l) || a.length || a.after || !expr_invariant_in_loop_p(l, a.at))
            continue;
        if (l != last) {
            last = l;
            last_quiet = quiet(l);
        }
        if (!last_quiet || !always_run(l, bb))
            continue;
        gimple_stmt_iterator end = gsi_last_bb(loop_preheader_edge(l)->src);
        a.stmt = gimple_build_nop(); // what the test can go before
        if (!gsi_end_p(end) && stmt_ends_bb_p(gsi_stmt(end)))
            gsi_insert_before(&end, a.stmt, GSI_SAME_STMT);
        else
            gsi_insert_after(&end, a.stmt, GSI_NEW_STMT);
    }
}

// Makes each largest loop without calls twice, and notes the blocks of those that stay plain.
void twin(function *f, auto_bitmap &plain)
{
    auto_vec<class loop *> chosen;
    for (unsigned n = 1; n < number_of_loops(f); n++) {
        class loop *l = get_loop(f, n);
        if (l && loop_outer(l) && optimize_loop_for_speed_p(l) && quiet(l) && (!loop_outer(loop_outer(l)) || !quiet(loop_outer(l))) && can_duplicate_loop_p(l))
            chosen.safe_push(l);
    }
    if (chosen.length() == 0)
        return;
    initialize_original_copy_tables();
    for (unsigned k = 0; k < chosen.length(); k++) {
        class loop *l = chosen[k];
        // Whether any access is wanted is asked once.
        tree type = build_qualified_type(unsigned_type_node, TYPE_QUAL_VOLATILE);
        tree value = make_ssa_name(unsigned_type_node);
        gimple *load = gimple_build_assign(value, build2(MEM_REF, type, build_int_cst(build_pointer_type(type), wanted_at), build_int_cst(build_pointer_type(type), 0)));
        gimple_set_has_volatile_ops(load, true);
        gsi_insert_on_edge_immediate(loop_preheader_edge(l), load);
        basic_block condition;
        const profile_probability even = profile_probability::even();
        class loop *copy = loop_version(l, build2(NE_EXPR, boolean_type_node, value, build_int_cst(unsigned_type_node, 0)), &condition, even, even, even, even, true);
        if (!copy)
            continue;
        basic_block *body = get_loop_body(copy);
        for (unsigned b = 0; b < copy->num_nodes; b++)
            bitmap_set_bit(plain, body[b]->index);
        free(body);
    }
    free_original_copy_tables();
    update_ssa(TODO_update_ssa);
}

const pass_data data = {GIMPLE_PASS, "unknot", OPTGROUP_NONE, TV_NONE, PROP_ssa | PROP_cfg, 0, 0, 0, TODO_update_ssa};

bitmap_head done; // functions, as a pass may have several places
bitmap_obstack done_room;

struct testing : gimple_opt_pass {
    testing(gcc::context *c, bool o) : gimple_opt_pass(data, c), optimised(o) {}

    bool gate(function *f) override { return optimised == (optimize > 0 && !optimize_debug) && bitmap_set_bit(&done, DECL_UID(f->decl)); }

    unsigned execute(function *f) override
    {
        auto_bitmap plain;
        auto_vec<access_of> list;
        const bool loops = optimised;
        if (loops) {
            loop_optimizer_init(LOOPS_NORMAL | LOOPS_HAVE_RECORDED_EXITS);
            if (number_of_loops(f) > 1) {
                rewrite_into_loop_closed_ssa(NULL, TODO_update_ssa);
                twin(f, plain);
            }
        }
        basic_block bb;
        FOR_EACH_BB_FN (bb, f)
            if (!bitmap_bit_p(plain, bb->index))
                collect(list, bb);
        if (loops) {
            if (number_of_loops(f) > 1)
                hoist(list);
            loop_optimizer_finalize();
        }
        // A block is split at each; from its end on, so that what has been split off is not moved again.
        for (unsigned i = list.length(); i-- > 0;)
            instrument(list[i]);
        free_dominance_info(CDI_DOMINATORS);
        free_dominance_info(CDI_POST_DOMINATORS);
        return 0;
    }

    opt_pass *clone() override { return new testing(m_ctxt, optimised); }

private:
    bool optimised;
};

} // namespace

int plugin_init(plugin_name_args *args, plugin_gcc_version *version)
{
    if (!plugin_default_version_check(version, &gcc_version))
        return 1;
    bitmap_obstack_initialize(&done_room);
    bitmap_initialize(&done, &done_room);
    register_pass_info early = {new testing(g, true), "ch", 0, PASS_POS_INSERT_AFTER};
    register_pass_info late = {new testing(g, false), "asan0", 0, PASS_POS_INSERT_BEFORE};
    register_callback(args->base_name, PLUGIN_REGISTER_GGC_ROOTS, NULL, const_cast<ggc_root_tab *>(roots));
    register_callback(args->base_name, PLUGIN_PASS_MANAGER_SETUP, NULL, &early);
    register_callback(args->base_name, PLUGIN_PASS_MANAGER_SETUP, NULL, &late);
    return 0;
}
