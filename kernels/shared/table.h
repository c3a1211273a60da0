/* The table of the probe `shared`, in groups of four elements; a lane's next group is a warp further.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_SHARED_TABLE_H
#define TILELAB_SHARED_TABLE_H

enum { SHARED_GROUPS = 256, SHARED_GROUP = 4, SHARED_STEP = 32 };

#endif
