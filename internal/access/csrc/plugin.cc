// A plugin of gcc. While the pass runs that puts a test before each access (asan), it makes that pass test two kinds more: accesses to static
// variables by their names, and to local ones whose address is taken. A kernel needs no test there, but MPI may be given any of them.
//
// The pass leaves local variables alone unless those that are out of scope are looked for, and static ones unless globals are, and then those
// that code initialises. Before and after the pass these settings would do more (room between variables, marks at scopes), so they hold while
// it runs only.
#include "gcc-plugin.h"
#include "plugin-version.h"

#include "tree.h"
#include "tree-pass.h"
#include "context.h"
#include "options.h"
#include "basic-block.h"
#include "gimple.h"
#include "cgraph.h"
#include "function.h"

int plugin_is_GPL_compatible;

namespace {

// Sets, or takes back, what the pass looks at.
void look(bool much)
{
    param_asan_globals = param_asan_stack = flag_sanitize_address_use_after_scope = much;
}

const pass_data before_data = {GIMPLE_PASS, "unknot_before", OPTGROUP_NONE, TV_NONE, PROP_cfg, 0, 0, 0, 0};
const pass_data after_data = {GIMPLE_PASS, "unknot_after", OPTGROUP_NONE, TV_NONE, PROP_cfg, 0, 0, 0, 0};

struct setting : gimple_opt_pass {
    setting(gcc::context *c, bool m) : gimple_opt_pass(m ? before_data : after_data, c), much(m) {}

    unsigned execute(function *) override
    {
        look(much);
        return 0;
    }

    opt_pass *clone() override { return new setting(m_ctxt, much); }

private:
    bool much;
};

void look_at_variables(void *, void *)
{
    varpool_node *node;
    FOR_EACH_VARIABLE (node)
        if (!TREE_READONLY(node->decl))
            node->dynamically_initialized = 1;
}

void put(const char *plugin, opt_pass *pass, const char *reference, pass_positioning_ops where)
{
    register_pass_info info = {pass, reference, 0, where};
    register_callback(plugin, PLUGIN_PASS_MANAGER_SETUP, NULL, &info);
}

} // namespace

int plugin_init(plugin_name_args *args, plugin_gcc_version *version)
{
    if (!plugin_default_version_check(version, &gcc_version))
        return 1;
    static const char *const references[] = {"asan", "asan0"}; // with optimisation, and without
    for (const char *reference : references) {
        put(args->base_name, new setting(g, true), reference, PASS_POS_INSERT_BEFORE);
        put(args->base_name, new setting(g, false), reference, PASS_POS_INSERT_AFTER);
    }
    register_callback(args->base_name, PLUGIN_ALL_IPA_PASSES_START, look_at_variables, NULL);
    register_callback(args->base_name, PLUGIN_ALL_IPA_PASSES_END, look_at_variables, NULL);
    return 0;
}
