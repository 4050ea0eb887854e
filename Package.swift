// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: dependencies + ["TestSupport"], swiftSettings: strict)
}

/// Formats that a build can leave out, each with the library that reads it.
let inputs: [Target.Dependency] = ["HEIF", "WebP", "TIFF", "GIF"].map { format in
  .target(name: "C" + format, condition: .when(traits: [format]))
}

let package = Package(
  name: "photoedit",
  products: [
    .library(
      name: "PhotoEdit",
      targets: ["PhotoEdit", "Rendering", "Filters", "Codecs", "Containers", "Pixels", "Storage"]),
    .library(name: "PhotoEditMovies", targets: ["PhotoEditMovies"]),
    .library(
      name: "PhotoEditVideo", targets: ["PhotoEditVideo", "PhotoEditMovies"]),
    .library(name: "PhotoEditLibrary", targets: ["PhotoEditLibrary"]),
    .executable(name: "photoedit", targets: ["PhotoEditTool"]),
  ],
  traits: [
    .default(enabledTraits: ["HEIF", "WebP", "TIFF", "GIF"]),
    .trait(name: "HEIF", description: "Reads HEIC, HEIF and AVIF pictures with libheif."),
    .trait(name: "WebP", description: "Reads WebP pictures with libwebp."),
    .trait(name: "TIFF", description: "Reads TIFF pictures with libtiff."),
    .trait(name: "GIF", description: "Reads the first picture of a GIF with giflib."),
  ],
  targets: [
    // Level 0: C. One target per library; longjmp, variadics and dlopen stay inside.
    .target(name: "CJPEG", linkerSettings: [.linkedLibrary("jpeg")]),
    .target(name: "CPNG", linkerSettings: [.linkedLibrary("png"), .linkedLibrary("z")]),
    .target(name: "CDigest", linkerSettings: [.linkedLibrary(":libcrypto.a")]),
    .target(name: "CZlib", linkerSettings: [.linkedLibrary("z")]),
    .target(name: "CExpat", linkerSettings: [.linkedLibrary(":libexpat.a")]),
    .target(name: "CSystem", linkerSettings: [.linkedLibrary("dl")]),
    .target(name: "CKernels"),
    .target(name: "CLCMS", dependencies: ["CSystem"]),
    .target(name: "CHEIF", dependencies: ["CSystem"]),
    .target(name: "CWebP", dependencies: ["CSystem"]),
    .target(name: "CTIFF", dependencies: ["CSystem"]),
    .target(name: "CGIF", dependencies: ["CSystem"]),
    .target(
      name: "CSQLite", linkerSettings: [.linkedLibrary(":libsqlite3.a"), .linkedLibrary("m")]),
    .target(name: "CAVFormat", linkerSettings: [.linkedLibrary("dl")]),
    .target(name: "CAVCodec", linkerSettings: [.linkedLibrary("dl")]),

    // Level 1: knows no photos.
    module("Pixels"),
    module("Storage", ["CDigest", "CSystem"]),
    module("Containers", ["CExpat"]),
    module("CommandLineKit", ["Containers", "Storage"]),
    module("Database", ["CSQLite", "Storage"]),

    // Levels 2 to 4: bytes and rows, recipes, engine.
    module(
      "Codecs", ["Containers", "Pixels", "Storage", "CJPEG", "CPNG", "CZlib", "CLCMS"] + inputs),
    module("Filters", ["Containers", "Pixels", "Storage", "CKernels"]),
    module("Rendering", ["Filters", "Codecs", "Pixels", "Storage", "CKernels"]),

    // Level 5: products.
    module("PhotoEdit", ["Rendering", "Codecs", "Filters", "Containers", "Pixels", "Storage"]),
    module("PhotoEditMovies", ["Filters", "Containers", "Storage", "CAVFormat"]),

    // Level 6: the library, and video whose frames change.
    module(
      "PhotoEditVideo",
      [
        "PhotoEdit", "PhotoEditMovies", "Rendering", "Filters", "Codecs", "Pixels", "Storage",
        "CAVCodec",
      ]),
    module(
      "PhotoEditLibrary",
      [
        "PhotoEdit", "PhotoEditMovies", "Rendering", "Codecs", "Filters", "Containers", "Pixels",
        "Storage", "Database",
      ]),

    // Level 7: the command line.
    .executableTarget(
      name: "PhotoEditTool",
      dependencies: [
        "PhotoEdit", "PhotoEditMovies", "PhotoEditVideo", "PhotoEditLibrary", "Rendering", "Codecs",
        "Filters", "Pixels", "Storage", "CommandLineKit",
      ],
      swiftSettings: strict),

    // For contributors: writes TestImages/goldens.
    .executableTarget(
      name: "golden-recorder",
      dependencies: ["Rendering", "Filters", "Codecs", "Pixels", "Storage", "TestSupport"],
      path: "Tools/golden-recorder", swiftSettings: strict),
    // For contributors: measures a library of a million assets.
    .executableTarget(
      name: "library-benchmark",
      dependencies: ["PhotoEditLibrary", "Rendering", "Pixels", "Database"],
      path: "Tools/library-benchmark", swiftSettings: strict),
    .target(name: "CAllocations", path: "Tests/CAllocations"),
    .target(
      name: "CPictureWriters", path: "Tests/CPictureWriters",
      linkerSettings: [.linkedLibrary("tiff"), .linkedLibrary("webp")]),
    .target(
      name: "TestSupport", dependencies: ["Pixels", "Codecs", "Storage", "CAllocations"],
      path: "Tests/TestSupport", swiftSettings: strict),
    tests("PixelsTests", ["Pixels"]),
    tests("StorageTests", ["Storage"]),
    tests("CommandLineKitTests", ["CommandLineKit", "Containers", "Storage"]),
    tests("CodecsTests", ["Codecs", "Containers", "Pixels", "Storage", "CPictureWriters"]),
    tests("FiltersTests", ["Filters", "Pixels", "Storage"]),
    tests("RenderingTests", ["Rendering", "Filters", "Codecs", "Pixels", "Storage", "CKernels"]),
    tests(
      "PhotoEditTests",
      ["PhotoEdit", "Rendering", "Filters", "Codecs", "Containers", "Pixels", "Storage"]),
    tests(
      "PhotoEditVideoTests",
      [
        "PhotoEditVideo", "PhotoEdit", "PhotoEditMovies", "Rendering", "Filters", "Codecs",
        "Pixels",
        "Storage", "CAVCodec",
      ]),
    tests("PhotoEditMoviesTests", ["PhotoEditMovies", "Filters", "Storage"]),
    tests("DatabaseTests", ["Database"]),
    tests(
      "PhotoEditLibraryTests",
      [
        "PhotoEditLibrary", "PhotoEdit", "PhotoEditMovies", "PhotoEditVideo", "Database",
        "Rendering", "Codecs", "Filters", "Pixels", "Storage",
      ]),
    tests(
      "PhotoEditToolTests",
      [
        "CommandLineKit", "Filters", "Storage", "Codecs", "Pixels", "Database", "CPictureWriters",
      ]),
    tests("HousekeepingTests", []),
  ],
  swiftLanguageModes: [.v6]
)
