/* The part of OpenCL 1.2 that the backend uses. The library is loaded at run time and declared here, so that neither a
 * build nor a machine needs OpenCL.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_BACKEND_OPENCL_API_H
#define TILELAB_BACKEND_OPENCL_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Handles are pointers. Of all functions only the types of their arguments matter to the linker. */
typedef struct cl_platform_ *cl_platform;
typedef struct cl_device_ *cl_device;
typedef struct cl_context_ *cl_context;
typedef struct cl_queue_ *cl_queue;
typedef struct cl_memory_ *cl_memory;
typedef struct cl_program_ *cl_program;
typedef struct cl_kernel_ *cl_kernel;
typedef struct cl_event_ *cl_event;

/* Constants, with the values of the specification. */
enum {
    CL_SUCCESS = 0,
    CL_DEVICE_NOT_FOUND = -1,
    CL_DEVICE_NOT_AVAILABLE = -2,
    CL_MEM_OBJECT_ALLOCATION_FAILURE = -4,
    CL_OUT_OF_RESOURCES = -5,
    CL_OUT_OF_HOST_MEMORY = -6,
    CL_BUILD_PROGRAM_FAILURE = -11,
    CL_INVALID_DEVICE = -33,
    CL_INVALID_CONTEXT = -34,
    CL_INVALID_COMMAND_QUEUE = -36,
    CL_INVALID_WORK_GROUP_SIZE = -54,
    CL_INVALID_BUFFER_SIZE = -61,
    CL_PLATFORM_NOT_FOUND = -1001,
    CL_TRUE = 1,
    CL_PLATFORM_VERSION = 0x0901,
    CL_PLATFORM_NAME = 0x0902,
    CL_DEVICE_TYPE = 0x1000,
    CL_DEVICE_VENDOR_ID = 0x1001,
    CL_DEVICE_MAX_COMPUTE_UNITS = 0x1002,
    CL_DEVICE_MAX_WORK_GROUP_SIZE = 0x1004,
    CL_DEVICE_MAX_WORK_ITEM_SIZES = 0x1005,
    CL_DEVICE_MAX_CLOCK_FREQUENCY = 0x100C,
    CL_DEVICE_MAX_MEM_ALLOC_SIZE = 0x1010,
    CL_DEVICE_GLOBAL_MEM_CACHE_SIZE = 0x101E,
    CL_DEVICE_GLOBAL_MEM_SIZE = 0x101F,
    CL_DEVICE_LOCAL_MEM_SIZE = 0x1023,
    CL_DEVICE_AVAILABLE = 0x1027,
    CL_DEVICE_COMPILER_AVAILABLE = 0x1028,
    CL_DEVICE_NAME = 0x102B,
    CL_DRIVER_VERSION = 0x102D,
    CL_DEVICE_VERSION = 0x102F,
    CL_DEVICE_EXTENSIONS = 0x1030,
    CL_DEVICE_DOUBLE_FP_CONFIG = 0x1032,
    CL_DEVICE_PCI_BUS_INFO_KHR = 0x410F,
    CL_QUEUE_PROFILING_ENABLE = 2,
    CL_MEM_READ_WRITE = 1,
    CL_PROGRAM_BINARY_SIZES = 0x1165,
    CL_PROGRAM_BINARIES = 0x1166,
    CL_PROGRAM_BUILD_LOG = 0x1183,
    CL_PROFILING_COMMAND_START = 0x1282,
    CL_PROFILING_COMMAND_END = 0x1283
};
#define CL_DEVICE_TYPE_CPU (UINT64_C(1) << 1)
#define CL_DEVICE_TYPE_GPU (UINT64_C(1) << 2)
#define CL_DEVICE_TYPE_ALL UINT64_C(0xFFFFFFFF)

