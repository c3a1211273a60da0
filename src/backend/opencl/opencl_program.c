/* Compiles the text of a .cl file on the device, for the precision and the tile of a cell.
 * SPDX-License-Identifier: MIT */
#include "opencl.h"

#include "base/file.h"

#include <stdlib.h>
#include <string.h>

/* Stands before the text of a file. */
static const char prelude[] = "#ifdef REAL_IS_DOUBLE\n"
                              "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
                              "#endif\n"
                              "#define KERNEL __kernel __attribute__((reqd_work_group_size(GROUP_X, GROUP_Y, 1)))\n"
                              "#line 1 \"%s\"\n";

/* The name of the source in the compiler's words. */
static const char *shown_name(const struct entry *entry)
{
    enum { LONGEST = 120 };
    const bool is_plain = entry->shown && strlen(entry->shown) <= LONGEST && !strpbrk(entry->shown, "\"\\");
    return is_plain ? entry->shown : entry->file;
}

/* The text of the cell's kernel behind the prelude; the caller frees it. That of a user's own kernel lies in the cache
 * (own/own.h). A test reads changed kernels from a folder. */
static char *text_of(const struct entry *entry)
{
    const char *tested = getenv("TILELAB_TEST") ? getenv("TILELAB_OPENCL_SOURCES") : NULL;
    const char *folder = entry->objects ? entry->objects : tested;
    char path[4096], head[384], *own = NULL, *text = NULL;
    if (folder) {
        snprintf(path, sizeof path, "%s/%s", folder, entry->file);
        own = file_read(path, NULL);
    }
    const char *body = own ? own : opencl_source(entry->symbol);
    snprintf(head, sizeof head, prelude, shown_name(entry));
    if (body && (text = malloc(strlen(head) + strlen(body) + 1)))
        strcat(strcpy(text, head), body);
    free(own);
    return text;
}

static const char *kept_folder; /* see opencl_program_keep; NULL: nothing is kept */

void opencl_program_keep(const char *folder)
{
    kept_folder = folder;
    setenv("POCL_CACHE_DIR", folder, 1);
    setenv("POCL_KERNEL_CACHE", "1", 1);
}

/* The option that adds the lines of the source to the code, which stays the same; "": none is known for the driver. */
static const char *lines_option(const struct opencl_session *session)
{
    char version[128] = "";
    session->api->GetDeviceInfo(session->device, CL_DEVICE_VERSION, sizeof version - 1, version, NULL);
    return strstr(version, "PoCL") ? " -g" : strstr(version, "CUDA") ? " -nv-line-info" : "";
}

static void keep_program(const struct opencl_session *session, cl_program program)
{
    char path[4096];
    size_t size = 0;
    /* Asked for a program, PoCL would compile it once more, for groups of any size. */
    if (strcmp(lines_option(session), " -g") == 0 ||
        session->api->GetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL) != CL_SUCCESS)
        return;
    unsigned char *bytes = malloc(size + 1);
    snprintf(path, sizeof path, "%s/program", kept_folder);
    FILE *file = bytes ? fopen(path, "we") : NULL;
    if (file && session->api->GetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL) == CL_SUCCESS)
        fwrite(bytes, 1, size, file);
    if (file)
        fclose(file);
    free(bytes);
}

static void write_options(const struct opencl_session *session, const struct cell *cell, char *text, size_t size)
{
    static const char *const reals[] = {[F32] = "float", [F64] = "double", [I32] = "uint"};
    const char *real = reals[cell->precision];
    const struct geometry geometry = opencl_kernel_of(cell->entry)->geometry(cell);
    snprintf(text, size,
             "-cl-std=CL1.2 -D REAL=%s -D REAL4=%s4%s -D TILE=%lld -D PADDING=%lld -D GROUP_X=%d -D GROUP_Y=%d%s", real,
             real, cell->precision == F64 ? " -D REAL_IS_DOUBLE" : "", (long long)cell->tile, (long long)cell->padding,
             geometry.threads_x, geometry.threads_y, kept_folder ? lines_option(session) : "");
}

/* The first line of a log that tells an error, from the name of the file on; else the first line. NVIDIA's compiler
 * ignores #line: it calls the file "<kernel>" and counts the lines of the prelude too. */
static void first_complaint(const char *log, const char *file, char *text, size_t size)
{
    enum { PRELUDE_LINES = 5 };
    static const char unnamed[] = "<kernel>:";
    const char *at = strstr(log, "error:"), *line = log + strspn(log, " \n");
    char *rest;
    if (at) {
        for (line = at; line > log && line[-1] != '\n'; line--)
            continue;
        const char *name = strstr(line, file);
        if (name && name < at)
            line = name;
    }
    const int length = (int)strcspn(line, "\n");
    const long number =
        strncmp(line, unnamed, sizeof unnamed - 1) == 0 ? strtol(line + sizeof unnamed - 1, &rest, 10) : 0;
    if (number > PRELUDE_LINES)
        snprintf(text, size, "%s:%ld%.*s", file, number - PRELUDE_LINES, (int)(line + length - rest), rest);
    else
        snprintf(text, size, "%.*s", length, line);
}

/* Says why a build has failed. */
static void explain(const struct opencl_session *session, cl_program program, int error, struct job *job)
{
    size_t size = 0;
    session->api->GetProgramBuildInfo(program, session->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size);
    char *log = calloc(1, size + 1), line[150] = "";
    if (log && size > 0) {
        session->api->GetProgramBuildInfo(program, session->device, CL_PROGRAM_BUILD_LOG, size, log, NULL);
        first_complaint(log, shown_name(job->cell->entry), line, sizeof line);
        fprintf(stderr, "%s\n", log);
    }
    (void)job_fail(job, "the device's compiler fails (%s): %s", opencl_api_error(error),
                   *line ? line : "it leaves no log");
    free(log);
}

static cl_program build(const struct opencl_session *session, struct job *job, char *text)
{
    const struct opencl_api *api = session->api;
    char options[256];
    int error;
    const char *texts[] = {text};
    cl_program program = api->CreateProgramWithSource(session->context, 1, texts, NULL, &error);
    if (!program) {
        (void)job_fail(job, "clCreateProgramWithSource: %s", opencl_api_error(error));
        return NULL;
    }
    write_options(session, job->cell, options, sizeof options);
    error = api->BuildProgram(program, 1, &session->device, options, NULL, NULL);
    if (error == CL_SUCCESS && kept_folder)
        keep_program(session, program);
    if (error == CL_SUCCESS)
        return program;
    explain(session, program, error, job);
    api->ReleaseProgram(program);
    return NULL;
}

cl_kernel opencl_program_kernel(const struct opencl_session *session, struct job *job)
{
    const struct entry *entry = job->cell->entry;
    char *text = text_of(entry);
    if (!text) {
        (void)job_fail(job, "the program carries no text of %s (rebuild with `make`)", entry->file);
        return NULL;
    }
    cl_program program = build(session, job, text);
    free(text);
    if (!program)
        return NULL;
    int error;
    cl_kernel kernel = session->api->CreateKernel(program, opencl_kernel_of(entry)->name, &error);
    if (!kernel)
        (void)job_fail(job, "clCreateKernel %s: %s", opencl_kernel_of(entry)->name, opencl_api_error(error));
    session->api->ReleaseProgram(program); /* the kernel holds it */
    return kernel;
}
