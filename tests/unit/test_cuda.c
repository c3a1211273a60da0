/* The CUDA backend without a GPU. The tests check what it says on machines that lack something, and what it does on a
 * machine that has everything; tests/unit/fake/gpu.c plays that GPU. Also the descriptions and limits of the CUDA
 * variants.
 * SPDX-License-Identifier: MIT */
#include "backend/cuda/cuda.h"
#include "machine/nvml.h"
#include "registry.h"
#include "folder_fixture.h"

#include <dlfcn.h>
#include <math.h>
#include <sys/wait.h>
#include <unistd.h>

extern const struct variant matmul_cuda_global_rmw, matmul_cuda_global, matmul_cuda_shared, matmul_cuda_shared_x4,
    matmul_cuda_shared_xn, matmul_cuda_heap_tile, matmul_cublas, matmul_cublas_tf32, fma_cuda_tensor, smem_cuda,
    launch_cuda_graph, aat_cuda_a, aat_cuda_b, aat_cuda_b_pad, aat_cuda_swizzle, aat_cuda_sym, lu_cuda_naive,
    lu_cuda_blocked, lu_cuda_pivot, lu_cusolver, lu_cusolver_nopivot;
extern const struct problem problem_matmul;

static struct cell square(int64_t n, int64_t tile)
{
    return (struct cell){.precision = F32, .m = n, .n = n, .k = n, .tile = tile};
}

static void assert_says(const char *reason, const char *part)
{
    assert_non_null(reason);
    if (!strstr(reason, part))
        fail_msg("\"%s\" does not say \"%s\"", reason, part);
}

TEST(test_every_variant_is_described)
{
    size_t count, described = 0;
    const struct entry *entry = registry(&count);
    for (size_t i = 0; i < count; i++) {
        const struct variant *meta = entry[i].meta;
        if (entry[i].backend != BACKEND_CUDA)
            continue;
        described++;
        assert_non_null(meta->summary);
        assert_non_null(meta->source);
        assert_null(strchr(meta->summary, '.'));
        assert_int_not_equal(meta->precisions, 0);
        assert_true(meta->typical_gflops > 0);
        assert_null(meta->run); /* found by name in the shared object */
        /* A variant with a tile has a default tile, and accepts it. */
        assert_int_equal((meta->axes & HONOURS(tile)) != 0, meta->defaults.tile != 0);
        struct cell cell = square(64, meta->defaults.tile);
        cell.padding = meta->defaults.padding;
        cell.elements = meta->defaults.elements;
        assert_null(meta->reject ? meta->reject(&cell) : NULL);
    }
    assert_true(described > 0);
    assert_int_equal(matmul_cublas.precisions, FLOATS);
    assert_int_equal(matmul_cublas_tf32.precisions, BIT(F32));
    assert_true(matmul_cublas_tf32.input_roundoff == 0x1p-10);
    assert_true(matmul_cublas.input_roundoff == 0);
}

/* The limits of the probes' counts. Beyond them a sum would not be exact, or a graph would be too large. */
TEST(test_probes_refuse_what_they_cannot_count)
{
    struct cell cell = {.precision = F32, .m = 1, .n = 1 << 18};
    assert_null(smem_cuda.reject(&cell));
    cell.n++;
    assert_says(smem_cuda.reject(&cell), "not of 262145");
    assert_says(launch_cuda_graph.reject(&cell), "65536");
    assert_says(fma_cuda_tensor.reject(&cell), "no multiple of the 16 steps");
    cell.n = (1 << 23) + 16;
    assert_says(fma_cuda_tensor.reject(&cell), "f32 counts exactly");
    cell.precision = F64;
    assert_null(fma_cuda_tensor.reject(&cell));
}

TEST(test_panels_fit_a_cluster)
{
    struct cell cell = {.precision = F64, .n = 1 << 16};
    assert_null(lu_cuda_pivot.reject(&cell));
    cell.n++;
    assert_says(lu_cuda_pivot.reject(&cell), "n = 65537: a cluster holds panels of up to 65536 rows");
}

