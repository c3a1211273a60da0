/* What tells two kinds of machines apart whose processors have one name.
 * SPDX-License-Identifier: MIT */
#include "kind.h"

#include "base/record.h"
#include "machine/host.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

json_t *kind_facts(void)
{
    const struct host *host = host_get();
    json_t *facts = json_object();
    record_set(facts, "cpu_id", record_text(host->cpu_id));
    record_set(facts, "l1d_bytes", record_integer(host->l1d_bytes));
    record_set(facts, "l2_bytes", record_integer(host->l2_bytes));
    record_set(facts, "l3_bytes", record_integer(host->l3_bytes));
    record_set(facts, "simd", record_text(host->simd));
    record_set(facts, "nominal_ghz", record_real(host->nominal_ghz));
    return facts;
}

/* The clock may be what the kernel has measured at its start. Some programs write 2.0 as 2. */
static bool same(const json_t *value, const json_t *other)
{
    static const double CLOCK_WITHIN = 0.02;
    if (!json_is_real(value) && !json_is_real(other))
        return json_equal(value, other);
    const double a = json_number_value(value), b = json_number_value(other);
    return fabs(a - b) <= CLOCK_WITHIN * fmax(a, b);
}

bool kind_differs(const json_t *machine, const json_t *other, char *difference, size_t size)
{
    json_t *facts = kind_facts(), *fact;
    const char *key;
    bool differs = false;
    json_object_foreach(facts, key, fact)
    {
        const json_t *one = json_object_get(machine, key), *two = json_object_get(other, key);
        if (!one || !two || json_is_null(one) || json_is_null(two) || same(one, two))
            continue;
        char *first = json_dumps(one, JSON_ENCODE_ANY | JSON_REAL_PRECISION(4)),
             *second = json_dumps(two, JSON_ENCODE_ANY | JSON_REAL_PRECISION(4));
        snprintf(difference, size, "%s is %s, not %s", key, first ? first : "?", second ? second : "?");
        free(first);
        free(second);
        differs = true;
        break;
    }
    json_decref(facts);
    return differs;
}
