// Loops without calls: each is made twice, so that the compiler can vectorise one that has no tests, and what is the
// same in each turn is tested before the loop.
#ifndef UK_LOOPS_H
#define UK_LOOPS_H

#include "tests.h"

namespace
{

// Where it is counted for what accesses are wanted.
const unsigned HOST_WIDE_INT wanted_at = UK_SHADOW_OFFSET - UK_ACCESS_PAGE + offsetof(struct uk_access, wanted);

// Whether a loop makes no call in which accesses may come to be wanted.
bool quiet(const class loop *l)
{
    basic_block *body = get_loop_body(l);
    bool is = true, accesses = false;
    for (unsigned b = 0; is && b < l->num_nodes; b++)
        for (gimple_stmt_iterator i = gsi_start_bb(body[b]); is && !gsi_end_p(i); gsi_next(&i)) {
            gimple *stmt = gsi_stmt(i);
            if (is_gimple_call(stmt) && !gimple_call_internal_p(stmt) &&
                !gimple_call_builtin_p(stmt, BUILT_IN_NORMAL) && !(gimple_call_flags(stmt) & (ECF_CONST | ECF_PURE)))
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

// Whether the test of an access can be made once, before the loop: it is certain, and the same in each turn.
bool hoistable(class loop *l, const access_of &a)
{
    return !a.length && !a.after && expr_invariant_in_loop_p(l, a.at) && always_run(l, gimple_bb(a.stmt));
}

// Moves tests of what is the same in each turn of a loop without calls to before it, where it is certain that the
// access is made.
void hoist(auto_vec<access_of> &list)
{
    calculate_dominance_info(CDI_DOMINATORS);
    class loop *last = NULL;
    bool last_quiet = false;
    for (unsigned i = 0; i < list.length(); i++) {
        access_of &a = list[i];
        class loop *l = gimple_bb(a.stmt)->loop_father;
        if (!l || !loop_outer(l))
            continue;
        if (l != last) {
            last = l;
            last_quiet = quiet(l);
        }
        if (!last_quiet || !hoistable(l, a))
            continue;
        gimple_stmt_iterator end = gsi_last_bb(loop_preheader_edge(l)->src);
        a.stmt = gimple_build_nop(); // what the test can go before
        if (!gsi_end_p(end) && stmt_ends_bb_p(gsi_stmt(end)))
            gsi_insert_before(&end, a.stmt, GSI_SAME_STMT);
        else
            gsi_insert_after(&end, a.stmt, GSI_NEW_STMT);
    }
}

// Makes a loop twice: it is run if a number is not 0, else its copy, whose blocks are noted.
void version(class loop *l, tree number, profile_probability likely, auto_bitmap &copied)
{
    basic_block condition;
    const profile_probability rest = likely.invert();
    class loop *copy = loop_version(l, build2(NE_EXPR, boolean_type_node, number, build_zero_cst(TREE_TYPE(number))),
                                    &condition, likely, rest, likely, rest, true);
    if (!copy)
        return;
    basic_block *body = get_loop_body(copy);
    for (unsigned b = 0; b < copy->num_nodes; b++)
        bitmap_set_bit(copied, body[b]->index);
    free(body);
}

// Makes each largest loop without calls twice, and notes the blocks of those that stay plain.
void twin(function *f, auto_bitmap &plain)
{
    auto_vec<class loop *> chosen;
    for (unsigned n = 1; n < number_of_loops(f); n++) {
        class loop *l = get_loop(f, n);
        if (l && loop_outer(l) && optimize_loop_for_speed_p(l) && quiet(l) &&
            (!loop_outer(loop_outer(l)) || !quiet(loop_outer(l))) && can_duplicate_loop_p(l))
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
        gimple *load =
            gimple_build_assign(value, build2(MEM_REF, type, build_int_cst(build_pointer_type(type), wanted_at),
                                              build_int_cst(build_pointer_type(type), 0)));
        gimple_set_has_volatile_ops(load, true);
        gsi_insert_on_edge_immediate(loop_preheader_edge(l), load);
        version(l, value, profile_probability::even(), plain);
    }
    free_original_copy_tables();
    update_ssa(TODO_update_ssa);
}

} // namespace

#endif
