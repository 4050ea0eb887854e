// SPDX-License-Identifier: Apache-2.0

/// The spelling of names in commands that people are invited to paste.
enum Shell {
  /// The name as one word of a POSIX shell; a leading dash is kept from being an option.
  static func quoted(_ name: String) -> String {
    let word = name.hasPrefix("-") ? "./" + name : name
    let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:@%+=,")
    if !word.isEmpty, word.allSatisfy({ plain.contains($0) }) { return word }
    return "'" + word.replacing("'", with: #"'\''"#) + "'"
  }
}
