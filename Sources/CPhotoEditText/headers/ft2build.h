// SPDX-License-Identifier: Apache-2.0
#include <freetype2/ft2build.h>
