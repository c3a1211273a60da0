/* An OpenCL library whose faults a test chooses: libOpenCL.so.1 for tests/system/opencl.bats. Its memory is the host's,
 * and its kernels compute nothing.
 * SPDX-License-Identifier: MIT
 *
 *     FAKE_OPENCL_PLATFORMS=0   there is no platform
 *     FAKE_OPENCL_DEVICES=0     the platform has no device
 *     FAKE_OPENCL_CRASH=1       looking for devices crashes
 *     FAKE_OPENCL_FP64=0        the device has no f64
 *     FAKE_OPENCL_ITEMS=N       work items that a group may have (default 256)
 *     FAKE_OPENCL_LOCAL=N       bytes of local memory (default 16384)
 *     FAKE_OPENCL_LOST=N        the device is gone after N launches
 *     FAKE_OPENCL_GONE=1        the device is gone when a worker opens it
 *     FAKE_OPENCL_LOG=TEXT      no kernel compiles: the log of the compiler
 *     FAKE_OPENCL_PROGRAM=TEXT  what the driver gives as the compiled program
 */
#include "backend/opencl/opencl_api.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

static long setting(const char *name, long otherwise)
{
    const char *text = getenv(name);
    return text ? strtol(text, NULL, 10) : otherwise;
}

static int handle; /* what handles of this library point to */
static long launches;

int clGetPlatformIDs(uint32_t count, cl_platform *platforms, uint32_t *found)
{
    if (setting("FAKE_OPENCL_CRASH", 0))
        raise(SIGSEGV);
    *found = (uint32_t)setting("FAKE_OPENCL_PLATFORMS", 1);
    if (count > 0 && *found > 0)
        platforms[0] = (cl_platform)&handle;
    return *found > 0 ? CL_SUCCESS : CL_PLATFORM_NOT_FOUND;
}

static int give(const void *from, size_t length, size_t size, void *to, size_t *got)
{
    if (got)
        *got = length;
    if (to)
        memcpy(to, from, length < size ? length : size);
    return CL_SUCCESS;
}

int clGetPlatformInfo(cl_platform platform, uint32_t what, size_t size, void *to, size_t *got)
{
    (void)platform, (void)what;
    return give("Fake Platform", sizeof "Fake Platform", size, to, got);
}

int clGetDeviceIDs(cl_platform platform, uint64_t type, uint32_t count, cl_device *devices, uint32_t *found)
{
    (void)platform, (void)type, (void)count;
    const bool gone = setting("FAKE_OPENCL_GONE", 0) && !getenv("TILELAB_DISCOVERING");
    *found = gone ? 0 : (uint32_t)setting("FAKE_OPENCL_DEVICES", 1);
    if (*found == 0)
        return CL_DEVICE_NOT_FOUND;
    devices[0] = (cl_device)&handle;
    return CL_SUCCESS;
}

int clGetDeviceInfo(cl_device device, uint32_t what, size_t size, void *to, size_t *got)
{
    (void)device;
    const size_t items[3] = {1024, 1024, 64};
    const uint32_t bus[4] = {0, 1, 0, 0};
    uint64_t number = 1;
    switch (what) {
    case CL_DEVICE_NAME:
        return give("Fake Device", sizeof "Fake Device", size, to, got);
    case CL_DEVICE_VERSION:
    case CL_DRIVER_VERSION:
        return give("1.0", sizeof "1.0", size, to, got);
    case CL_DEVICE_EXTENSIONS:
        return give("", 1, size, to, got);
    case CL_DEVICE_MAX_WORK_ITEM_SIZES:
        return give(items, sizeof items, size, to, got);
    case CL_DEVICE_VENDOR_ID:
        number = 0x10DE; /* NVIDIA */
        break;
    case CL_DEVICE_PCI_BUS_INFO_KHR:
        return give(bus, sizeof bus, size, to, got);
    case CL_DEVICE_TYPE:
        number = CL_DEVICE_TYPE_GPU;
        break;
    case CL_DEVICE_MAX_WORK_GROUP_SIZE:
        number = (uint64_t)setting("FAKE_OPENCL_ITEMS", 256);
        break;
    case CL_DEVICE_LOCAL_MEM_SIZE:
        number = (uint64_t)setting("FAKE_OPENCL_LOCAL", 16384);
        break;
    case CL_DEVICE_DOUBLE_FP_CONFIG:
        number = (uint64_t)setting("FAKE_OPENCL_FP64", 1);
        break;
    case CL_DEVICE_GLOBAL_MEM_SIZE:
    case CL_DEVICE_MAX_MEM_ALLOC_SIZE:
        number = UINT64_C(1) << 30;
        break;
    }
    return give(&number, size, size, to, got);
}

