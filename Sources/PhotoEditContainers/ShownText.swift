// SPDX-License-Identifier: Apache-2.0

extension Unicode.Scalar {
  /// Indicates whether text with this scalar could control a terminal: move the cursor or change
  /// the text direction.
  ///
  /// Joiners belong to words and emoji; the other format characters do not.
  package var steersDisplay: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    case .format: value != 0x200C && value != 0x200D
    default: false
    }
  }
}
