/* The device side of the SYCL backend: devices, memory, copies, events, errors.
 * SPDX-License-Identifier: MIT
 *
 * The SYCL compiler builds this file into tilelab-sycl.so together with the kernels. Everything goes through one queue
 * in order, so that a copy, a fill and a kernel never overlap. SYCL tells faults by exceptions, some of them later than
 * the call that caused them. Here each becomes a text and a status. */
#include "sycl_api.h"
#include "sycl_variant.h"
#include "backend/layout.h"
#include "base/timer.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

static sycl_stream *stream; /* NULL: no device is open */
static char error_text[240];
static bool failed; /* since sticky() was asked */
static std::string asynchronous;
static double last_copy_s = NAN;

static int fail(const char *what, const std::exception &caught)
{
    struct job job;
    failed = true;
    sycl_fail(&job, what, caught);
    const int code = errno;
    snprintf(error_text, sizeof error_text, "%s", job.error);
    errno = code;
    return -1;
}

/* SYCL calls this for errors that it finds while commands run. */
static void note(sycl::exception_list errors)
{
    for (const std::exception_ptr &error : errors)
        try {
            std::rethrow_exception(error);
        } catch (const std::exception &caught) {
            if (asynchronous.empty())
                asynchronous = caught.what();
        }
}

/* Waits for all commands. Returns non-zero if one of them has failed. */
static int wait(const char *what)
{
    try {
        stream->queue.wait_and_throw();
        if (asynchronous.empty())
            return 0;
        const std::runtime_error error(asynchronous);
        asynchronous.clear();
        return fail(what, error);
    } catch (const std::exception &caught) {
        asynchronous.clear();
        return fail(what, caught);
    }
}

/* ---- Devices ---- */

static std::string platform_of(const sycl::device &device)
{
    return device.get_platform().get_info<sycl::info::platform::name>();
}

/* All devices, sorted by the name of their platform. */
static std::vector<sycl::device> find_devices()
{
    std::vector<sycl::device> devices = sycl::device::get_devices();
    std::stable_sort(devices.begin(), devices.end(),
                     [](const sycl::device &a, const sycl::device &b) { return platform_of(a) < platform_of(b); });
    return devices;
}

static int count(int *devices)
{
    *devices = 0;
    try {
        *devices = static_cast<int>(find_devices().size());
        return 0;
    } catch (const std::exception &caught) {
        return fail("SYCL's devices", caught);
    }
}

template <size_t SIZE> static void put(char (&to)[SIZE], const std::string &text)
{
    snprintf(to, SIZE, "%.*s", static_cast<int>(SIZE) - 1, text.c_str());
}

static int64_t bounded(uint64_t number)
{
    return number > INT64_MAX ? INT64_MAX : static_cast<int64_t>(number);
}

static int describe(int number, struct found_device *to)
{
    namespace info = sycl::info::device;
    *to = found_device();
    try {
        const sycl::device device = find_devices().at(static_cast<size_t>(number));
        put(to->name, device.get_info<info::name>());
        put(to->platform, platform_of(device));
        put(to->version, device.get_info<info::version>());
        put(to->driver, device.get_info<info::driver_version>());
        put(to->kind, device.is_cpu() ? "CPU" : "GPU");
        to->available = to->compiler = 1;
        to->fp64 = device.has(sycl::aspect::fp64);
        to->usm = device.has(sycl::aspect::usm_device_allocations);
        to->compute_units = static_cast<int>(device.get_info<info::max_compute_units>());
        to->clock_mhz = static_cast<int>(device.get_info<info::max_clock_frequency>());
        to->group_items = static_cast<int>(std::min<size_t>(device.get_info<info::max_work_group_size>(), INT32_MAX));
        to->items_x = to->items_y = to->group_items;
        to->memory_bytes = bounded(device.get_info<info::global_mem_size>());
        to->allocation_bytes = bounded(device.get_info<info::max_mem_alloc_size>());
        to->local_bytes = bounded(device.get_info<info::local_mem_size>());
        return 0;
    } catch (const std::exception &caught) {
        return fail("a device of SYCL", caught);
    }
}