cl_context clCreateContext(const intptr_t *properties, uint32_t count, const cl_device *devices,
                           void (*tell)(const char *, const void *, size_t, void *), void *data, int *error)
{
    (void)properties, (void)count, (void)devices, (void)tell, (void)data;
    *error = CL_SUCCESS;
    return (cl_context)&handle;
}

cl_queue clCreateCommandQueue(cl_context context, cl_device device, uint64_t properties, int *error)
{
    (void)context, (void)device, (void)properties;
    *error = CL_SUCCESS;
    return (cl_queue)&handle;
}

cl_memory clCreateBuffer(cl_context context, uint64_t flags, size_t size, void *host, int *error)
{
    (void)context, (void)flags, (void)host;
    *error = CL_SUCCESS;
    return (cl_memory)calloc(1, size);
}

int clReleaseMemObject(cl_memory memory)
{
    free(memory);
    return CL_SUCCESS;
}

cl_program clCreateProgramWithSource(cl_context context, uint32_t count, const char **text, const size_t *length,
                                     int *error)
{
    (void)context, (void)count, (void)text, (void)length;
    *error = CL_SUCCESS;
    return (cl_program)&handle;
}

int clBuildProgram(cl_program program, uint32_t count, const cl_device *devices, const char *options,
                   void (*tell)(cl_program, void *), void *data)
{
    (void)program, (void)count, (void)devices, (void)options, (void)tell, (void)data;
    return getenv("FAKE_OPENCL_LOG") ? CL_BUILD_PROGRAM_FAILURE : CL_SUCCESS;
}

int clGetProgramBuildInfo(cl_program program, cl_device device, uint32_t what, size_t size, void *to, size_t *got)
{
    (void)program, (void)device, (void)what;
    const char *log = getenv("FAKE_OPENCL_LOG") ? getenv("FAKE_OPENCL_LOG") : "";
    return give(log, strlen(log) + 1, size, to, got);
}

int clGetProgramInfo(cl_program program, uint32_t what, size_t size, void *to, size_t *got)
{
    (void)program;
    const char *text = getenv("FAKE_OPENCL_PROGRAM") ? getenv("FAKE_OPENCL_PROGRAM") : "";
    const size_t length = strlen(text);
    if (what == CL_PROGRAM_BINARIES)
        return give(text, length, length, *(void **)to, got);
    return give(&length, sizeof length, size, to, got);
}

int clReleaseProgram(cl_program program)
{
    (void)program;
    return CL_SUCCESS;
}

cl_kernel clCreateKernel(cl_program program, const char *name, int *error)
{
    (void)program, (void)name;
    *error = CL_SUCCESS;
    return (cl_kernel)&handle;
}

int clSetKernelArg(cl_kernel kernel, uint32_t index, size_t size, const void *value)
{
    (void)kernel, (void)index, (void)size, (void)value;
    return CL_SUCCESS;
}

int clReleaseKernel(cl_kernel kernel)
{
    (void)kernel;
    return CL_SUCCESS;
}

static int done(cl_event *event)
{
    if (event)
        *event = (cl_event)&handle;
    return CL_SUCCESS;
}

