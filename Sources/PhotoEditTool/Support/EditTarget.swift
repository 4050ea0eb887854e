// SPDX-License-Identifier: Apache-2.0
import CommandLineKit
import PhotoEdit
import PhotoEditLibrary
import Storage

/// What an editing verb works on: a photo with its sidecar, or an asset of a library.
struct EditTarget: Sendable {
  /// The store of its versions.
  let store: any EditingStore
  /// What the person called it.
  let input: String
  /// The store when it is a photo in a folder.
  let sidecar: SidecarStore?

  /// A photo in a folder.
  init(_ store: SidecarStore) {
    self.store = store
    input = store.assetName
    sidecar = store
  }

  /// An asset of a library.
  init(_ store: any EditingStore, input: String) {
    self.store = store
    self.input = input
    sidecar = nil
  }

  /// Where the next rendering goes; nil where a library decides that.
  func renderingPath() throws(CommandFailure) -> String? {
    guard let sidecar else { return nil }
    return try editing { () throws(EditingError) in try sidecar.renderingPath() }
  }

  /// What is stored of it.
  func state() throws(CommandFailure) -> EditState {
    try editing { () throws(EditingError) in try store.state() }
  }

  /// Whether its versions are movies; of a file, its content tells.
  func isMovie() throws(CommandFailure) -> Bool { try state().isMovie }

  /// Where the original is.
  func originalPath() throws(CommandFailure) -> String {
    if sidecar != nil { return input }
    return try state().original.path
  }

  /// Refuses early what a commit would refuse for its place.
  func checkPlace() throws(CommandFailure) {
    guard let sidecar else { return }
    try editing { () throws(EditingError) in try sidecar.checkPlace() }
  }
}