static int open_device(int number, void **opened)
{
    try {
        const sycl::device device = find_devices().at(static_cast<size_t>(number));
        const sycl::property_list properties{sycl::property::queue::in_order(),
                                             sycl::property::queue::enable_profiling()};
        stream = new sycl_stream{sycl::queue(device, note, properties), {}, {}, {}, false};
        *opened = stream;
        return 0;
    } catch (const std::exception &caught) {
        return fail("the device cannot be opened", caught);
    }
}

/* ---- Memory ---- */

static void *allocate(size_t bytes)
{
    try {
        void *memory = sycl::malloc_device(bytes, stream->queue);
        if (!memory)
            throw sycl::exception(sycl::make_error_code(sycl::errc::memory_allocation),
                                  "no device memory for " + std::to_string(bytes) + " bytes");
        return memory;
    } catch (const std::exception &caught) {
        fail("malloc_device", caught);
        return nullptr;
    }
}

static void release(void *memory)
{
    try {
        sycl::free(memory, stream->queue);
    } catch (const std::exception &caught) {
        fail("free", caught);
    }
}

/* Seconds from the start of one command to the end of another; both have ended. */
static double between_s(const sycl::event &first, const sycl::event &last)
{
    namespace info = sycl::info::event_profiling;
    try {
        const auto start = first.get_profiling_info<info::command_start>();
        const auto end = last.get_profiling_info<info::command_end>();
        return end < start ? NAN : 1e-9 * static_cast<double>(end - start);
    } catch (const std::exception &) {
        return NAN;
    }
}

static int transfer(const char *what, void *to, const void *from, size_t bytes)
{
    last_copy_s = NAN;
    try {
        const sycl::event event = stream->queue.memcpy(to, from, bytes);
        if (wait(what) != 0)
            return -1;
        last_copy_s = between_s(event, event);
        return 0;
    } catch (const std::exception &caught) {
        return fail(what, caught);
    }
}

static int upload(void *to, const void *from, size_t bytes)
{
    return transfer("upload", to, from, bytes);
}

static int download(void *to, const void *from, size_t bytes)
{
    return transfer("download", to, from, bytes);
}

static int copy(void *to, const void *from, size_t bytes)
{
    return transfer("copy", to, from, bytes);
}

static double copy_s()
{
    return last_copy_s;
}

/* Zeros and NaN keep their bits. */
template <typename T> static int negate_all(void *memory, int64_t first, int64_t count, int64_t stride)
{
    T *const data = static_cast<T *>(memory) + first;
    try {
        stream->queue.parallel_for(sycl::range<1>(static_cast<size_t>(count)), [=](sycl::id<1> i) {
            T &element = data[static_cast<int64_t>(i[0]) * stride];
            if (element < 0 || element > 0)
                element = -element;
        });
        return wait("negate");
    } catch (const std::exception &caught) {
        return fail("negate", caught);
    }
}

static int negate(void *memory, int64_t precision, int64_t first, int64_t count, int64_t stride)
{
    return precision == F32   ? negate_all<float>(memory, first, count, stride)
           : precision == F64 ? negate_all<double>(memory, first, count, stride)
                              : negate_all<int32_t>(memory, first, count, stride);
}

static int fill(void *to, int byte, size_t bytes)
{
    try {
        stream->queue.memset(to, byte, bytes);
        return wait("fill");
    } catch (const std::exception &caught) {
        return fail("fill", caught);
    }
}

/* ---- Buffers ---- */

/* Calls what(operand's address, bytes) for the operands of all runs. */
template <typename What>
static void each_operand(const struct job *job, const struct repeats *repeats, const size_t bytes[MAX_OPERANDS],
                         const What &what)
{
    for (int o = 0; o < MAX_OPERANDS && bytes[o] > 0; o++) {
        what(static_cast<unsigned char *>(job->operand[o]), bytes[o]);
        for (int i = 0; repeats->spare[o] && i < repeats->count - 1; i++)
            what(reinterpret_cast<unsigned char *>(repeats->spare[o]) +
                     static_cast<size_t>(i) * repeats->stride_bytes[o],
                 bytes[o]);
    }
}