TEST(test_block_sides_of_the_global_kernels)
{
    const struct variant *const global[] = {&matmul_cuda_global_rmw, &matmul_cuda_global};
    for (int i = 0; i < 2; i++) {
        for (int64_t tile = 2; tile <= 32; tile++) {
            const struct cell cell = square(33, tile);
            assert_null(global[i]->reject(&cell));
        }
        const struct cell narrow = square(33, 1), wide = square(33, 33);
        assert_says(global[i]->reject(&narrow), "tile is 1");
        assert_says(global[i]->reject(&wide), "32 x 32 threads; tile is 33");
    }
}

TEST(test_tiles_that_have_a_kernel)
{
    const struct variant *const tiled[] = {&matmul_cuda_shared, &matmul_cuda_heap_tile, &matmul_cuda_shared_x4};
    for (int i = 0; i < 3; i++)
        for (int64_t tile = 1; tile <= 64; tile++) {
            const struct cell cell = square(tile * 3, tile);
            const bool power = (tile & (tile - 1)) == 0 && tile <= 32;
            const bool allowed = power && tile >= (tiled[i] == &matmul_cuda_shared_x4 ? 4 : 2);
            const int64_t threads = tile * tile / (tiled[i] == &matmul_cuda_shared_x4 ? 4 : 1);
            if (allowed)
                assert_null(tiled[i]->reject(&cell));
            else
                assert_says(tiled[i]->reject(&cell), threads > 1024 ? "1024" : "16 and 32");
        }
}

TEST(test_four_rows_a_thread_need_whole_tiles)
{
    struct cell cell = square(64, 16);
    assert_null(matmul_cuda_shared_x4.reject(&cell));
    cell.n = 65;
    assert_says(matmul_cuda_shared_x4.reject(&cell), "n = 65 is no multiple of tile = 16");
    cell = square(64, 16);
    cell.k = 8;
    assert_says(matmul_cuda_shared_x4.reject(&cell), "k = 8 is no multiple of tile = 16");
    cell = square(64, 16);
    cell.m = 1;
    assert_says(matmul_cuda_shared_x4.reject(&cell), "m = 1 is no multiple of tile = 16");
    /* The guarded kernels take the same sizes. */
    assert_null(matmul_cuda_shared.reject(&cell));
}

TEST(test_elements_a_thread_have_a_kernel_each)
{
    struct cell cell = square(64, 16);
    for (cell.elements = 1; cell.elements <= 16; cell.elements++)
        if (cell.elements == 1 || cell.elements == 2 || cell.elements == 4 || cell.elements == 8)
            assert_null(matmul_cuda_shared_xn.reject(&cell));
        else
            assert_says(matmul_cuda_shared_xn.reject(&cell), "elements 1, 2, 4 and 8");
}

TEST(test_unguarded_tiles_of_aat_have_reasons)
{
    const struct variant *const tiled[] = {&aat_cuda_a, &aat_cuda_b, &aat_cuda_b_pad, &aat_cuda_swizzle, &aat_cuda_sym};
    for (int i = 0; i < 5; i++) {
        struct cell cell = square(64, 32);
        cell.padding = tiled[i]->defaults.padding;
        for (cell.tile = 8; cell.tile <= 32; cell.tile *= 2)
            assert_null(tiled[i]->reject(&cell));
        assert_says(tiled[i]->reject(&cell), "4096 threads");
        assert_says(tiled[i]->reject(&cell), "bytes of shared memory");
        cell.tile = 4;
        assert_says(tiled[i]->reject(&cell), "built for tile 8, 16 and 32, not 4");
        cell.tile = 32, cell.n = 33;
        assert_says(tiled[i]->reject(&cell), "n = 33 is no multiple of tile = 32, as this algorithm demands");
        cell.n = 64, cell.k = 40;
        assert_says(tiled[i]->reject(&cell), "k = 40 is no multiple of tile = 32");
        cell.k = 8, cell.tile = 8, cell.n = 65536 * INT64_C(8);
        assert_says(tiled[i]->reject(&cell), "n = 524288 needs more than the 65535 blocks");
    }
    struct cell cell = square(64, 32);
    for (cell.padding = 1; cell.padding <= 4; cell.padding++)
        assert_null(aat_cuda_b_pad.reject(&cell));
    assert_says(aat_cuda_b_pad.reject(&cell), "built for padding 1, 2, 3 and 4, not 5");
}

