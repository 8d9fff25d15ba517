// A plugin of gcc that puts a test before each access of a function to memory, and calls the runtime (runtime.c) where the shadow says that
// the probe wants to know of it (access.h).
//
// The pass runs before what moves loads and makes them wider: one that is made before a loop which might not make it, or a vector of which every
// second element is used, is not what the program says. (One pass before it does so, which -fno-hoist-adjacent-loads keeps from it.) So that loops without calls
// are vectorised all the same, each is made twice: a plain one for when nothing is wanted, which is asked before it.
#include "ranges.h"
#include "plugin-version.h"

int plugin_is_GPL_compatible;

namespace
{

const pass_data data = {GIMPLE_PASS, "unknot", OPTGROUP_NONE, TV_NONE, PROP_ssa | PROP_cfg, 0, 0, 0, TODO_update_ssa};

bitmap_head done; // functions, as a pass may have several places
bitmap_obstack done_room;

struct testing : gimple_opt_pass {
    testing(gcc::context *c, bool o) : gimple_opt_pass(data, c), optimised(o)
    {
    }

    bool gate(function *f) override
    {
        return optimised == (optimize > 0 && !optimize_debug) && bitmap_set_bit(&done, DECL_UID(f->decl));
    }

    unsigned execute(function *f) override
    {
        auto_bitmap plain, asked;
        auto_vec<access_of> list;
        const bool loops = optimised;
        if (loops) {
            loop_optimizer_init(LOOPS_NORMAL | LOOPS_HAVE_RECORDED_EXITS);
            if (number_of_loops(f) > 1) {
                rewrite_into_loop_closed_ssa(NULL, TODO_update_ssa);
                twin(f, plain);
                cover(f, plain, asked);
            }
        }
        basic_block bb;
        FOR_EACH_BB_FN (bb, f)
            if (!bitmap_bit_p(plain, bb->index))
                collect(list, bb, bitmap_bit_p(asked, bb->index));
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

    opt_pass *clone() override
    {
        return new testing(m_ctxt, optimised);
    }

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
