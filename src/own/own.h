/* Kernels and problems of a user's own folder, which need no line of kernels/registry.def and no build of the program.
 * SPDX-License-Identifier: MIT
 *
 * Each file of the folder, or of a folder in it, that holds VARIANT(problem, file) is a kernel, and NAME/problem.c is
 * the problem NAME. tools/own-kernel compiles them with the lines that compiled the program, into shared objects in a
 * cache. A file has a folder of the cache to itself, named by a hash of the file, of the headers that it may include,
 * and of this program. The program loads the object with the description when the folder is named, and a worker loads
 * the build that a cell asks for. The objects of the folder export what those of the tree do, and run nothing when they
 * are loaded: tools/kernel-symbols refuses others. */
#ifndef TILELAB_OWN_OWN_H
#define TILELAB_OWN_OWN_H

#include "registry.h"
#include "base/yaml.h"

/* Adds the kernels and problems of a folder to the registry, which nobody may have asked before. A file that does not
 * compile is told on stderr and left out. A folder that cannot be read, or two kernels of one name, end the program. */
void own_use(const char *folder);
/* From now on own_use compiles nothing and tells nothing: it adds what the cache has. */
void own_compile_nothing(void);
/* The same for the folder that the key `kernels` of an experiment file names, if it names one and the registry was not
 * asked before. A folder that cannot be read is a fault of the file. */
void own_use_experiment(struct yaml *yaml);
/* The same for a query, which compiles nothing and tells nothing: it adds what the cache has. */
void own_know_experiment(const struct yaml *yaml);

/* At the start of a subcommand. A worker, and every other process that this program starts from itself (`internal`),
 * loads what its parent has loaded. Another subcommand knows, as a query does, the folders that the environment
 * variable TILELAB_KERNELS names, one a line. */
void own_inherit(bool internal);
/* Adds the folder of an experiment file to TILELAB_KERNELS, for the program that this process becomes. */
void own_export_experiment(const struct yaml *yaml);

/* Whether a file of the folders was left out, or one of its builds failed; own_is_left_out: whether a pattern matches
 * the name of a kernel that was left out. */
bool own_any_left_out(void);
bool own_is_left_out(const char *pattern);

/* Compiles what a cell of such a kernel needs, and the variant that verifies it, unless the cache has them. False,
 * after the compiler's words on stderr, if the cell's kernel does not compile; the worker then fails the cell. */
bool own_build(const struct cell *cell);

#endif
