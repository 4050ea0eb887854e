// SPDX-License-Identifier: Apache-2.0
import Testing

@Suite("Other processors than x86-64")
struct ProcessorTests {
  @Test func `no source, tool or test works on x86-64 only`() {
    let files = ["Sources", "Tools", "Tests"].flatMap { Repository.texts(under: $0) }
      .filter { !$0.path.hasPrefix("Tests/PhotoEditHousekeepingTests/Processor") }
    #expect(files.count > 500)
    #expect(files.flatMap(ProcessorRules.findings) == [])
  }

  private static func findings(_ text: String, type: String) -> [String] {
    ProcessorRules.findings(in: TextFile(path: "a.\(type)", text: text))
  }

  @Test(arguments: [
    "let x: Float80 = 1", "import _Builtin_intrinsics.intel", "let y = _mm_add_ps(a, b)",
    "text.map { UInt8(bitPattern: $0) }", "text.map { CChar(bitPattern: $0) }",
    "text.map(UInt8.init)", "let p: UnsafePointer<Int8>", "p.withMemoryRebound(to: Int8.self) {}",
    "let message: [CChar] = [-61, 0]", "open(path, O_RDONLY | 0o200000)", "syscall(318, p, 8, 0)",
    "#if arch(x86_64)\nlet a = 1\n#endif", "#if os(Linux)\n#if arch(x86_64)\n#endif\n#else\n#endif",
    "fopen(\"/proc/self/statm\", \"r\")\nlet bytes = pages * 4096", "let p = mmap(nil, 4096)",
    "let path = \"/usr/lib/x86_64-linux-gnu\"",
  ])
  func `Swift for one processor is reported`(text: String) {
    #expect(Self.findings(text, type: "swift").count == 1)
  }

  @Test(arguments: [
    "text.map { UInt8(truncatingIfNeeded: $0) }", "String(Int8(bitPattern: byte))",
    "#if arch(x86_64)\nlet a = 1\n#elseif arch(arm64)\n#endif", "#if arch(x86_64)\n#else\n#endif",
    "#if arch(arm64)\n#endif", "#if canImport(Glibc)\n#endif", "let x: SIMD4<Float>",
    "let mode = 0o100000", "syscall(Int(SYS_getrandom))", "var message = [CChar]()",
    "fopen(\"/proc/self/statm\", \"r\")\nlet bytes = pages * sysconf(Int32(_SC_PAGESIZE))",
  ])
  func `other Swift is accepted`(text: String) {
    #expect(Self.findings(text, type: "swift") == [])
  }

  @Test func `names of an architecture in scripts are reported`() {
    #expect(Self.findings("lib=/usr/lib/x86_64-linux-gnu", type: "sh") != [])
    #expect(Self.findings("name = f\"photoedit_{version}_amd64.deb\"", type: "py") != [])
    #expect(Self.findings("Architecture: amd64 arm64", type: "sh") == [])
    #expect(Self.findings("open(\"/proc/self/statm\").read() * 4096", type: "py") != [])
    #expect(Self.findings("#include \"x86_64-linux-gnu.h\"", type: "c") == [])
  }
}
