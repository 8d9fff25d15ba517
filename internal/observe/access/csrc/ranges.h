// What the accesses of a loop reach in all its turns. Most go through memory in equal steps, so that the runtime can be
// asked once, before the loop, whether any of it is wanted. Each innermost loop with tests is made twice for that: in
// the second copy such accesses have none.
//
// A range may be larger than what the loop accesses, as an access need not be made in each turn: the copy with tests
// says what is.
#ifndef UK_RANGES_H
#define UK_RANGES_H

#include "loops.h"

#include "tree-affine.h"
#include "tree-eh.h"
#include "tree-scalar-evolution.h"
#include "tree-ssa-loop-niter.h"

namespace
{

const int fewest_turns = 16;       // with fewer the question costs as much as the tests
const unsigned most_ranges = 64;   // with more, to compare each with the others takes the compiler long
const HOST_WIDE_INT near_by = 128; // bytes: what is looked at at a time. Ranges that are no farther apart become one
const HOST_WIDE_INT long_step = 256;

// What one or more accesses reach: from `at` plus low to `at` plus high in the first turn, and `step` further in each
// one after it.
struct range_of {
    tree at, step;
    HOST_WIDE_INT low, high;
    unsigned bits;
};

// A loop about which the runtime is asked.
struct covered_loop {
    class loop *l;
    tree wanted; // what it has said
};

// How far two addresses are apart, if that is known.
bool distance(tree from, tree to, HOST_WIDE_INT *bytes)
{
    aff_tree a, b;
    hash_map<tree, name_expansion *> *known = NULL;
    tree_to_aff_combination_expand(to, sizetype, &a, &known);
    tree_to_aff_combination_expand(from, sizetype, &b, &known);
    free_affine_expand_cache(&known);
    aff_combination_scale(&b, -1);
    aff_combination_add(&a, &b);
    poly_int64 constant;
    return a.n == 0 && !a.rest && a.offset.to_shwi(&constant) && constant.is_constant(bytes) &&
           IN_RANGE(*bytes, -(1 << 30), 1 << 30);
}

void add_range(auto_vec<range_of> &ranges, const range_of &r)
{
    for (unsigned i = 0; i < ranges.length(); i++) {
        range_of &known = ranges[i];
        HOST_WIDE_INT d;
        if (!operand_equal_p(known.step, r.step, 0) || !distance(known.at, r.at, &d) ||
            d + r.low > known.high + near_by || d + r.high < known.low - near_by)
            continue;
        known.low = MIN(known.low, d + r.low);
        known.high = MAX(known.high, d + r.high);
        known.bits |= r.bits;
        return;
    }
    ranges.safe_push(r);
}

// Whether an access goes through memory in equal steps, and then its range.
bool in_steps(class loop *l, const access_of &a, range_of *r)
{
    if (a.length || a.after)
        return false;
    gimple_stmt_iterator i = gsi_for_stmt(a.stmt);
    affine_iv iv;
    tree at = force_gimple_operand_gsi(&i, unshare_expr(a.at), true, NULL_TREE, true, GSI_SAME_STMT);
    if (!simple_iv(l, l, at, &iv, true) || contains_abnormal_ssa_name_p(iv.base) ||
        contains_abnormal_ssa_name_p(iv.step))
        return false;
    // What is never accessed may be anywhere; with steps that long, much of the shadow would be made for it.
    const bool short_steps = TREE_CODE(iv.step) == INTEGER_CST && wi::leu_p(wi::abs(wi::to_wide(iv.step)), long_step);
    if (!short_steps && !always_run(l, gimple_bb(a.stmt)))
        return false;
    *r = {iv.base, fold_convert(sizetype, iv.step), 0, (HOST_WIDE_INT)a.bytes,
          (unsigned)(a.store ? UK_SHADOW_STORES : UK_SHADOW_LOADS)};
    return true;
}

// Takes the accesses of a statement into the ranges if all of them go through memory in equal steps.
void survey_statement(class loop *l, const access_of *a, unsigned n, auto_vec<range_of> &ranges)
{
    auto_vec<range_of> found;
    bool before_loop = true;
    for (unsigned i = 0; i < n; i++)
        before_loop = before_loop && hoistable(l, a[i]);
    if (before_loop)
        return;
    for (unsigned i = 0; i < n; i++) {
        range_of r;
        if (!in_steps(l, a[i], &r))
            return;
        found.safe_push(r);
    }
    for (unsigned i = 0; i < n; i++)
        add_range(ranges, found[i]);
    gimple_set_plf(a->stmt, in_ranges, true);
}

// The ranges of a loop. There are none if accesses order ranks, which the probe wants to know of in any case, or if
// there would be very many.
void survey(class loop *l, auto_vec<range_of> &ranges)
{
    auto_vec<access_of> list;
    basic_block *body = get_loop_body(l);
    for (unsigned b = 0; b < l->num_nodes; b++)
        collect(list, body[b]);
    free(body);
    for (unsigned i = 0; i < list.length(); i++)
        if (list[i].orders)
            return;
    for (unsigned i = 0, end; i < list.length() && ranges.length() <= most_ranges; i = end) {
        for (end = i + 1; end < list.length() && list[end].stmt == list[i].stmt; end++)
            ;
        survey_statement(l, &list[i], end - i, ranges);
    }
    if (ranges.length() > most_ranges)
        ranges.truncate(0);
}

// Whether what a statement of a loop computes or loads is the same in each turn, and may be before the loop.
bool movable(class loop *l, gimple *stmt)
{
    if (!is_gimple_assign(stmt) || TREE_CODE(gimple_assign_lhs(stmt)) != SSA_NAME ||
        SSA_NAME_OCCURS_IN_ABNORMAL_PHI(gimple_assign_lhs(stmt)) || gimple_has_volatile_ops(stmt) ||
        stmt_could_throw_p(cfun, stmt) || (!gimple_vuse(stmt) && gimple_could_trap_p(stmt)))
        return false;
    ssa_op_iter i;
    tree used;
    FOR_EACH_SSA_TREE_OPERAND(used, stmt, i, SSA_OP_USE)
    if (!expr_invariant_in_loop_p(l, used))
        return false;
    return true;
}

bool changed_in(const auto_vec<gimple *> &stores, tree ref)
{
    for (unsigned i = 0; i < stores.length(); i++)
        if (stmt_may_clobber_ref_p(stores[i], ref))
            return true;
    return false;
}

void move_before(class loop *l, gimple *stmt)
{
    edge entry = loop_preheader_edge(l);
    if (gimple_vuse(stmt))
        if (gphi *memory = get_virtual_phi(l->header)) {
            SET_USE(gimple_vuse_op(stmt), PHI_ARG_DEF_FROM_EDGE(memory, entry));
            update_stmt(stmt);
        }
    gimple_stmt_iterator from = gsi_for_stmt(stmt), to = gsi_last_bb(entry->src);
    gsi_remove(&from, false);
    if (!gsi_end_p(to) && stmt_ends_bb_p(gsi_stmt(to)))
        gsi_insert_before(&to, stmt, GSI_NEW_STMT);
    else
        gsi_insert_after(&to, stmt, GSI_NEW_STMT);
}

// Loads pointers and bounds before the loop that the program loads in each turn, such as those of an object, with what
// leads to them: only then it is known how far the loop reaches. The compiler would do it later.
void load_before(class loop *l)
{
    auto_vec<gimple *> stores, candidates;
    basic_block *body = get_loop_body_in_dom_order(l);
    for (unsigned b = 0; b < l->num_nodes; b++) {
        const bool always = always_run(l, body[b]);
        for (gimple_stmt_iterator i = gsi_start_bb(body[b]); !gsi_end_p(i); gsi_next(&i)) {
            if (gimple_vdef(gsi_stmt(i)))
                stores.safe_push(gsi_stmt(i));
            if (always)
                candidates.safe_push(gsi_stmt(i));
        }
    }
    free(body);
    for (unsigned i = 0; i < candidates.length(); i++)
        if (movable(l, candidates[i]) &&
            (!gimple_vuse(candidates[i]) || !changed_in(stores, gimple_assign_rhs1(candidates[i]))))
            move_before(l, candidates[i]);
}

// Whether gcc calls a number expensive. Since its version 14 it says besides that arms of a condition may overflow,
// where that has to be rewritten.
bool expensive(bool (*ask)(tree), tree number)
{
    return ask(number);
}
bool expensive(bool (*ask)(tree, bool *), tree number)
{
    bool overflows = false;
    return ask(number, &overflows) || overflows;
}

bool cheap(tree number)
{
    switch (TREE_CODE(number)) {
    case TRUNC_DIV_EXPR:
    case FLOOR_DIV_EXPR:
    case EXACT_DIV_EXPR:
        return TREE_CODE(TREE_OPERAND(number, 1)) == INTEGER_CST &&
               !expensive(expression_expensive_p, TREE_OPERAND(number, 0));
    default:
        return !expensive(expression_expensive_p, number);
    }
}

tree both(tree a, tree b)
{
    return fold_build2(TRUTH_AND_EXPR, boolean_type_node, a, b);
}

// How often a loop is run again after its first turn, and when that is so, and often enough.
bool countable(class loop *l, tree *again, tree *condition)
{
    class tree_niter_desc n;
    edge exit = single_exit(l);
    const HOST_WIDE_INT most = likely_max_loop_iterations_int(l);
    if (!exit || (most >= 0 && most < fewest_turns - 1) || !number_of_iterations_exit_assumptions(l, exit, &n, NULL))
        return false;
    if (TYPE_PRECISION(TREE_TYPE(n.niter)) > TYPE_PRECISION(sizetype) || !cheap(n.niter) ||
        contains_abnormal_ssa_name_p(n.niter))
        return false;
    *again = fold_convert(sizetype, n.niter);
    *condition = fold_build2(GE_EXPR, boolean_type_node, *again, size_int(fewest_turns - 1));
    *condition = both(*condition, fold_build1(TRUTH_NOT_EXPR, boolean_type_node, n.may_be_zero));
    *condition = both(*condition, n.assumptions);
    return !integer_zerop(*condition);
}

tree ask_for_range(gimple_stmt_iterator *i, const range_of &r, tree again)
{
    tree number = pointer_sized_int_node;
    tree f =
        runtime("__link_by_unknot_mpicc_wanted", build_function_type_list(integer_type_node, number, number, number,
                                                                          number, integer_type_node, NULL_TREE));
    tree at = fold_convert(number, fold_build_pointer_plus_hwi(unshare_expr(r.at), r.low)),
         step = fold_convert(number, unshare_expr(r.step));
    at = force_gimple_operand_gsi(i, at, true, NULL_TREE, false, GSI_CONTINUE_LINKING);
    step = force_gimple_operand_gsi(i, step, true, NULL_TREE, false, GSI_CONTINUE_LINKING);
    gcall *call = gimple_build_call(f, 5, at, step, again, build_int_cst(number, r.high - r.low),
                                    build_int_cst(integer_type_node, r.bits));
    tree answer = make_ssa_name(integer_type_node);
    gimple_call_set_lhs(call, answer);
    gsi_insert_after(i, call, GSI_NEW_STMT);
    return answer;
}

// Asks before a loop whether any of its ranges is wanted. The answer is that they are where it is not worth asking.
tree ask(class loop *l, const auto_vec<range_of> &ranges, tree again, tree condition)
{
    basic_block before = split_edge(loop_preheader_edge(l));
    gimple_stmt_iterator i = gsi_last_bb(before);
    condition = force_gimple_operand_gsi(&i, unshare_expr(condition), true, NULL_TREE, false, GSI_CONTINUE_LINKING);
    gcond *test = gimple_build_cond(NE_EXPR, condition, build_zero_cst(TREE_TYPE(condition)), NULL_TREE, NULL_TREE);
    gsi_insert_after(&i, test, GSI_NEW_STMT);
    basic_block asking = branch(test, profile_probability::likely());
    i = gsi_last_bb(asking);
    again = force_gimple_operand_gsi(&i, fold_convert(pointer_sized_int_node, unshare_expr(again)), true, NULL_TREE,
                                     false, GSI_CONTINUE_LINKING);
    tree answer = NULL_TREE;
    for (unsigned k = 0; k < ranges.length(); k++) {
        tree one = ask_for_range(&i, ranges[k], again);
        if (answer) {
            tree some = make_ssa_name(integer_type_node);
            gsi_insert_after(&i, gimple_build_assign(some, BIT_IOR_EXPR, answer, one), GSI_NEW_STMT);
            one = some;
        }
        answer = one;
    }
    basic_block behind = single_succ(asking);
    gphi *phi = create_phi_node(make_ssa_name(integer_type_node), behind);
    add_phi_arg(phi, answer, single_succ_edge(asking), UNKNOWN_LOCATION);
    add_phi_arg(phi, integer_one_node, find_edge(before, behind), UNKNOWN_LOCATION);
    return gimple_phi_result(phi);
}

// Asks before each innermost loop with tests of which it is known how far it reaches.
void ask_before_loops(function *f, auto_bitmap &plain, auto_vec<covered_loop> &covered)
{
    scev_initialize();
    for (unsigned n = 1; n < number_of_loops(f); n++) {
        class loop *l = get_loop(f, n);
        if (!l || !loop_outer(l) || l->inner || bitmap_bit_p(plain, l->header->index) ||
            !optimize_loop_for_speed_p(l) || !single_exit(l) || !quiet(l) || !can_duplicate_loop_p(l))
            continue;
        load_before(l);
        scev_reset();
        tree again, condition;
        auto_vec<range_of> ranges;
        if (countable(l, &again, &condition))
            survey(l, ranges);
        if (ranges.length() > 0) {
            const covered_loop c = {l, ask(l, ranges, again, condition)};
            covered.safe_push(c);
        }
    }
    scev_finalize();
}

// Makes the copies, and notes the blocks of those in which what is in ranges has no tests.
void cover(function *f, auto_bitmap &plain, auto_bitmap &asked)
{
    basic_block bb;
    FOR_EACH_BB_FN (bb, f)
        for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i))
            gimple_set_plf(gsi_stmt(i), in_ranges, false);
    auto_vec<covered_loop> covered;
    ask_before_loops(f, plain, covered);
    if (covered.length() == 0)
        return;
    initialize_original_copy_tables();
    for (unsigned k = 0; k < covered.length(); k++)
        version(covered[k].l, covered[k].wanted, profile_probability::unlikely(), asked);
    free_original_copy_tables();
    update_ssa(TODO_update_ssa);
}

} // namespace

#endif
