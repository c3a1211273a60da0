/* The length of the train of messages.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_ALLGATHER_EXCHANGES_H
#define TILELAB_ALLGATHER_EXCHANGES_H

enum { ALLGATHER_EXCHANGES = 64 };

#endif
