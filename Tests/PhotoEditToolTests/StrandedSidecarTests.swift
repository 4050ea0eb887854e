// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform
import PhotoEditTestSupport
import Testing

@Suite("Sidecars without their photo", .runsPrograms)
struct StrandedSidecarTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(try TestImages.bytes("inputs/photo-64.jpg"), to: "photo.jpg")
    #expect(try run("apply", "--filter", "sepia", "photo.jpg").exitCode == 0)
    #expect(rename(folder.path("photo.jpg"), folder.path("trip.jpg")) == 0)
  }

  private func run(_ arguments: String...) throws -> Tool.Result {
    try Tool.run(arguments, in: folder.path)
  }

  @Test func `a missing photo is an error that names its sidecar`() throws {
    let shown = try run("show", "photo.jpg")
    #expect(shown.exitCode == 66)
    #expect(shown.errors.contains("photo is missing") && shown.errors.contains("photo.jpg.aae"))
  }

  @Test func `a photo renamed without its sidecar names the sidecar and can use it`() throws {
    let shown = try run("show", "trip.jpg")
    #expect(shown.exitCode == 0)
    #expect((shown.output + shown.errors).contains("rename it to trip.jpg.aae"))
    #expect(rename(folder.path("photo.jpg.aae"), folder.path("trip.jpg.aae")) == 0)
    let after = try run("show", "trip.jpg")
    #expect(after.output.contains("sepia"))
    #expect(!(after.output + after.errors).contains("rename it"))
  }
}