int clEnqueueNDRangeKernel(cl_queue queue, cl_kernel kernel, uint32_t dimensions, const size_t *offset,
                           const size_t *global, const size_t *local, uint32_t waits, const cl_event *wait,
                           cl_event *event)
{
    (void)queue, (void)kernel, (void)dimensions, (void)offset, (void)global, (void)local, (void)waits, (void)wait;
    if (++launches > setting("FAKE_OPENCL_LOST", 1000000))
        return CL_DEVICE_NOT_AVAILABLE;
    return done(event);
}

int clEnqueueReadBuffer(cl_queue queue, cl_memory from, uint32_t blocking, size_t offset, size_t size, void *to,
                        uint32_t waits, const cl_event *wait, cl_event *event)
{
    (void)queue, (void)blocking, (void)waits, (void)wait;
    memcpy(to, (char *)from + offset, size);
    return done(event);
}

int clEnqueueWriteBuffer(cl_queue queue, cl_memory to, uint32_t blocking, size_t offset, size_t size, const void *from,
                         uint32_t waits, const cl_event *wait, cl_event *event)
{
    (void)queue, (void)blocking, (void)offset, (void)waits, (void)wait;
    memcpy(to, from, size);
    return done(event);
}

int clEnqueueWriteBufferRect(cl_queue queue, cl_memory to, uint32_t blocking, const size_t *to_origin,
                             const size_t *from_origin, const size_t *region, size_t to_row, size_t to_slice,
                             size_t from_row, size_t from_slice, const void *from, uint32_t waits, const cl_event *wait,
                             cl_event *event)
{
    (void)queue, (void)blocking, (void)to_slice, (void)from_slice, (void)waits, (void)wait;
    for (size_t row = 0; row < region[1]; row++)
        memcpy((char *)to + to_origin[0] + (to_origin[1] + row) * to_row,
               (const char *)from + from_origin[0] + (from_origin[1] + row) * from_row, region[0]);
    return done(event);
}

int clEnqueueCopyBuffer(cl_queue queue, cl_memory from, cl_memory to, size_t from_offset, size_t to_offset, size_t size,
                        uint32_t waits, const cl_event *wait, cl_event *event)
{
    (void)queue, (void)from_offset, (void)to_offset, (void)waits, (void)wait;
    memcpy(to, from, size);
    return done(event);
}

int clEnqueueCopyBufferRect(cl_queue queue, cl_memory from, cl_memory to, const size_t *from_origin,
                            const size_t *to_origin, const size_t *region, size_t from_row, size_t from_slice,
                            size_t to_row, size_t to_slice, uint32_t waits, const cl_event *wait, cl_event *event)
{
    (void)queue, (void)from_origin, (void)to_origin, (void)from_slice, (void)to_slice, (void)waits, (void)wait;
    for (size_t row = 0; row < region[1]; row++)
        memcpy((char *)to + row * to_row, (char *)from + row * from_row, region[0]);
    return done(event);
}

int clEnqueueFillBuffer(cl_queue queue, cl_memory memory, const void *pattern, size_t pattern_size, size_t offset,
                        size_t size, uint32_t waits, const cl_event *wait, cl_event *event)
{
    (void)queue, (void)pattern_size, (void)offset, (void)waits, (void)wait;
    memset(memory, *(const unsigned char *)pattern, size);
    return done(event);
}

int clFinish(cl_queue queue)
{
    (void)queue;
    return CL_SUCCESS;
}

int clReleaseEvent(cl_event event)
{
    (void)event;
    return CL_SUCCESS;
}

int clGetEventProfilingInfo(cl_event event, uint32_t what, size_t size, void *to, size_t *got)
{
    (void)event;
    const uint64_t time = what == CL_PROFILING_COMMAND_START ? 1000 : 21000;
    return give(&time, sizeof time, size, to, got);
}
