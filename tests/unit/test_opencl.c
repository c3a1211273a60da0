/* The OpenCL backend without a device: how a discovery travels, what variants refuse, the texts that the program
 * carries, and the banks of local memory. tests/system/opencl.bats runs the kernels.
 * SPDX-License-Identifier: MIT */
#include "cell.h"
#include "registry.h"
#include "backend/opencl/opencl.h"
#include "counters/banks.h"
#include "folder_fixture.h"

#include <sys/wait.h>
#include <unistd.h>

TEST(a_discovery_survives_its_journey)
{
    const struct found sent = {
        .count = 2,
        .device = {{.name = "One = fast", .platform = "A\nplatform", .kind = "GPU", .fp64 = 1, .group_items = 1024},
                   {.name = "Two", .kind = "CPU", .memory_bytes = INT64_C(150) << 30, .local_bytes = 49152}}};
    struct found got;
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    found_write(&sent, out);
    fclose(out);
    char *torn = strdup(text);
    assert_true(found_read(text, &got));
    assert_int_equal(got.count, 2);
    assert_string_equal(got.missing, "");
    assert_string_equal(got.device[0].name, "One = fast");
    assert_string_equal(got.device[0].platform, "A platform");
    assert_int_equal(got.device[0].fp64, 1);
    assert_int_equal(got.device[0].group_items, 1024);
    assert_string_equal(got.device[1].kind, "CPU");
    assert_true(got.device[1].memory_bytes == INT64_C(150) << 30);
    assert_int_equal(got.device[1].local_bytes, 49152);
    /* A child that dies in the middle has told nothing. */
    torn[strlen(torn) - 20] = '\0';
    assert_false(found_read(torn, &got));
    char nothing[] = "";
    assert_false(found_read(nothing, &got));
    free(text);
    free(torn);
}

static struct cell cell_of(const char *variant, int64_t n, int64_t tile)
{
    const struct entry *entry = registry_find(variant);
    assert_non_null(entry);
    const struct cell given = {.entry = entry, .precision = F32, .n = n, .tile = tile};
    return banks_cell(entry, &given);
}

static const char *reject(const char *variant, int64_t n, int64_t tile)
{
    const struct cell cell = cell_of(variant, n, tile);
    return cell.entry->meta->reject(&cell);
}

TEST(variants_refuse_what_no_device_can_run)
{
    assert_null(reject("matmul/opencl-tiled", 33, 32));
    assert_null(reject("matmul/opencl-padded", 33, 32));
    assert_non_null(strstr(reject("matmul/opencl-tiled", 33, 65), "tile is 65"));
    assert_null(reject("matmul/opencl-vec4", 36, 8));
    assert_non_null(strstr(reject("matmul/opencl-vec4", 33, 8), "n = 33 is no multiple of 4"));
    assert_non_null(strstr(reject("matmul/opencl-vec4", 36, 6), "tile = 6 is no multiple of 4"));
    assert_null(reject("aat/opencl-b", 32, 8));
    assert_non_null(strstr(reject("aat/opencl-b", 36, 8), "n = 36 is no multiple of tile = 8"));
}

TEST(the_program_carries_the_text_of_every_kernel)
{
    size_t count, kernels = 0;
    const struct entry *entry = registry(&count);
    for (size_t i = 0; i < count; i++) {
        if (entry[i].backend != BACKEND_OPENCL)
            continue;
        const char *text = opencl_source(entry[i].symbol);
        assert_non_null(text);
        assert_non_null(strstr(text, opencl_kernel_of(&entry[i])->name));
        assert_non_null(strstr(text, "KERNEL void "));
        kernels++;
    }
    assert_true(kernels >= 7);
    assert_null(opencl_source("matmul_cuda_global"));
}

/* Wavefronts of an instruction of a warp, on average over all loads or all stores of local memory. */
static double wavefronts(const char *variant, int64_t tile, enum direction direction)
{
    const struct cell cell = cell_of(variant, 64, tile);
    struct banks banks;
    char why[240];
    assert_true(banks_model(&cell, &banks, why, sizeof why));
    const struct banks_sum *sum = &banks.sum[SPACE_SHARED][direction];
    return (double)sum->wavefronts / (double)sum->instructions;
}

