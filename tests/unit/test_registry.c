/* The registry: names, builds, axes and look-ups of variants.
 * SPDX-License-Identifier: MIT */
#include "cell.h"
#include "opencl_variant.h"
#include "registry.h"
#include "sycl_variant.h"
#include "test.h"

#include "base/suggest.h"
#include "machine/libraries.h"

static const struct entry *must_find(const char *name)
{
    const struct entry *entry = registry_find(name);
    assert_non_null(entry);
    assert_string_equal(entry->name, name);
    return entry;
}

TEST(every_entry_is_complete)
{
    size_t count;
    const struct entry *entry = registry(&count);
    assert_true(count > 30);
    for (size_t i = 0; i < count; i++) {
        const struct variant *meta = entry[i].meta;
        const struct opencl_kernel *opencl = meta->kernel;
        const struct sycl_groups *sycl = meta->kernel;
        assert_ptr_equal(registry_find(entry[i].name), &entry[i]);
        assert_ptr_equal(registry_problem(entry[i].problem->name), entry[i].problem);
        assert_null(strchr(entry[i].name, '_'));
        assert_true(strlen(meta->summary) > 0 && strlen(meta->source) > 0);
        assert_true(meta->summary[strlen(meta->summary) - 1] != '.');
        assert_true(meta->precisions && !(meta->precisions & ~entry[i].problem->precisions));
        assert_true(meta->typical_gflops > 0);
        assert_false(meta->axes & entry[i].problem->axes);
        assert_non_null(entry[i].source_hash);
        assert_non_null(entry[i].compile_line);
        if (entry[i].backend == BACKEND_GPUS)
            assert_non_null(entry[i].problem->team);
        if (entry[i].backend == BACKEND_CUDA || entry[i].backend == BACKEND_SYCL || entry[i].backend == BACKEND_GPUS)
            assert_true(!meta->prepare && !meta->run && !meta->release);
        else if (entry[i].backend == BACKEND_OPENCL)
            assert_true(opencl && opencl->name && opencl->geometry);
        else if (registry_backends[entry[i].backend].made == MADE_TEAM)
            assert_true(!meta->prepare && !meta->run && !meta->release && entry[i].problem->team);
        else
            assert_non_null(meta->run);
        if (entry[i].backend == BACKEND_SYCL)
            assert_true(sycl && sycl->geometry);
        /* The machine decides on threads, and the variant on the sizes of packed blocks. Every other axis needs a
         * default. */
        const unsigned left_open = HONOURS(threads) | HONOURS(mc) | HONOURS(nc) | HONOURS(kc);
        for (int axis = 0; axis < AXES; axis++)
            if (meta->axes & BIT(axis) & ~left_open)
                assert_true(cell_value(&meta->defaults, axis) >= cell_axes[axis].lowest);
    }
}

TEST(names_follow_from_files)
{
    const struct entry *entry = must_find("matmul/omp-tiled-local");
    assert_string_equal(entry->file, "kernels/matmul/omp_tiled_local.c");
    assert_string_equal(entry->idea, "omp-tiled-local");
    assert_string_equal(entry->symbol, "matmul_omp_tiled_local");
    assert_int_equal(entry->backend, BACKEND_CPU);
    entry = must_find("matmul/cuda-shared-x4");
    assert_string_equal(entry->file, "kernels/matmul/cuda_shared_x4.cu");
    assert_string_equal(entry->symbol, "matmul_cuda_shared_x4");
    assert_int_equal(entry->backend, BACKEND_CUDA);
    assert_null(registry_find("matmul/seq_ijk"));
    assert_null(registry_find("seq-ijk"));
    assert_null(registry_problem("nothing"));
}

TEST(every_library_is_an_entry_of_blas)
{
    const char *names[16];
    const size_t count = libraries_names(names, 16);
    assert_true(count >= 3);
    for (size_t i = 0; i < count; i++) {
        char name[64];
        snprintf(name, sizeof name, "matmul/blas-%s", names[i]);
        const struct entry *entry = must_find(name);
        assert_string_equal(entry->library, names[i]);
        assert_int_equal(entry->backend, BACKEND_BLAS);
        assert_true(registry_matches(entry, entry->problem->baseline));
    }
}