TEST(test_factorisations_take_any_size_in_their_tiles)
{
    for (int64_t tile = 1; tile <= 256; tile++) {
        const bool built = tile >= 8 && tile <= 128 && (tile & (tile - 1)) == 0;
        for (int64_t n = 1; n <= 129; n += 32) {
            const struct cell cell = {.precision = F64, .n = n, .tile = tile};
            if (built)
                assert_null(lu_cuda_blocked.reject(&cell));
            else
                assert_says(lu_cuda_blocked.reject(&cell), "built for tile 8, 16, 32, 64 and 128");
        }
    }
    struct cell cell = {.precision = F32, .n = 65535 * 8, .tile = 8};
    assert_null(lu_cuda_naive.reject(&cell));
    assert_null(lu_cuda_blocked.reject(&cell));
    cell.n++;
    assert_says(lu_cuda_naive.reject(&cell), "n = 524281 needs more than the 65535 blocks");
}

/* What a variant is given, and how it is judged. */
TEST(test_factorisations_keep_their_contracts)
{
    const struct variant *const plain[] = {&lu_cuda_naive, &lu_cuda_blocked, &lu_cusolver_nopivot};
    for (int i = 0; i < 3; i++)
        assert_int_equal(plain[i]->pivoting, PIVOTING_NONE);
    assert_int_equal(lu_cusolver.pivoting, PIVOTING_PARTIAL);
    assert_true(lu_cusolver.column_major && lu_cusolver_nopivot.column_major);
    assert_false(lu_cuda_naive.column_major || lu_cuda_blocked.column_major);
}

TEST(test_more_rows_than_a_grid_has)
{
    struct cell cell = square(1, 2);
    const struct variant *const all[] = {&matmul_cuda_global_rmw, &matmul_cuda_global, &matmul_cuda_shared,
                                         &matmul_cuda_heap_tile};
    for (int i = 0; i < 4; i++) {
        cell.m = 65535 * 2;
        assert_null(all[i]->reject(&cell));
        cell.m++;
        assert_says(all[i]->reject(&cell), "m = 131071 needs more than the 65535 blocks of 2 rows");
    }
}

TEST(test_discovery_survives_its_journey)
{
    const struct cuda_discovery sent = {
        .missing_library = {[CUDA_CUBLAS] = "line one\nline two", [CUDA_CUSOLVER] = "no = none"},
        .device = {.name = "A GPU = fast",
                   .major = 9,
                   .minor = 1,
                   .memory_bytes = INT64_C(150) << 30,
                   .ecc = -1,
                   .pci_bus = "0000:65:00.0",
                   .memory_free_bytes = -1,
                   .driver_version = "580.65.06"}};
    struct cuda_discovery got;
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    cuda_discovery_write(&sent, out);
    fclose(out);
    char *torn = strdup(text);
    assert_true(cuda_discovery_read(text, &got));
    assert_string_equal(got.missing, "");
    assert_string_equal(got.missing_library[CUDA_CUBLAS], "line one line two");
    assert_string_equal(got.missing_library[CUDA_CUSOLVER], "no = none");
    assert_string_equal(got.device.name, "A GPU = fast");
    assert_int_equal(got.device.major, 9);
    assert_int_equal(got.device.minor, 1);
    assert_true(got.device.memory_bytes == INT64_C(150) << 30);
    assert_int_equal(got.device.ecc, -1);
    assert_true(got.device.memory_free_bytes == -1);
    assert_string_equal(got.device.pci_bus, "0000:65:00.0");
    assert_string_equal(got.device.driver_version, "580.65.06");

    torn[size - 5] = '\0'; /* without its last line */
    assert_false(cuda_discovery_read(torn, &got));
    char other[] = "Usage: something else\nend\n";
    assert_false(cuda_discovery_read(other, &got));
    free(text);
    free(torn);
}