TEST(the_bank_model_tells_the_layouts_apart)
{
    assert_true(wavefronts("matmul/opencl-tiled", 32, DIRECTION_STORE) == 1);
    assert_true(wavefronts("matmul/opencl-strided", 32, DIRECTION_STORE) == 32);
    assert_true(wavefronts("matmul/opencl-strided", 32, DIRECTION_LOAD) > 4);
    /* Of the two stores one is transposed. */
    assert_true(wavefronts("aat/opencl-b", 32, DIRECTION_STORE) == 16.5);
    assert_true(wavefronts("aat/opencl-b-pad", 32, DIRECTION_STORE) == 1);
    /* A vector of 16 bytes a lane takes four wavefronts, and moves four times as much. */
    assert_true(wavefronts("matmul/opencl-vec4", 32, DIRECTION_STORE) == 4);
}

TEST(devices_have_names)
{
    int64_t value;
    assert_true(cell_axis_read(AXIS_device_id, "opencl:1", 8, &value));
    assert_true(value == registry_device(BACKEND_OPENCL, 1));
    assert_false(cell_axis_read(AXIS_device_id, "opencl:8", 8, &value));
    const struct cell cell = {.entry = registry_find("matmul/opencl-tiled"), .device_id = value};
    assert_int_equal(backend_device(&cell), 0);
    const struct cell second = {.entry = cell.entry, .device_id = registry_device(BACKEND_OPENCL, 1)};
    assert_int_equal(backend_device(&second), 1);
    assert_int_equal(backend_setup(&second).device, 1);
}

/* ---- With the fake library, in a process of its own: the loader reads its path when a process starts. ---- */

static int queue_nothing(struct job *job)
{
    (void)job;
    return 0;
}

/* Runs a product twice: as it is, and with a run that puts no command into the queue. Returns the number of a check
 * that failed. */
static int play_runs(void)
{
    char why[200];
    struct cell cell = cell_of("matmul/opencl-tiled", 8, 8);
    struct entry entry = *cell.entry;
    struct variant idle = *entry.meta;
    struct job job = {.cell = &cell};
    struct backend_times times;
    const struct repeats once = {.count = 1};
    if (backend_opencl.worker->open(&(struct backend_setup){0}, false, why, sizeof why) != 0)
        return 1;
    for (int i = 0; i < 3; i++)
        job.operand[i] = backend_opencl.worker->allocate(256);
    if (backend_opencl.worker->prepare(&job) != 0)
        return 2;
    if (backend_opencl.worker->run(&job, &once, &times) != 0 || !(times.kernel_s > 0))
        return 3;
    idle.run = queue_nothing;
    entry.meta = &idle;
    cell.entry = &entry;
    if (backend_opencl.worker->run(&job, &once, NULL) != 0)
        return 4;
    if (backend_opencl.worker->run(&job, &once, &times) == 0)
        return 5;
    if (!strstr(job.error, "no command into the runner's queue"))
        return 6;
    return backend_opencl.worker->energy->joules(why, sizeof why) >= 0 ? 0 : 7;
}

TEST_AROUND(a_run_without_a_command_is_refused_and_nvml_tells_the_energy, make_folder, remove_folder)
{
    assert_int_equal(compile_fake("opencl", "libOpenCL.so.1"), 0);
    assert_int_equal(compile_fake("gpu", "libnvidia-ml.so.1"), 0);
    const pid_t child = fork();
    if (child == 0) {
        setenv("LD_LIBRARY_PATH", folder, 1);
        setenv("FAKE_GPU_WATTS", "300", 1);
        execl("/proc/self/exe", "test_opencl", "runs", NULL);
        _exit(127);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "runs") == 0)
        return play_runs();
    return test_all(NULL, NULL);
}
