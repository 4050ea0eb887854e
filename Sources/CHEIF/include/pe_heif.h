// SPDX-License-Identifier: Apache-2.0
// libheif for Swift: HEIC, HEIF and AVIF in, rows out. Opened when the first such file comes.
#ifndef PE_HEIF_H
#define PE_HEIF_H

/// The version that was built against; nothing is loaded to answer.
const char *pe_heif_version(void);
#endif