/* A process discovers a machine once, so that each scene below is a new process of this program. The folder of the fake
 * libraries is on the loader's path. */
FIXTURE(compile_fakes)
{
    if (make_folder(state) != 0)
        return -1;
    put("objects/empty", "\n");
    return compile_fake("gpu", "libcuda.so.1") || compile_fake("gpu", "libnvidia-ml.so.1") ||
           compile_fake("gpu", "objects/tilelab-cuda.so");
}

/* Plays a scene in a process of its own. The settings are names and values in turn; an @ at the start of a value stands
 * for the folder of the fakes. */
static void play(const char *scene, const char *const settings[])
{
    const pid_t child = fork();
    if (child == 0) {
        for (; *settings; settings += 2) {
            const bool in_fakes = *settings[1] == '@';
            char value[200];
            snprintf(value, sizeof value, "%s%s", in_fakes ? folder : "", settings[1] + in_fakes);
            setenv(settings[0], value, 1);
        }
        execl("/proc/self/exe", "test_cuda", scene, NULL);
        _exit(127);
    }
    int status;
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        fail_msg("scene %s: status %d", scene, status);
}

#define MACHINE "TILELAB_BACKENDS", "@/objects", "LD_LIBRARY_PATH", "@"
#define PLAY(scene, ...) play(#scene, (const char *const[]){__VA_ARGS__, NULL})
/* The test that plays one scene. */
#define SCENE(name, ...) \
    TEST(name) \
    { \
        PLAY(__VA_ARGS__); \
    }

#define EXPECT(condition) \
    do { \
        if (!(condition)) { \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
            return 1; \
        } \
    } while (0)

static const struct variant plain = {.summary = "fake", .unit = UNIT_FMA};
static const struct variant tensor = {.summary = "fake", .tensor = BIT(F32), .compute_capability = 80};

static struct entry fake_entry(const char *symbol, const struct variant *meta)
{
    struct entry entry = {.idea = "cuda-fake", .backend = BACKEND_CUDA, .meta = meta};
    snprintf(entry.symbol, sizeof entry.symbol, "%s", symbol);
    return entry;
}

static int scene_unbuilt(void)
{
    EXPECT(strstr(backend_cuda.missing(NULL), "built without CUDA: nvcc was not found"));
    EXPECT(!cuda_discover_device());
    EXPECT(backend_cuda.memory_bytes(NULL) == 0);
    char why[200] = "";
    EXPECT(backend_cuda.worker->open(&(struct backend_setup){0}, false, why, sizeof why) != 0);
    EXPECT(strstr(why, "built without CUDA"));
    EXPECT(!backend_cuda.worker->poisoned());
    return 0;
}

static int scene_missing(void)
{
    EXPECT(strstr(backend_cuda.missing(NULL), getenv("EXPECTED")));
    return 0;
}

static int scene_no_device(void)
{
    EXPECT(!cuda_discover_device());
    EXPECT(backend_cuda.memory_bytes(NULL) == 0);
    return scene_missing();
}

