// The test of an access: what is put before it.
#ifndef UK_TESTS_H
#define UK_TESTS_H

#include "accesses.h"

namespace
{

// A function of the runtime.
tree runtime(const char *name, tree type)
{
    tree f = build_fn_decl(name, type);
    TREE_NOTHROW(f) = 1;
    DECL_IS_NOVOPS(f) = 1; // it changes nothing that the function knows
    DECL_VISIBILITY(f) = VISIBILITY_HIDDEN;
    DECL_VISIBILITY_SPECIFIED(f) = 1;
    return f;
}

// The runtime's function for an access, of which the shadow has said that it is wanted or not.
tree runtime(const access_of &a, bool asked)
{
    static const char *const names[2][2][2] = {
        {{"__link_by_unknot_mpicc_loads", "__link_by_unknot_mpicc_load"},
         {"__link_by_unknot_mpicc_loads_ordering", "__link_by_unknot_mpicc_load_ordering"}},
        {{"__link_by_unknot_mpicc_stores", "__link_by_unknot_mpicc_store"},
         {"__link_by_unknot_mpicc_stores_ordering", "__link_by_unknot_mpicc_store_ordering"}}};
    const char *name = names[a.store][a.orders][asked];
    tree f = runtime(name, build_function_type_list(void_type_node, ptr_type_node, size_type_node, NULL_TREE));
    DECL_ATTRIBUTES(f) = tree_cons(get_identifier("cold"), NULL_TREE, DECL_ATTRIBUTES(f));
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

// Types for 0 to 8 bytes of the shadow. They are registered with the garbage collector.
tree shadow_types[9];
const ggc_root_tab roots[] = {{shadow_types, 9, sizeof *shadow_types, gt_ggc_mx_tree_node, gt_pch_nx_tree_node},
                              LAST_GGC_ROOT_TAB};

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

// Ends a block with a test, and makes one that is gone through only if it is true.
basic_block branch(gcond *test, profile_probability likely)
{
    basic_block before = gimple_bb(test);
    edge past = split_block(before, test);
    basic_block behind = past->dest, aside = create_empty_bb(before);
    if (before->loop_father)
        add_bb_to_loop(aside, before->loop_father);
    past->flags = (past->flags & ~EDGE_FALLTHRU) | EDGE_FALSE_VALUE;
    edge there = make_edge(before, aside, EDGE_TRUE_VALUE);
    there->probability = likely;
    past->probability = likely.invert();
    aside->count = there->count();
    make_single_succ_edge(aside, behind, EDGE_FALLTHRU);
    if (dom_info_available_p(CDI_DOMINATORS)) {
        set_immediate_dominator(CDI_DOMINATORS, aside, before);
        set_immediate_dominator(CDI_DOMINATORS, behind, before);
    }
    return aside;
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

    gimple_stmt_iterator end = gsi_start_bb(branch(test, profile_probability::very_unlikely()));
    gsi_insert_after(&end, call, GSI_NEW_STMT);
}

} // namespace

#endif
