/* Small text files of the kernel, below a root that tests can replace.
 * SPDX-License-Identifier: MIT */
#include "procfs.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static FILE *open_path(const char *root, const char *format, va_list args)
{
    char path[4096];
    const int length = snprintf(path, sizeof path, "%s", root);
    if (length < 0 || (size_t)length >= sizeof path)
        return NULL;
    const int rest = vsnprintf(path + length, sizeof path - (size_t)length, format, args);
    if (rest < 0 || (size_t)rest >= sizeof path - (size_t)length)
        return NULL;
    return fopen(path, "re");
}

static bool first_line(FILE *file, char *text, size_t size)
{
    text[0] = '\0';
    if (file == NULL)
        return false;
    const bool found = fgets(text, (int)size, file) != NULL;
    fclose(file);
    if (found)
        text[strcspn(text, "\n")] = '\0';
    else
        text[0] = '\0';
    return found;
}

FILE *procfs_open(const char *root, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    FILE *file = open_path(root, format, args);
    va_end(args);
    return file;
}

bool procfs_line(char *text, size_t size, const char *root, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const bool found = first_line(open_path(root, format, args), text, size);
    va_end(args);
    return found;
}

int64_t procfs_integer(int64_t otherwise, const char *root, const char *format, ...)
{
    char text[64], *end;
    va_list args;
    va_start(args, format);
    const bool found = first_line(open_path(root, format, args), text, sizeof text);
    va_end(args);
    if (!found)
        return otherwise;
    errno = 0;
    const long long value = strtoll(text, &end, 10);
    return end == text || errno != 0 ? otherwise : value;
}

double procfs_decimal(const char *text)
{
    double value = 0, unit = 1;
    while (isspace((unsigned char)*text))
        text++;
    for (; isdigit((unsigned char)*text); text++)
        value = 10 * value + (*text - '0');
    if (*text == '.') {
        for (text++; isdigit((unsigned char)*text); text++) {
            unit /= 10;
            value += unit * (*text - '0');
        }
    }
    return value;
}