static int scene_device(void)
{
    static const struct variant product = {.summary = "fake", .library = "cublas"},
                                factors = {.summary = "fake", .library = "cusolver"};
    const struct entry cublas = fake_entry("fake_cublas", &product), cusolver = fake_entry("fake_cusolver", &factors),
                       tf32 = fake_entry("fake_tf32", &tensor);
    const struct cell none = {.precision = F32}, gemm = {.precision = F32, .entry = &cublas},
                      getrf = {.precision = F32, .entry = &cusolver}, rounded = {.precision = F32, .entry = &tf32};
    EXPECT(!backend_cuda.missing(&none));
    EXPECT(strstr(backend_cuda.missing(&gemm), "built without cuBLAS"));
    EXPECT(strstr(backend_cuda.missing(&getrf), "built without cuSOLVER"));
    EXPECT(strstr(backend_cuda.missing(&rounded), " needs 8.0"));
    const struct cuda_device *gpu = cuda_discover_device();
    EXPECT(gpu && strcmp(gpu->name, "Fake GPU") == 0 && gpu->threads_per_sm == 1024);
    EXPECT(gpu->power_limit_w == 250 && strcmp(gpu->driver_version, "123.45") == 0);
    EXPECT(strcmp(backend_cuda.device(NULL), "Fake GPU") == 0);
    char serial[32];
    backend_cuda.serial(serial, sizeof serial);
    EXPECT(strcmp(serial, "GPU-0123") == 0);
    /* The memory that other programs left free, without what the driver needs beside the operands. */
    EXPECT(backend_cuda.memory_bytes(NULL) < INT64_C(4) << 30 && backend_cuda.memory_bytes(NULL) > INT64_C(3) << 30);
    char driver[32];
    EXPECT(nvml_driver(driver, sizeof driver) && strcmp(driver, "123.45") == 0);
    return 0;
}

static int scene_runs(void)
{
    char why[200] = "";
    struct backend_times times = {0};
    const struct repeats once = {.count = 1};
    const struct entry counting = fake_entry("fake_count", &plain), refusing = fake_entry("fake_refuse", &plain),
                       complaining = fake_entry("fake_complain", &plain), absent = fake_entry("fake_absent", &plain),
                       faulting = fake_entry("fake_fault", &plain);
    EXPECT(backend_cuda.worker->open(&(struct backend_setup){0}, false, why, sizeof why) == 0);

    unsigned char host[16] = "0123456789abcdef", *memory = backend_cuda.worker->allocate(sizeof host);
    EXPECT(memory && backend_cuda.worker->poison(memory, sizeof host) == 0 && memory[15] == 0xFF);
    EXPECT(backend_cuda.worker->upload(memory, host, sizeof host) == 0 && memory[15] == 'f');
    memory[0] = 'X';
    EXPECT(backend_cuda.worker->download(host, memory, 0, sizeof host) == 0 && host[0] == 'X');
    backend_cuda.worker->release(memory);

    struct cell cell = {.precision = F32, .entry = &counting};
    struct job job = {.cell = &cell};
    EXPECT(backend_cuda.worker->prepare(&job) == 0 && job.stream && job.state);
    EXPECT(backend_cuda.worker->run(&job, &(struct repeats){.count = 3}, &times) == 0);
    EXPECT(*(int *)job.state == 3 && times.kernel_s == 0.75 && times.clock_hz == 1500e6 && !times.throttled);
    setenv("FAKE_GPU_REASONS", "0x13", 1); /* idle, application clocks, sync boost */
    EXPECT(backend_cuda.worker->run(&job, &once, &times) == 0 && !times.throttled && !times.capped);
    setenv("FAKE_GPU_REASONS", "0x04", 1); /* power cap: a remark, and no doubt */
    EXPECT(backend_cuda.worker->run(&job, &once, &times) == 0 && !times.throttled && times.capped);
    setenv("FAKE_GPU_REASONS", "0x20", 1); /* heat */
    EXPECT(backend_cuda.worker->run(&job, &once, &times) == 0 && times.throttled && !times.capped);
    EXPECT(backend_cuda.worker->run(&job, &(struct repeats){.count = 2}, NULL) == 0 && *(int *)job.state == 6 + 2);
    EXPECT(backend_cuda.worker->mark(3, why, sizeof why) == 0);
    backend_cuda.worker->finish(&job);
    EXPECT(!job.state);

    cell.entry = &absent;
    EXPECT(backend_cuda.worker->prepare(&job) != 0 && strstr(job.error, "no fake_absent_launch"));
    times.kernel_s = NAN;
    cell.entry = &refusing;
    EXPECT(backend_cuda.worker->prepare(&job) == 0);
    EXPECT(backend_cuda.worker->run(&job, &once, &times) != 0 && strcmp(job.error, "no kernel for this cell") == 0);
    EXPECT(isnan(times.kernel_s) && !backend_cuda.worker->poisoned());
    cell.entry = &complaining;
    EXPECT(backend_cuda.worker->run(&job, &once, &times) != 0 && strstr(job.error, "heap is exhausted"));
    cell.entry = &faulting;
    EXPECT(backend_cuda.worker->run(&job, &once, &times) != 0 && strstr(job.error, "illegal memory access"));
    EXPECT(backend_cuda.worker->poisoned());
    return 0;
}

