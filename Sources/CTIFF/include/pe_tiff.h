// SPDX-License-Identifier: Apache-2.0
// libtiff for Swift: TIFF in, rows out. Opened when the first such file comes.
#ifndef PE_TIFF_H
#define PE_TIFF_H

/// The version that was built against; nothing is loaded to answer.
const char *pe_tiff_version(void);
#endif
