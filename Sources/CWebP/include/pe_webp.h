// SPDX-License-Identifier: Apache-2.0
// libwebp for Swift: WebP in, rows out. Opened when the first such file comes.
#ifndef PE_WEBP_H
#define PE_WEBP_H

/// The version that was built against; nothing is loaded to answer.
const char *pe_webp_version(void);
#endif