/* Opens the fake GPU, and prepares a product of 4 x 4 matrices on it. Returns the job; NULL if that fails. */
static struct job *prepare_product(void)
{
    static struct entry entry;
    static struct cell cell = {.precision = F32, .m = 4, .n = 4, .k = 4, .entry = &entry};
    static struct job job = {.cell = &cell};
    char why[200] = "";
    entry = fake_entry("fake_count", &plain);
    entry.problem = &problem_matmul;
    const bool opened = backend_cuda.worker->open(&(struct backend_setup){0}, false, why, sizeof why) == 0;
    return opened && backend_cuda.worker->prepare(&job) == 0 ? &job : NULL;
}

static int lines_of(const char *path, const char *line)
{
    char text[80];
    int count = 0;
    FILE *file = fopen(path, "re");
    while (file && fgets(text, sizeof text, file))
        count += strcmp(text, line) == 0;
    if (file)
        fclose(file);
    return count;
}

/* Something else than work between the events writes the output. */
static int scene_other_stream(void)
{
    struct job *const job = prepare_product();
    struct backend_times times;
    const struct repeats once = {.count = 1};
    EXPECT(job);
    EXPECT(backend_cuda.worker->run(job, &once, NULL) == 0);
    EXPECT(backend_cuda.worker->run(job, &once, &times) == 0); /* the first block is not held */
    EXPECT(backend_cuda.worker->run(job, &once, &times) != 0);
    EXPECT(strcmp(job->error, getenv("EXPECTED")) == 0);
    EXPECT(lines_of(getenv("FAKE_GPU_WATCHED"), "held 64\n") == 1); /* the bytes of C */
    return 0;
}

/* The stream is held until there was one look, and before no block of many runs. */
static int scene_held_once(void)
{
    struct job *const job = prepare_product();
    struct backend_times times;
    const struct repeats once = {.count = 1}, many = {.count = 20};
    EXPECT(job);
    EXPECT(backend_cuda.worker->run(job, &many, &times) == 0 && backend_cuda.worker->run(job, &many, &times) == 0);
    EXPECT(lines_of(getenv("FAKE_GPU_WATCHED"), "held 64\n") == 0);
    for (int i = 0; i < 8; i++)
        EXPECT(backend_cuda.worker->run(job, &once, &times) == 0);
    EXPECT(lines_of(getenv("FAKE_GPU_WATCHED"), "held 64\n") == (getenv("FAKE_GPU_BLIND") ? 4 : 1));
    return 0;
}

/* The device goes on after the last event. The time has that work in it, and the third block says what is wrong. */
static int scene_busy(void)
{
    struct job *const job = prepare_product();
    struct backend_times times;
    EXPECT(job);
    for (int i = 0; i < 2; i++) {
        EXPECT(backend_cuda.worker->run(job, &(struct repeats){.count = 2}, &times) == 0);
        EXPECT(fabs(times.kernel_s - 3e-3) < 1e-9);
    }
    EXPECT(backend_cuda.worker->run(job, &(struct repeats){.count = 2}, &times) != 0 &&
           strstr(job->error, "another stream"));
    backend_cuda.worker->finish(job);
    /* The next job begins without doubts. */
    EXPECT(backend_cuda.worker->prepare(job) == 0 &&
           backend_cuda.worker->run(job, &(struct repeats){.count = 2}, &times) == 0);
    return 0;
}

