// SPDX-License-Identifier: Apache-2.0
// Little CMS 2 for Swift: colours through profiles. Opened when the first such profile comes.
#ifndef PE_LCMS_H
#define PE_LCMS_H

/// The version that was built against; nothing is loaded to answer.
const char *pe_lcms_version(void);
#endif
