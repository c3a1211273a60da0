/* Changes to an experiment file that the command line asks for, such as "n=512,1024".
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_PLAN_SETTINGS_H
#define TILELAB_PLAN_SETTINGS_H

#include "base/yaml.h"

/* Whether a text has the form of a setting, "key=value". The key is `variant`, an axis, or a key of `measure`. The
 * value is written as in the file, but a list needs no brackets. */
bool settings_allow(const char *text);

/* A setting as a line of an experiment file, "n: [512,1024]" and a newline; the caller frees it. */
char *settings_line(const char *setting);

/* The settings as a map of YAML with a line for each; the caller frees it with yaml_free. Each text has the form that
 * settings_allow demands. A fault is told as --set:number:column. */
struct yaml *settings_read(const char *const settings[], size_t count);

#endif
