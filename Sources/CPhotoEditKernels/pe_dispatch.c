// SPDX-License-Identifier: Apache-2.0
#include "pe_kernel_list.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

extern const pe_kernel_table pe_kernels_baseline;
#if defined(__x86_64__)
extern const pe_kernel_table pe_kernels_avx2, pe_kernels_avx512;
#endif

static const char *const names[PE_PATH_COUNT] = {"baseline", "avx2", "avx512"};

const char *pe_path_name(pe_path path) {
  return path >= 0 && path < PE_PATH_COUNT ? names[path] : "none";
}

// A compiled-in check of the processor instead of an ifunc: sanitizers and valgrind can follow it.
const pe_kernel_table *pe_path_kernels(pe_path path) {
  switch (path) {
    case PE_PATH_BASELINE: return &pe_kernels_baseline;
#if defined(__x86_64__)
    case PE_PATH_AVX2:
      __builtin_cpu_init();
      return __builtin_cpu_supports("avx2") ? &pe_kernels_avx2 : NULL;
    case PE_PATH_AVX512:
      __builtin_cpu_init();
      return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                     __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
                     __builtin_cpu_supports("avx512vbmi")
                 ? &pe_kernels_avx512
                 : NULL;
#endif
    default: return NULL;
  }
}

static pe_request requested(pe_path *path) {
  const char *name = getenv("PHOTOEDIT_KERNELS");
  if (name == NULL || *name == 0) return PE_REQUEST_NONE;
  for (int p = 0; p < PE_PATH_COUNT; p++) {
    if (strcmp(name, names[p]) != 0) continue;
    *path = (pe_path)p;
    return pe_path_kernels(*path) != NULL ? PE_REQUEST_GRANTED : PE_REQUEST_IMPOSSIBLE;
  }
  return PE_REQUEST_UNKNOWN;
}

pe_request pe_environment_request(void) {
  pe_path path;
  return requested(&path);
}

static _Atomic(const pe_kernel_table *) chosen;

// Two threads may run this at once; both get the same result.
static const pe_kernel_table *choose(void) {
  pe_path path = PE_PATH_AVX512;
  if (requested(&path) != PE_REQUEST_GRANTED) {
    path = PE_PATH_AVX512;
    while (pe_path_kernels(path) == NULL) path--;
  }
  const pe_kernel_table *found = pe_path_kernels(path);
  const pe_kernel_table *none = NULL;
  atomic_compare_exchange_strong(&chosen, &none, found);
  return atomic_load(&chosen);
}

static inline const pe_kernel_table *kernels(void) {
  const pe_kernel_table *table = atomic_load_explicit(&chosen, memory_order_acquire);
  return table != NULL ? table : choose();
}

pe_path pe_chosen_path(void) {
  const pe_kernel_table *table = kernels();
  pe_path path = PE_PATH_BASELINE;
  while (pe_path_kernels(path) != table) path++;
  return path;
}

int pe_choose_path(pe_path path) {
  const pe_kernel_table *table = pe_path_kernels(path);
  if (table == NULL) return 0;
  atomic_store(&chosen, table);
  return 1;
}

#define PE_CALL(name, parameters, arguments) \
  void pe_##name parameters { kernels()->name arguments; }
PE_KERNEL_LIST(PE_CALL)
