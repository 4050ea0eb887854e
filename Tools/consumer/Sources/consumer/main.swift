// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEdit

let photo = URL(filePath: CommandLine.arguments[1])
let store = SidecarStore(photo: photo)
let editor = GraphEditing(store)

// Edit: photo.edited.jpg and photo.jpg.aae appear beside the photo, which stays as it is.
let first = try await editor.apply([Grayscale(.luma601)])
print("edited:", first.rendering.path, first.rendering.size)

// Resume: the stored graph grows and is rendered once, from the original.
let second = try await editor.apply([Exposure(ev: 0.5)])
print("resumed:", second.kind, second.graph.nodes.map(\.filter))

// Revert: back to the original in one step, which can itself be undone.
print("reverted:", try await !store.revert().isEdited)
print("undone:", try await store.undo().isEdited)
