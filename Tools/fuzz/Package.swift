// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// One executable per target; libFuzzer provides the main function. "run" builds them.
func target(_ name: String) -> Target {
  let products = ["PhotoEdit", "PhotoEditMovieFiles", "PhotoEditLibrary", "PhotoEditPrograms"]
  return .executableTarget(
    name: name,
    dependencies: products.map { .product(name: $0, package: "photoedit") } + ["FuzzSupport"])
}

let package = Package(
  name: "fuzz",
  dependencies: [.package(name: "photoedit", path: "../..")],
  targets: [.target(name: "FuzzSupport")]
    + [
      "FuzzJPEG", "FuzzHalves", "FuzzPNG", "FuzzHEIF", "FuzzInput", "FuzzRaw", "FuzzMetadata",
      "FuzzGraph",
      "FuzzCube", "FuzzDecision", "FuzzApple", "FuzzLightroom", "FuzzMovie", "FuzzSidecar",
      "FuzzManifest", "FuzzPredicate", "FuzzToken", "FuzzContainers",
      "FuzzPhotos", "FuzzRun", "FuzzRequest",
    ].map(target),
  swiftLanguageModes: [.v6]
)
