// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEdit

let photo = URL(filePath: CommandLine.arguments[1])
let store = SidecarStore(photo: photo)
let editor = PhotoEditor(store)

// Edit: writes photo.edited.jpg and photo.jpg.aae next to the photo, which is not changed.
let first = try await editor.apply([Grayscale(.luma601)])
print("edited:", first.rendering.path, first.rendering.size)

// Resume: a filter is added to the stored graph, which is rendered once from the original.
let second = try await editor.apply([Exposure(ev: 0.5)])
print("resumed:", second.kind, second.graph.nodes.map(\.filter))

// Revert: restores the original in one step, which can be undone.
print("reverted:", try await !store.revert().isEdited)
print("undone:", try await store.undo().isEdited)

// A filter of this package, in the catalog of one editor.
var glowEditor = PhotoEditor(store)
glowEditor.catalog = try FilterCatalog(adding: [Glow.self])
var glow = Glow()
glow.amount = 0.5
let glowing = try await glowEditor.apply([glow])
print("own:", glowing.kind, glowing.graph.nodes.map(\.filter))
let brighter = try await glowEditor.apply([Exposure(ev: -0.25)])
print("continued:", brighter.kind, brighter.graph.nodes.map(\.filter))
print("refused:", try editor.begin().blockingReasons.joined(separator: "; "))
