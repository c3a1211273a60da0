/* Whether times are pretended, and how long to wait.
 * SPDX-License-Identifier: MIT */
#include "timer.h"

#include "number.h"

#include <stdlib.h>
#include <string.h>

bool timer_is_fake(void)
{
    static int fake = -1;
    if (fake < 0)
        fake = getenv("TILELAB_FAKE_TIMER") != NULL;
    return fake;
}

double timer_limit_s(double usual_s)
{
    const char *text = getenv("TILELAB_TIMEOUT_S");
    double limit_s;
    return text && number_read(text, strlen(text), &limit_s) && limit_s > 0 ? limit_s : usual_s;
}