/* A variant that calls a library names the library in its own name, has a style of its own, and may be a vendor's. */
TEST(variants_tell_their_libraries)
{
    size_t count;
    const struct entry *entry = registry(&count);
    for (size_t i = 0; i < count; i++) {
        const struct variant *meta = entry[i].meta;
        const char *library = registry_library(&entry[i]);
        const bool calls = (strncmp(entry[i].idea, "cu", 2) == 0 && strncmp(entry[i].idea, "cuda", 4) != 0) ||
                           strcmp(entry[i].idea, "nccl") == 0;
        assert_int_equal(*library != '\0',
                         calls || entry[i].backend == BACKEND_BLAS || entry[i].backend == BACKEND_RANKS);
        assert_int_equal(*library != '\0', registry_style(&entry[i]) > 0);
        assert_non_null(strstr(entry[i].idea, library));
        if (meta->vendor)
            assert_true(*library != '\0');
        if (meta->halved)
            assert_int_not_equal(meta->symmetry, SYMMETRY_NONE);
    }
    assert_string_equal(registry_library(must_find("lu/cusolver-nopivot")), "cusolver");
    assert_false(must_find("matmul/cublas-tf32")->meta->vendor);
}

TEST(order_is_that_of_the_ladder)
{
    assert_true(must_find("matmul/seq-ijk") < must_find("matmul/seq-ikj"));
    assert_true(must_find("matmul/omp-tiled-local") < must_find("matmul/blas-openblas"));
    assert_true(must_find("matmul/blas-openblas") < must_find("matmul/cuda-global-rmw"));
    assert_true(must_find("matmul/cublas-tf32") < must_find("fma/omp"));
}

TEST(a_cell_gets_the_build_it_asks_for)
{
    const struct entry *entry = must_find("matmul/seq-ijk");
    struct cell cell = {.precision = F64, .opt = OPT_O2, .isa = ISA_BASE, .entry = entry};
    const struct variant *f64_O2 = cell_variant(&cell);
    cell.opt = OPT_O3;
    const struct variant *f64_O3 = cell_variant(&cell);
    cell.precision = F32;
    const struct variant *f32_O3 = cell_variant(&cell);
    assert_true(f64_O2 && f64_O3 && f32_O3);
    assert_true(f64_O2 != f64_O3 && f64_O3 != f32_O3);
    assert_true(f64_O2->run != f64_O3->run && f64_O3->run != f32_O3->run);

    cell = (struct cell){.precision = F32, .entry = must_find("matmul/cuda-global")};
    assert_ptr_equal(cell_variant(&cell), cell.entry->meta);
}

TEST(patterns_match_ideas_and_names)
{
    const struct entry *entry = must_find("matmul/omp-tiled");
    assert_true(registry_matches(entry, "omp-*"));
    assert_true(registry_matches(entry, "omp-tiled"));
    assert_true(registry_matches(entry, "matmul/omp-*"));
    assert_true(registry_matches(entry, "*"));
    assert_false(registry_matches(entry, "tiled"));
    assert_false(registry_matches(entry, "fma/omp-*"));
    assert_false(registry_matches(entry, "matmul"));
    assert_false(registry_matches(entry, ""));
}

TEST(near_misses_find_the_name)
{
    const char *const names[] = {"seq-ijk", "seq-ikj", "omp-tiled", "cuda-shared", "n"};
    enum { COUNT = sizeof names / sizeof *names };
    assert_string_equal(suggest_name("seq-ijk", names, COUNT), "seq-ijk");
    assert_string_equal(suggest_name("seqijk", names, COUNT), "seq-ijk");
    assert_string_equal(suggest_name("cuda-sahred", names, COUNT), "cuda-shared");
    assert_string_equal(suggest_name("omp-tile", names, COUNT), "omp-tiled");
    assert_string_equal(suggest_name("SEQ-IJK", names, COUNT), "seq-ijk");
    assert_string_equal(suggest_name("N", names, COUNT), "n");
    assert_string_equal(suggest_name("shared", names, COUNT), "cuda-shared");
    assert_string_equal(suggest_name("IJK", names, COUNT), "seq-ijk");
    assert_string_equal(suggest_name("omp", names, COUNT), "omp-tiled");
    assert_null(suggest_name("hare", names, COUNT));
    assert_null(suggest_name("opencl-vec4", names, COUNT));
    assert_null(suggest_name("m", names, COUNT));
    assert_null(suggest_name("", names, COUNT));
    assert_null(suggest_name("seq-ijk", names, 0));
    char long_word[300];
    memset(long_word, 'x', sizeof long_word - 1);
    long_word[sizeof long_word - 1] = 0;
    assert_null(suggest_name(long_word, names, COUNT));
}

