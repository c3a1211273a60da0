/* How many threads of this process were made in a stretch of time.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_MACHINE_THREADS_H
#define TILELAB_MACHINE_THREADS_H

/* Notes the threads that there are now. */
void threads_note(void);
/* How many of the threads that there are now were made since then. */
int threads_made(void);

#endif
