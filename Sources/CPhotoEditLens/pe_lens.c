// SPDX-License-Identifier: Apache-2.0
#include "pe_lens.h"
#include "pe_library.h"
#include <ctype.h>
#include <lensfun/lensfun.h>
#include <stdio.h>
#include <string.h>

_Static_assert(LF_VERSION >= 0x00030300, "requires Lensfun 0.3.3 or newer");

#define LENSFUN(X)                                                                                \
  X(lf_db_find_cameras)                                                                           \
  X(lf_db_find_lenses_hd)                                                                         \
  X(lf_db_load)                                                                                   \
  X(lf_db_new)                                                                                    \
  X(lf_free)                                                                                      \
  X(lf_lens_interpolate_distortion)                                                               \
  X(lf_lens_interpolate_tca)                                                                      \
  X(lf_lens_interpolate_vignetting)                                                               \
  X(lf_mlstr_get)

#define DECLARE(name) __typeof__(&name) name;
static struct { LENSFUN(DECLARE) } lensfun;
static lfDatabase *database;

int32_t pe_lens_load(char *message) {
#define SYMBOL(name) {#name, (void **)&lensfun.name},
  static const pe_library_symbol symbols[] = {LENSFUN(SYMBOL)};
  if (database != NULL) return 0;
  const size_t count = sizeof symbols / sizeof symbols[0];
  if (pe_library_open("liblensfun.so.1", symbols, count, message) != 0) return -1;
  database = lensfun.lf_db_new();
  if (database != NULL && lensfun.lf_db_load(database) == LF_NO_ERROR) return 0;
  database = NULL;
  snprintf(message, PE_LENS_MESSAGE_CAPACITY, "its database of lenses cannot be read");
  return -1;
}

#define TEXT(x) #x
#define NUMBER(x) TEXT(x)

const char *pe_lens_version(void) {
  return NUMBER(LF_VERSION_MAJOR) "." NUMBER(LF_VERSION_MINOR) "." NUMBER(LF_VERSION_MICRO);
}

static void copy_text(char *target, const char *text) {
  snprintf(target, PE_LENS_NAME_CAPACITY, "%s", text == NULL ? "" : text);
}

static void read_distortion(const lfLens *lens, double focal_length, pe_lens_profile *profile) {
  lfLensCalibDistortion found;
  if (!lensfun.lf_lens_interpolate_distortion(lens, (float)focal_length, &found)) return;
  double *d = profile->distortion;
  const float *k = found.Terms;
  switch (found.Model) {
    case LF_DIST_MODEL_POLY3:
      d[0] = 1 - k[0];
      d[2] = k[0];
      break;
    case LF_DIST_MODEL_POLY5:
      d[0] = 1;
      d[2] = k[0];
      d[4] = k[1];
      break;
    case LF_DIST_MODEL_PTLENS:
      d[0] = 1 - k[0] - k[1] - k[2];
      d[1] = k[2];
      d[2] = k[1];
      d[3] = k[0];
      break;
    default: return;
  }
  profile->has_distortion = 1;
}

static void read_fringes(const lfLens *lens, double focal_length, pe_lens_profile *profile) {
  lfLensCalibTCA found;
  if (!lensfun.lf_lens_interpolate_tca(lens, (float)focal_length, &found)) return;
  const float *k = found.Terms;
  switch (found.Model) {
    case LF_TCA_MODEL_LINEAR:
      profile->red[0] = k[0];
      profile->blue[0] = k[1];
      break;
    case LF_TCA_MODEL_POLY3:
      // Red and blue alternate: v, c and b.
      for (int i = 0; i < 3; i++) {
        profile->red[i] = k[2 * i];
        profile->blue[i] = k[2 * i + 1];
      }
      break;
    default: return;
  }
  profile->has_fringes = 1;
}

static void read_vignetting(const lfLens *lens, double focal_length, double aperture,
                            double distance, pe_lens_profile *profile) {
  lfLensCalibVignetting found;
  if (!lensfun.lf_lens_interpolate_vignetting(lens, (float)focal_length, (float)aperture,
                                              (float)distance, &found) ||
      found.Model != LF_VIGNETTING_MODEL_PA) {
    return;
  }
  for (int i = 0; i < 3; i++) profile->vignetting[i] = found.Terms[i];
  profile->has_vignetting = 1;
}

/// Returns the number of lenses with different names and the best score, and joins their names.
static int32_t best(const lfLens *const *lenses, double focal_length, pe_lens_profile *profile,
                    const lfLens **first) {
  int32_t count = 0;
  for (; lenses != NULL && *lenses != NULL; lenses++) {
    const lfLens *lens = *lenses;
    if (lens->MinFocal > focal_length * 1.02 || lens->MaxFocal < focal_length * 0.98) continue;
    if (count > 0 && lens->Score < (*first)->Score) break;
    const char *name = lensfun.lf_mlstr_get(lens->Model);
    // A lens has an entry for each sensor that it was calibrated with.
    if (name == NULL || (count > 0 && strcmp(name, lensfun.lf_mlstr_get((*first)->Model)) == 0)) {
      continue;
    }
    if (count++ == 0) *first = lens;
    size_t used = strlen(profile->lens);
    const char *comma = used > 0 ? ", " : "";
    snprintf(profile->lens + used, PE_LENS_NAME_CAPACITY - used, "%s%s", comma, name);
  }
  return count;
}

int32_t pe_lens_find(const char *make, const char *model, const char *lens, double focal_length,
                     double aperture, double distance, pe_lens_profile *profile) {
  memset(profile, 0, sizeof *profile);
  const lfCamera **cameras = lensfun.lf_db_find_cameras(database, make, model);
  if (cameras == NULL) return -1;
  const lfCamera *camera = cameras[0];
  lensfun.lf_free(cameras);
  if (camera == NULL) return -1;
  copy_text(profile->mount, camera->Mount);
  // Mounts of cameras whose lens cannot be removed begin with a small letter.
  const int is_fixed = islower((unsigned char)profile->mount[0]);
  if (lens[0] == '\0' && !is_fixed) return 0;
  const lfLens **lenses =
      lensfun.lf_db_find_lenses_hd(database, camera, NULL, is_fixed ? NULL : lens, 0);
  const lfLens *found = NULL;
  int32_t count = best(lenses, focal_length, profile, &found);
  lensfun.lf_free(lenses);
  if (count != 1) return count;
  profile->crop = camera->CropFactor;
  profile->calibration_crop = found->CropFactor;
  profile->calibration_aspect = found->AspectRatio;
  profile->is_shifted = found->CenterX != 0 || found->CenterY != 0;
  read_distortion(found, focal_length, profile);
  read_fringes(found, focal_length, profile);
  read_vignetting(found, focal_length, aperture, distance, profile);
  return 1;
}