/* The functions, as CALL(name, result, arguments). */
#define OPENCL_CALLS(CALL) \
    CALL(GetPlatformIDs, int, (uint32_t count, cl_platform * platforms, uint32_t * found)) \
    CALL(GetPlatformInfo, int, (cl_platform platform, uint32_t what, size_t size, void *to, size_t *got)) \
    CALL(GetDeviceIDs, int, \
         (cl_platform platform, uint64_t type, uint32_t count, cl_device * devices, uint32_t * found)) \
    CALL(GetDeviceInfo, int, (cl_device device, uint32_t what, size_t size, void *to, size_t *got)) \
    CALL(CreateContext, cl_context, \
         (const intptr_t *properties, uint32_t count, const cl_device *devices, \
          void (*tell)(const char *, const void *, size_t, void *), void *data, int *error)) \
    CALL(CreateCommandQueue, cl_queue, (cl_context context, cl_device device, uint64_t properties, int *error)) \
    CALL(CreateBuffer, cl_memory, (cl_context context, uint64_t flags, size_t size, void *host, int *error)) \
    CALL(ReleaseMemObject, int, (cl_memory memory)) \
    CALL(CreateProgramWithSource, cl_program, \
         (cl_context context, uint32_t count, const char **text, const size_t *length, int *error)) \
    CALL(BuildProgram, int, \
         (cl_program program, uint32_t count, const cl_device *devices, const char *options, \
          void (*tell)(cl_program, void *), void *data)) \
    CALL(GetProgramBuildInfo, int, \
         (cl_program program, cl_device device, uint32_t what, size_t size, void *to, size_t *got)) \
    CALL(GetProgramInfo, int, (cl_program program, uint32_t what, size_t size, void *to, size_t *got)) \
    CALL(ReleaseProgram, int, (cl_program program)) \
    CALL(CreateKernel, cl_kernel, (cl_program program, const char *name, int *error)) \
    CALL(SetKernelArg, int, (cl_kernel kernel, uint32_t index, size_t size, const void *value)) \
    CALL(ReleaseKernel, int, (cl_kernel kernel)) \
    CALL(EnqueueNDRangeKernel, int, \
         (cl_queue queue, cl_kernel kernel, uint32_t dimensions, const size_t *offset, const size_t *global, \
          const size_t *local, uint32_t waits, const cl_event *wait, cl_event *event)) \
    CALL(EnqueueReadBuffer, int, \
         (cl_queue queue, cl_memory from, uint32_t blocking, size_t offset, size_t size, void *to, uint32_t waits, \
          const cl_event *wait, cl_event *event)) \
    CALL(EnqueueWriteBuffer, int, \
         (cl_queue queue, cl_memory to, uint32_t blocking, size_t offset, size_t size, const void *from, \
          uint32_t waits, const cl_event *wait, cl_event *event)) \
    CALL(EnqueueWriteBufferRect, int, \
         (cl_queue queue, cl_memory to, uint32_t blocking, const size_t *to_origin, const size_t *from_origin, \
          const size_t *region, size_t to_row, size_t to_slice, size_t from_row, size_t from_slice, const void *from, \
          uint32_t waits, const cl_event *wait, cl_event *event)) \
    CALL(EnqueueCopyBuffer, int, \
         (cl_queue queue, cl_memory from, cl_memory to, size_t from_offset, size_t to_offset, size_t size, \
          uint32_t waits, const cl_event *wait, cl_event *event)) \
    CALL(EnqueueCopyBufferRect, int, \
         (cl_queue queue, cl_memory from, cl_memory to, const size_t *from_origin, const size_t *to_origin, \
          const size_t *region, size_t from_row, size_t from_slice, size_t to_row, size_t to_slice, uint32_t waits, \
          const cl_event *wait, cl_event *event)) \
    CALL(EnqueueFillBuffer, int, \
         (cl_queue queue, cl_memory memory, const void *pattern, size_t pattern_size, size_t offset, size_t size, \
          uint32_t waits, const cl_event *wait, cl_event *event)) \
    CALL(Finish, int, (cl_queue queue)) \
    CALL(ReleaseEvent, int, (cl_event event)) \
    CALL(GetEventProfilingInfo, int, (cl_event event, uint32_t what, size_t size, void *to, size_t *got))

struct opencl_api {
#define CALL(name, result, arguments) result(*name) arguments;
    OPENCL_CALLS(CALL)
#undef CALL
};

/* Loads the library; NULL, with `why`, if this machine has none that can be used. */
const struct opencl_api *opencl_api_open(char *why, size_t size);

/* The specification's word for an error, "CL_OUT_OF_RESOURCES"; a number for a rare one. */
const char *opencl_api_error(int code);

/* All devices, platform by platform in the order of the platforms' names, so that a number means the same device
 * whatever order the loader finds platforms in. Returns how many, at most `most`. */
int opencl_api_devices(const struct opencl_api *api, cl_device *device, cl_platform *platform, int most);

#endif
