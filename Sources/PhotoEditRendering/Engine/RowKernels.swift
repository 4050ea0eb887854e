// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels

/// The build of the row loops that runs on this machine: baseline, avx2 or avx512.
package enum RowKernels {
  /// The environment variable that requests a build.
  package static let variable = "PHOTOEDIT_KERNELS"

  /// The name of the build that runs.
  package static var chosen: String { String(cString: pe_path_name(pe_chosen_path())) }

  /// The builds that this machine can run, slowest first.
  package static var available: [String] {
    [PE_PATH_BASELINE, PE_PATH_AVX2, PE_PATH_AVX512]
      .filter { pe_path_kernels($0) != nil }
      .map { String(cString: pe_path_name($0)) }
  }

  /// The reason why the build requested by the environment does not run; otherwise nil.
  ///
  /// The best build runs instead, with the same results.
  package static var refusal: String? {
    switch pe_environment_request() {
    case PE_REQUEST_UNKNOWN: "\(variable): unknown build of the row loops"
    case PE_REQUEST_IMPOSSIBLE: "\(variable): this CPU does not support that build of the row loops"
    default: nil
    }
  }
}
