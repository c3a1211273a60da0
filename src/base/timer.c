/* Whether times are pretended.
 * SPDX-License-Identifier: MIT */
#include "timer.h"

#include <stdlib.h>

bool timer_is_fake(void)
{
    static int fake = -1;
    if (fake < 0)
        fake = getenv("TILELAB_FAKE_TIMER") != NULL;
    return fake;
}