/* Makes a buffer for each operand, with the operand's elements. */
static void fill_buffers(const struct job *job, const struct repeats *repeats, const size_t bytes[MAX_OPERANDS])
{
    each_operand(job, repeats, bytes, [](unsigned char *from, size_t size) {
        const sycl::range<1> range(size);
        auto &buffer = stream->buffers.insert_or_assign(from, sycl::buffer<unsigned char>(range)).first->second;
        stream->queue.submit([&](sycl::handler &handler) {
            sycl::accessor<unsigned char, 1, sycl::access::mode::write> to(buffer, handler);
            handler.parallel_for(range, [=](sycl::id<1> i) { to[i] = from[i[0]]; });
        });
    });
}

static void drain_buffers(const struct job *job, const struct repeats *repeats, const size_t bytes[MAX_OPERANDS])
{
    each_operand(job, repeats, bytes, [](unsigned char *to, size_t size) {
        auto &buffer = stream->buffers.at(to);
        stream->queue.submit([&](sycl::handler &handler) {
            sycl::accessor<unsigned char, 1, sycl::access::mode::read> from(buffer, handler);
            handler.parallel_for(sycl::range<1>(size), [=](sycl::id<1> i) { to[i[0]] = from[i]; });
        });
    });
}

/* ---- Runs ---- */

static int run_all(int (*launch)(struct job *), struct job *job, const struct repeats *repeats,
                   const size_t bytes[MAX_OPERANDS], struct clocks *clocks)
{
    const bool buffers = job->cell->memory == MEMORY_BUFFER;
    if (buffers) {
        fill_buffers(job, repeats, bytes);
        if (wait("copy into buffers") != 0)
            return -1;
    }
    stream->first.reset();
    stream->last.reset();
    stream->timed = clocks != nullptr;
    const double start_s = timer_now_s();
    const int status = repeats_run(repeats, launch, job);
    const int code = errno; /* of the launch that failed */
    stream->timed = false;
    failed = failed || status != 0;
    if (wait("kernel") != 0)
        return -1;
    if (clocks && status == 0) {
        clocks->host_s = timer_now_s() - start_s;
        clocks->busy_s = 0;
        errno = 0;
        if (!stream->first)
            return job_fail(job, "no command went through sycl_submit(), so that the time of the kernel is not known");
        clocks->events_s = between_s(*stream->first, *stream->last);
    }
    if (buffers && status == 0) {
        drain_buffers(job, repeats, bytes);
        if (wait("copy out of buffers") != 0)
            return -1;
    }
    errno = code;
    return status;
}

static int run(int (*launch)(struct job *), struct job *job, const struct repeats *repeats,
               const size_t bytes[MAX_OPERANDS], struct clocks *clocks)
{
    int status;
    try {
        status = run_all(launch, job, repeats, bytes, clocks);
    } catch (const std::exception &caught) {
        status = fail("kernel", caught);
    }
    const int code = errno;
    stream->buffers.clear();
    stream->first.reset();
    stream->last.reset();
    errno = code;
    return status;
}

/* After an error, asks the device for something small. */
static bool sticky()
{
    if (!stream || !failed)
        return false;
    failed = false;
    void *memory = allocate(sizeof(int));
    const bool lost = !memory || fill(memory, 0, sizeof(int)) != 0;
    if (memory)
        release(memory);
    failed = false;
    return lost;
}

static const char *last_error()
{
    return error_text;
}

SYCL_ENTRY const struct layout *tilelab_layout()
{
    return &layout_here;
}

SYCL_ENTRY const struct sycl_api *tilelab_sycl()
{
    static const struct sycl_api api = {
        SYCL_API_VERSION, count,  describe, open_device, allocate,   release, upload, download, fill, copy,
        negate,           copy_s, run,      sticky,      last_error,
    };
    return &api;
}
