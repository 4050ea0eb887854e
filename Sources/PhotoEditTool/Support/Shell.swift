// SPDX-License-Identifier: Apache-2.0

/// Shell quoting of names in commands that users can paste.
enum Shell {
  /// Returns the name as one word of a POSIX shell; a leading dash is not read as an option.
  static func quoted(_ name: String) -> String {
    let word = name.hasPrefix("-") ? "./" + name : name
    let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:@%+=,")
    if !word.isEmpty, word.allSatisfy({ plain.contains($0) }) { return word }
    return "'" + word.replacing("'", with: #"'\''"#) + "'"
  }
}
