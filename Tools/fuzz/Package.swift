// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// One executable for each target of libFuzzer, which brings the main function; "run" builds them.
func target(_ name: String) -> Target {
  .executableTarget(name: name, dependencies: [.product(name: "PhotoEdit", package: "photoedit")])
}

let package = Package(
  name: "fuzz",
  dependencies: [.package(name: "photoedit", path: "../..")],
  targets: [
    "FuzzJPEG", "FuzzHalves", "FuzzPNG", "FuzzHEIF", "FuzzInput", "FuzzMetadata", "FuzzGraph",
    "FuzzCube", "FuzzDecision", "FuzzApple", "FuzzLightroom",
  ].map(target),
  swiftLanguageModes: [.v6]
)
