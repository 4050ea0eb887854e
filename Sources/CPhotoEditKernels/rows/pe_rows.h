// SPDX-License-Identifier: Apache-2.0
// All row loops, compiled once for each path; PE_NAMED gives each copy its own names.
//
// Plain loops over samples that the compiler vectorizes to the width of the path. Where the order
// of memory accesses or of additions matters, vectors are written explicitly.
#include <math.h>
#include <stdbool.h>
#include <string.h>

// Identical bits on every path: a fused multiply-add rounds once where the others round twice.
#pragma STDC FP_CONTRACT OFF

// Outputs may be inputs, sample by sample, so iterations are independent.
#define PE_LOOP _Pragma("clang loop vectorize(assume_safety)")

#define PE_INLINE static inline __attribute__((always_inline))

#include "pe_pixel_arithmetic.h"
#include "pe_transfer_tables.h"
#include "pe_transfer.h"
#include "pe_spline.h"
#include "pe_tone_curves.h"
#include "pe_lookups.h"
#include "pe_blends.h"
#include "pe_radial_gains.h"
#include "pe_pixel_maps.h"
#include "pe_warps.h"
#include "pe_tone_mapping.h"
#include "pe_layers.h"
#include "pe_vectors.h"
#include "pe_neighbors.h"
#include "pe_correlate.h"
#include "pe_box.h"
#include "pe_median.h"
#include "pe_median_ranks.h"
#include "pe_pairs.h"
#include "pe_bilateral.h"
#include "pe_patches.h"
#include "pe_wavelet.h"
#include "pe_sampled.h"
#include "pe_samples.h"
#if PE_HAS_VBMI
#include "pe_samples_vbmi.h"
#elif PE_HAS_AVX2
#include "pe_samples_avx2.h"
#elif PE_HAS_NEON
#include "pe_samples_neon.h"
#endif

#define PE_ENTRY(name, parameters, arguments) .name = name,
const pe_kernel_table PE_NAMED(pe_kernels) = {PE_KERNEL_LIST(PE_ENTRY)};
#undef PE_ENTRY