static int scene_state(void)
{
    backend_cuda.worker->reset(); /* before there is a device */
    EXPECT(lines_of(getenv("FAKE_GPU_WATCHED"), "reset 1\n") == 0);
    EXPECT(prepare_product());
    backend_cuda.worker->reset();
    EXPECT(lines_of(getenv("FAKE_GPU_WATCHED"), "reset 1\n") == 1);
    return 0;
}

static int scene_describe(void)
{
    return cuda_describe_main(0, NULL);
}

static const struct {
    const char *name;
    int (*play)(void);
} scenes[] = {
    {"unbuilt", scene_unbuilt},        {"missing", scene_missing}, {"no_device", scene_no_device},
    {"device", scene_device},          {"runs", scene_runs},       {"other_stream", scene_other_stream},
    {"held_once", scene_held_once},    {"busy", scene_busy},       {"state", scene_state},
    {"describe-cuda", scene_describe},
};

SCENE(test_without_the_shared_object, unbuilt, "LD_LIBRARY_PATH", "@", "TILELAB_BACKENDS", "@/nowhere")

TEST(test_without_a_driver)
{
    if (dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL))
        skip_because("there is an NVIDIA driver");
    PLAY(no_device, "TILELAB_BACKENDS", "@/nowhere", "EXPECTED", "no NVIDIA driver on this machine");
}

SCENE(test_without_a_device, no_device, MACHINE, "FAKE_GPU_NONE", "1", "EXPECTED",
      "no usable GPU: no CUDA-capable device is detected")
SCENE(test_device_older_than_the_kernels, missing, MACHINE, "FAKE_GPU_OLD", "1", "EXPECTED",
      "Fake GPU has compute capability 7.5, and this CUDA Toolkit builds for 8.0 and up")
SCENE(test_shared_object_of_another_version, missing, MACHINE, "FAKE_GPU_VERSION", "1", "EXPECTED",
      "another version of tilelab")
SCENE(test_a_child_never_starts_another, missing, MACHINE, "TILELAB_DISCOVERING", "1", "EXPECTED", "gave no answer")
SCENE(test_device_is_described_by_a_child, device, MACHINE)
SCENE(test_runs_and_their_faults, runs, MACHINE)

TEST(test_kernel_on_another_stream_is_refused)
{
    PLAY(other_stream, MACHINE, "FAKE_GPU_RUN_S", "1e-5", "FAKE_GPU_EARLY", "1", "FAKE_GPU_WATCHED", "@/early",
         "EXPECTED",
         "the kernel was launched on another stream: pass (cudaStream_t)job->stream as the fourth launch argument");
    PLAY(other_stream, MACHINE, "FAKE_GPU_RUN_S", "1e-5", "FAKE_GPU_LATE", "1", "FAKE_GPU_WATCHED", "@/late",
         "EXPECTED",
         "the output still changed after the last event: launch all work on (cudaStream_t)job->stream, before launch "
         "returns");
}

TEST(test_outputs_are_looked_at_once)
{
    PLAY(held_once, MACHINE, "FAKE_GPU_RUN_S", "1e-5", "FAKE_GPU_WATCHED", "@/once");
    PLAY(held_once, MACHINE, "FAKE_GPU_RUN_S", "1e-5", "FAKE_GPU_BLIND", "9", "FAKE_GPU_WATCHED", "@/blind");
}

SCENE(test_work_after_the_last_event_is_timed_and_then_refused, busy, MACHINE, "FAKE_GPU_RUN_S", "1e-3",
      "FAKE_GPU_BUSY_S", "1e-3")
SCENE(test_state_of_the_device_is_restored, state, MACHINE, "FAKE_GPU_WATCHED", "@/state")

int main(int argc, char **argv)
{
    for (size_t i = 0; argc == 2 && i < sizeof scenes / sizeof *scenes; i++)
        if (strcmp(argv[1], scenes[i].name) == 0)
            return scenes[i].play();
    return test_all(compile_fakes, remove_folder);
}