TEST(axes_are_those_that_make_a_difference)
{
    const unsigned shape = HONOURS(precision) | HONOURS(m) | HONOURS(n) | HONOURS(k);
    const unsigned compiled = HONOURS(isa) | HONOURS(opt), cpu = compiled | HONOURS(cache) | HONOURS(inputs);
    assert_int_equal(registry_axes(must_find("matmul/seq-ijk")), shape | cpu);
    assert_int_equal(registry_axes(must_find("matmul/omp-tiled")),
                     shape | cpu | HONOURS(threads) | HONOURS(tile) | HONOURS(row_tile));
    assert_int_equal(registry_axes(must_find("matmul/omp-packed")),
                     shape | cpu | HONOURS(threads) | HONOURS(mc) | HONOURS(nc) | HONOURS(kc));
    assert_int_equal(registry_axes(must_find("matmul/blas-openblas")),
                     shape | HONOURS(cache) | HONOURS(inputs) | HONOURS(threads));
    assert_int_equal(registry_axes(must_find("matmul/cublas")),
                     shape | HONOURS(cache) | HONOURS(host_memory) | HONOURS(inputs));
    /* A probe has no conditions: the sizes of its operands decide which cache or memory serves them. */
    assert_int_equal(registry_axes(must_find("fma/omp")),
                     compiled | HONOURS(precision) | HONOURS(m) | HONOURS(n) | HONOURS(threads));
    assert_int_equal(registry_axes(must_find("copy/omp")) & (HONOURS(m) | HONOURS(k)), 0);
}

TEST(axis_table_reaches_the_fields)
{
    struct cell cell = {.n = 7, .row_tile = 9};
    assert_string_equal(cell_axes[AXIS_row_tile].key, "row-tile");
    assert_int_equal(cell_value(&cell, AXIS_row_tile), 9);
    *cell_axis(&cell, AXIS_n) = 8;
    assert_int_equal(cell.n, 8);
    assert_ptr_equal(cell_axes[AXIS_precision].names, cell_precision_names);
    assert_string_equal(cell_precision_names[I32], "i32");
    assert_string_equal(cell_isa_names[ISA_V4], "v4");
    assert_string_equal(cell_opt_names[OPT_O2], "O2");
    assert_string_equal(registry_backends[BACKEND_CUDA].name, "cuda");
}

TEST(operand_sizes_do_not_wrap)
{
    struct cell cell = {.precision = F64, .m = 3, .n = 5, .k = 7, .entry = must_find("matmul/seq-ijk")};
    assert_int_equal(cell_operand_bytes(&cell, 0), 3 * 7 * 8);
    assert_int_equal(cell_operand_bytes(&cell, 2), 3 * 5 * 8);
    assert_int_equal(cell_bytes(&cell), (3 * 7 + 7 * 5 + 3 * 5) * 8);
    cell.precision = I32;
    assert_int_equal(cell_bytes(&cell), (3 * 7 + 7 * 5 + 3 * 5) * 4);
    cell = (struct cell){.precision = F64, .m = INT32_MAX, .n = INT32_MAX, .k = INT32_MAX, .entry = cell.entry};
    assert_true(cell_operand_bytes(&cell, 0) == INT64_MAX);
    assert_true(cell_bytes(&cell) == INT64_MAX);
    cell.precision = F32, cell.m = cell.n = cell.k = 1200000000;
    assert_true(cell_operand_bytes(&cell, 0) == INT64_C(5760000000000000000));
    assert_true(cell_bytes(&cell) == INT64_MAX);
}

TEST(probes_are_marked_and_faults_hidden)
{
    assert_true(registry_problem("fma")->probe && registry_problem("copy")->probe);
    assert_true(registry_problem("read")->probe);
    assert_true(registry_problem("fault")->hidden);
    assert_false(registry_problem("matmul")->hidden || registry_problem("matmul")->probe);
}
