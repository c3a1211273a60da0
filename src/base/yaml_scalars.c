/* Scalars of a YAML file: whole numbers, percentages, durations, text.
 * SPDX-License-Identifier: MIT */
#include "number.h"
#include "yaml.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char *kind_name(const struct yaml_node *node)
{
    if (node->kind != YAML_SCALAR)
        return node->kind == YAML_LIST ? "a list" : "a map";
    return node->quoted ? "text in quotes" : *node->text ? "text" : "nothing";
}

bool yaml_text(struct yaml *yaml, const struct yaml_node *node, const char *name, const char **text)
{
    const bool null = node->kind == YAML_SCALAR && !node->quoted && (!strcmp(node->text, "~") || !*node->text);
    if (node->kind == YAML_SCALAR && *node->text && !null) {
        *text = node->text;
        return true;
    }
    yaml_fault(yaml, node, NULL, "'%s' takes text, not %s", name, null ? "nothing" : kind_name(node));
    return false;
}

bool yaml_integer(struct yaml *yaml, const struct yaml_node *node, const char *name, int64_t low, int64_t high,
                  int64_t *value)
{
    if (node->kind != YAML_SCALAR || node->quoted || !*node->text) {
        yaml_fault(yaml, node, NULL, "'%s' takes a whole number, not %s", name, kind_name(node));
        return false;
    }
    const char *text = node->text, *digits = text + (*text == '-');
    const size_t length = strspn(digits, "0123456789");
    if (!length || digits[length]) {
        yaml_fault(yaml, node, NULL, "'%s' takes a whole number, not '%s'", name, text);
        return false;
    }
    const size_t zeros = strspn(digits, "0");
    if (*text == '-') {
        yaml_fault(yaml, node, NULL, "'%s' cannot be negative", name);
    } else if (length > 1 && zeros) {
        yaml_fault(yaml, node, zeros < length ? digits + zeros : "0", "'%s' has a leading zero", text);
    } else {
        errno = 0;
        *value = strtoll(text, NULL, 10);
        if (!errno && *value >= low && *value <= high)
            return true;
        yaml_fault(yaml, node, NULL, "'%s' must be from %lld to %lld, not %s", name, (long long)low, (long long)high,
                   text);
    }
    return false;
}

static size_t digits_of(const char *text)
{
    return strspn(text, "0123456789");
}

/* Reads "2/3" to the nearest 1e-9. False where the text is no fraction of two numbers that number_read_decimal
 * takes. */
static bool read_fraction(const char *text, const char *slash, int64_t *value)
{
    const size_t above = digits_of(text), below = digits_of(slash + 1);
    int64_t numerator, denominator;
    if (text + above != slash || slash[1 + below] || !number_read_decimal(text, above, &numerator) ||
        !number_read_decimal(slash + 1, below, &denominator) || denominator == 0)
        return false;
    denominator /= DECIMAL_ONE;
    *value = (numerator + denominator / 2) / denominator;
    return true;
}

bool yaml_decimal(struct yaml *yaml, const struct yaml_node *node, const char *name, int64_t low, int64_t high,
                  int64_t *value)
{
    if (node->kind != YAML_SCALAR || node->quoted || !*node->text) {
        yaml_fault(yaml, node, NULL, "'%s' takes a number such as 0.5 or 2/3, not %s", name, kind_name(node));
        return false;
    }
    const char *text = node->text, *slash = strchr(text, '/');
    const size_t whole = digits_of(text);
    if (*text == '-' && digits_of(text + 1)) {
        yaml_fault(yaml, node, NULL, "'%s' cannot be negative", name);
        return false;
    }
    if (whole > 1 && *text == '0') {
        yaml_fault(yaml, node, NULL, "'%s' has a leading zero", text);
        return false;
    }
    if (!(slash ? read_fraction(text, slash, value) : number_read_decimal(text, strlen(text), value))) {
        yaml_fault(yaml, node, NULL,
                   "'%s' takes a number such as 0.5 or 2/3, with at most %d digits on either side, not '%s'", name,
                   DECIMAL_DIGITS, text);
        return false;
    }
    if (*value >= low && *value <= high)
        return true;
    char least[NUMBER_SIZE], most[NUMBER_SIZE];
    number_print_decimal(low, least);
    number_print_decimal(high, most);
    yaml_fault(yaml, node, NULL, "'%s' must be from %s to %s, not %s", name, least, most, text);
    return false;
}

struct unit {
    const char *name;
    double scale;
};

/* Reads a decimal number with one of the units. number_read reads the number, since the user's locale may have a
 * decimal comma. */
static bool read_quantity(struct yaml *yaml, const struct yaml_node *node, const char *name, const struct unit *units,
                          const char *example, double *value)
{
    if (node->kind != YAML_SCALAR || !*node->text) {
        yaml_fault(yaml, node, NULL, "'%s' takes a value such as %s, not %s", name, example, kind_name(node));
        return false;
    }
    const char *text = node->text, *end = text + strspn(text, "0123456789");
    bool number = end > text && (*text != '0' || end == text + 1);
    if (number && *end == '.') {
        const size_t decimals = strspn(end + 1, "0123456789");
        number = decimals > 0;
        end += 1 + decimals;
    }
    for (; number && units->name; units++)
        if (!strcmp(end, units->name)) {
            number = number_read(text, (size_t)(end - text), value);
            *value *= units->scale;
            if (number)
                return true;
        }
    yaml_fault(yaml, node, NULL, "'%s' takes a value such as %s, not '%s'", name, example, text);
    return false;
}

bool yaml_percentage(struct yaml *yaml, const struct yaml_node *node, const char *name, double *share)
{
    static const struct unit units[] = {{"%", 0.01}, {NULL, 0}};
    if (!read_quantity(yaml, node, name, units, "1% or 0.5%", share))
        return false;
    if (*share > 0 && *share <= 1)
        return true;
    yaml_fault(yaml, node, NULL, "'%s' must be above 0%% and at most 100%%, not %s", name, node->text);
    return false;
}

bool yaml_duration(struct yaml *yaml, const struct yaml_node *node, const char *name, double *time_s)
{
    static const struct unit units[] = {{"ms", 1e-3}, {"s", 1}, {"m", 60}, {"h", 3600}, {NULL, 0}};
    if (!read_quantity(yaml, node, name, units, "500ms, 30s, 10m or 1h", time_s))
        return false;
    if (*time_s > 0 && *time_s <= 7 * 24 * 3600.0)
        return true;
    yaml_fault(yaml, node, NULL, "'%s' must be above zero and at most a week, not %s", name, node->text);
    return false;
}
