/* A cell: its axes, its work, its bytes and its identity.
 * SPDX-License-Identifier: MIT */
#include "cell.h"

#include "registry.h"
#include "base/number.h"
#include "base/text.h"

#include <sha2.h>
#include <string.h>

const char *const cell_precision_names[] = {"", "f32", "f64", "i32", NULL};
#define DEVICES_0(name)
#define DEVICES_8(name) name ":0", name ":1", name ":2", name ":3", name ":4", name ":5", name ":6", name ":7",
const char *const cell_device_names[] = {
    "",
#define BACKEND(id, name, suffix, kind, made, devices, axes) DEVICES_##devices(#name)
#include "backends.def"
#undef BACKEND
    NULL,
};
const char *const cell_isa_names[] = {"", "base", "v3", "v4", NULL};
const char *const cell_opt_names[] = {"", "O2", "O3", NULL};

const char *const cell_memory_names[] = {"", "usm", "buffer", NULL};
const char *const cell_cache_names[] = {"", "hot", "cold", NULL};
const char *const cell_host_memory_names[] = {"", "pageable", "pinned", NULL};
const char *const cell_inputs_names[] = {"", "uniform", "normal", "integers", "zeros", "small", NULL};

const char *const cell_role_names[] = {"shape", "condition", "place", "tuning", "build", NULL};

