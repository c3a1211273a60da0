/* The texts of all .cl files, which the build writes into opencl_sources.def.
 * SPDX-License-Identifier: MIT */
#include "opencl.h"

#include <string.h>

const char *opencl_source(const char *symbol)
{
    static const struct {
        const char *symbol, *text;
    } sources[] = {
#define SOURCE(symbol, text) {#symbol, text},
#include "opencl_sources.def"
#undef SOURCE
        {NULL, NULL},
    };
    size_t i = 0;
    while (sources[i].symbol && strcmp(sources[i].symbol, symbol) != 0)
        i++;
    return sources[i].text;
}
