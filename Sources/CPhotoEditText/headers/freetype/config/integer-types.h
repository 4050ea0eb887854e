// SPDX-License-Identifier: Apache-2.0
#include <freetype2/freetype/config/integer-types.h>