const struct axis cell_axes[AXES] = {
#define AXIS(field, key, kind, role, names, lowest, highest, label, unset, meaning) \
    {#field, key, kind, ROLE_##role, names, lowest, highest, label, unset, meaning, offsetof(struct cell, field)},
#include "axes.def"
#undef AXIS
};

bool cell_shares_inputs(const struct cell *a, const struct cell *b)
{
    return a->entry->problem == b->entry->problem && a->entry->meta->pivoting == b->entry->meta->pivoting &&
           a->entry->meta->column_major == b->entry->meta->column_major && a->inputs == b->inputs;
}

bool cell_shares_operands(const struct cell *a, const struct cell *b)
{
    return cell_shares_inputs(a, b) && a->precision == b->precision && a->m == b->m && a->n == b->n && a->k == b->k;
}

static double expected_sweeps(const struct cell *cell)
{
    const struct problem *problem = cell->entry->problem;
    return problem->sweeps ? problem->sweeps(cell) : 1;
}

double cell_flops(const struct cell *cell)
{
    return expected_sweeps(cell) * cell->entry->problem->flops(cell);
}

double cell_executed_flops(const struct cell *cell)
{
    const struct problem *problem = cell->entry->problem;
    return problem->whole_flops && !cell->entry->meta->halved ? problem->whole_flops(cell) : cell_flops(cell);
}

double cell_recount(const struct problem *problem, const struct cell *shape, double flops)
{
    const bool whole = problem && problem->whole_flops && flops == problem->whole_flops(shape);
    return whole ? problem->flops(shape) : flops;
}

double cell_traffic(const struct cell *cell)
{
    return expected_sweeps(cell) * cell->entry->problem->bytes(cell);
}

enum inputs cell_inputs(const struct cell *cell)
{
    static const enum inputs kinds[] = {INPUTS_RANDOM, INPUTS_RANDOM, INPUTS_NORMAL,
                                        INPUTS_EXACT,  INPUTS_ZEROS,  INPUTS_SMALL};
    return kinds[cell->inputs];
}

bool cell_has_inputs(const struct cell *cell, enum inputs inputs)
{
    const struct problem *problem = cell->entry->problem;
    return inputs == INPUTS_RANDOM || (inputs == INPUTS_EXACT && cell_has_exact(cell)) ||
           (problem->has_special && problem->has_special(cell, inputs));
}

bool cell_has_exact(const struct cell *cell)
{
    const struct problem *problem = cell->entry->problem;
    return problem->has_exact && problem->has_exact(cell);
}

const struct variant *cell_meta(const struct cell *cell)
{
    return cell->entry->meta;
}

const struct variant *cell_variant(const struct cell *cell)
{
    if (registry_backends[cell->entry->backend].made != MADE_BUILDS)
        return cell->entry->meta;
    return cell->entry->build[cell->precision][cell->opt][cell->isa];
}

bool cell_is_built(const struct cell *cell)
{
    return cell->entry->objects || cell_variant(cell);
}

void cell_object_name(const struct cell *cell, char name[CELL_OBJECT_SIZE])
{
    const enum registry_made made = registry_backends[cell->entry->backend].made;
    if (made == MADE_BUILDS)
        snprintf(name, CELL_OBJECT_SIZE, "%s_%s_%s", cell_precision_names[cell->precision], cell_opt_names[cell->opt],
                 cell_isa_names[cell->isa]);
    else
        snprintf(name, CELL_OBJECT_SIZE, made == MADE_DEVICE ? "device" : "description");
}

size_t cell_axis_print(int axis, int64_t value, char text[NUMBER_SIZE])
{
    text[0] = '\0';
    if (value == 0)
        return 0;
    if (cell_axes[axis].kind == DECIMAL)
        return number_print_decimal(value, text);
    if (cell_axes[axis].kind == NAME)
        return (size_t)snprintf(text, NUMBER_SIZE, "%s", cell_axes[axis].names[value]);
    return (size_t)snprintf(text, NUMBER_SIZE, "%lld", (long long)value);
}

bool cell_axis_read(int axis, const char *text, size_t length, int64_t *value)
{
    const struct axis *const type = &cell_axes[axis];
    *value = 0;
    if (length == 0)
        return true;
    if (type->kind == COUNT)
        return number_read_count(text, length, value);
    if (type->kind == DECIMAL)
        return number_read_decimal(text, length, value);
    for (int64_t i = type->lowest; i <= type->highest; i++)
        if (text_is(text, length, type->names[i])) {
            *value = i;
            return true;
        }
    return false;
}

int64_t cell_default(const struct entry *entry, int axis)
{
    const bool device = axis == AXIS_device_id && registry_backends[entry->backend].devices > 0;
    return device ? registry_device(entry->backend, 0) : cell_value(&entry->meta->defaults, axis);
}

int cell_axis_find(const char *text, size_t length)
{
    for (int axis = 0; axis < AXES; axis++)
        if (text_is(text, length, cell_axes[axis].key))
            return axis;
    return -1;
}

size_t cell_precision_size(int64_t precision)
{
    return precision == F64 ? sizeof(double) : sizeof(float);
}

int64_t cell_operand_bytes(const struct cell *cell, int operand)
{
    const struct problem *problem = cell->entry->problem;
    const int64_t element = problem->element_bytes[operand] ? problem->element_bytes[operand]
                                                            : (int64_t)cell_precision_size(cell->precision);
    int64_t rows, cols, bytes;
    problem->operand[operand].shape(cell, &rows, &cols);
    if (__builtin_mul_overflow(rows, cols, &bytes) || __builtin_mul_overflow(bytes, element, &bytes))
        return INT64_MAX;
    return bytes;
}

int64_t cell_bytes(const struct cell *cell)
{
    const struct problem *problem = cell->entry->problem;
    int64_t sum = 0;
    for (int i = 0; i < problem->operand_count; i++)
        for (int copies = problem->operand[i].role == INOUT ? 2 : 1; copies > 0; copies--)
            if (__builtin_add_overflow(sum, cell_operand_bytes(cell, i), &sum))
                return INT64_MAX;
    return sum;
}

void cell_precisions_print(unsigned precisions, char *text, size_t size)
{
    size_t at = 0;
    text[0] = '\0';
    for (int i = F32; i <= PRECISIONS && at < size; i++)
        if (precisions & BIT(i))
            at += (size_t)snprintf(text + at, size - at, "%s%s", at ? " " : "", cell_precision_names[i]);
}

/* ---- Identity ---- */

int cell_compare(const void *a, const void *b)
{
    static const int point[] = {AXIS_precision, AXIS_m, AXIS_n, AXIS_k};
    const struct cell *x = a, *y = b;
    /* The registry is one array in ladder order, problem by problem, so that addresses compare as the ladder does. */
    if (x->entry->problem != y->entry->problem)
        return x->entry < y->entry ? -1 : 1;
    for (size_t i = 0; i < sizeof point / sizeof *point; i++) {
        const int64_t one = cell_value(x, point[i]), other = cell_value(y, point[i]);
        if (one != other)
            return one < other ? -1 : 1;
    }
    if (x->entry != y->entry)
        return x->entry < y->entry ? -1 : 1;
    for (int axis = 0; axis < AXES; axis++) {
        const int64_t one = cell_value(x, axis), other = cell_value(y, axis);
        if (one != other)
            return one < other ? -1 : 1;
    }
    return 0;
}

struct writer {
    char *text;
    size_t size, length;
};

static void put(struct writer *writer, const char *text)
{
    for (; *text; text++, writer->length++)
        if (writer->length + 1 < writer->size)
            writer->text[writer->length] = *text;
}

static void put_number(struct writer *writer, int64_t number)
{
    char digits[24], *at = digits + sizeof digits;
    uint64_t left = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    *--at = '\0';
    do
        *--at = (char)('0' + left % 10);
    while (left /= 10);
    if (number < 0)
        *--at = '-';
    put(writer, at);
}

static void put_decimal(struct writer *writer, int64_t value)
{
    char text[NUMBER_SIZE];
    number_print_decimal(value, text);
    put(writer, text);
}

/* The key is written without snprintf, which is slow: a resumed run first makes the keys of all its cells. */
size_t cell_key(const struct cell *cell, char *text, size_t size)
{
    struct writer writer = {text, size, 0};
    put(&writer, "variant=");
    put(&writer, cell->entry->name);
    for (int axis = 0; axis < AXES; axis++) {
        const int64_t value = cell_value(cell, axis);
        if (!value)
            continue;
        put(&writer, " ");
        put(&writer, cell_axes[axis].key);
        put(&writer, "=");
        if (cell_axes[axis].kind == NAME && value > 0 && value <= cell_axes[axis].highest)
            put(&writer, cell_axes[axis].names[value]);
        else if (cell_axes[axis].kind == DECIMAL)
            put_decimal(&writer, value);
        else
            put_number(&writer, value);
    }
    if (size)
        text[writer.length < size ? writer.length : size - 1] = '\0';
    return writer.length;
}

void cell_id(const struct cell *cell, char id[CELL_ID_SIZE])
{
    char key[512], digest[SHA256_DIGEST_STRING_LENGTH];
    const size_t length = cell_key(cell, key, sizeof key);
    SHA256Data((const uint8_t *)key, length < sizeof key ? length : sizeof key - 1, digest);
    memcpy(id, digest, CELL_ID_SIZE - 1);
    id[CELL_ID_SIZE - 1] = '\0';
}
