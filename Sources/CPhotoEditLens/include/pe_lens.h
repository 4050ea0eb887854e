// SPDX-License-Identifier: Apache-2.0
// Calibrations of lenses from the database of Lensfun, which is loaded when it is first needed.
#ifndef PE_LENS_H
#define PE_LENS_H
#include <stddef.h>
#include <stdint.h>

#define PE_LENS_MESSAGE_CAPACITY 240
#define PE_LENS_NAME_CAPACITY 160

/// Loads the library and its database; returns 0, or -1 with the reason in `message`.
///
/// One thread at a time may call these functions.
int32_t pe_lens_load(char *message);

/// The version of the compiled header, such as "0.3.3".
const char *pe_lens_version(void);

/// A lens at a focal length, an aperture and a distance; zeros for what is not calibrated.
typedef struct {
  /// A point at distance r from the center is drawn at s = r·Σ distortion[i]·rⁱ, in red and blue at
  /// s·Σ red[i]·sⁱ; 1 is half the shorter side of the sensor that was used for calibration.
  double distortion[5], red[3], blue[3];
  /// The light at distance r is 1 + Σ vignetting[i]·r^(2i+2), where 1 is half the diagonal.
  double vignetting[3];
  int32_t has_distortion, has_fringes, has_vignetting;
  /// The factor from the sensor of the calibration and of the camera to one of 36 × 24 mm, and the
  /// longer side of the former as a multiple of the shorter one.
  double calibration_crop, calibration_aspect, crop;
  /// True if its center is not that of the sensor.
  int32_t is_shifted;
  /// The name of the lens; of several, the names, separated by commas.
  char lens[PE_LENS_NAME_CAPACITY];
  char mount[PE_LENS_NAME_CAPACITY];
} pe_lens_profile;

/// Finds a lens; `lens` is empty for a camera with one that cannot be removed.
///
/// Returns the number of lenses that fit equally well; -1 if the camera is unknown. The profile is
/// complete for one lens; otherwise it has names alone.
int32_t pe_lens_find(const char *make, const char *model, const char *lens, double focal_length,
                     double aperture, double distance, pe_lens_profile *profile);
#endif
