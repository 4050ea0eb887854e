// SPDX-License-Identifier: Apache-2.0
// giflib for Swift: the first picture of a GIF. Opened when the first such file comes.
#ifndef PE_GIF_H
#define PE_GIF_H

/// The version that was built against; nothing is loaded to answer.
const char *pe_gif_version(void);
#endif
