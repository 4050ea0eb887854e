// SPDX-License-Identifier: Apache-2.0
import Testing

/// A library in place of giflib that does something else.
package enum HostileLibrary {
  /// The C compiler of this machine; nil without one.
  package static let compiler = Program.find("cc") ?? Program.find("gcc") ?? Program.find("clang")

  /// Compiles the library into a folder, which `LD_LIBRARY_PATH` must name.
  ///
  /// - Parameter action: The C statements of its first function.
  package static func build(_ action: String, in folder: TemporaryFolder) throws {
    let source = """
      #include <signal.h>
      #include <stdlib.h>
      #include <string.h>
      #include <unistd.h>
      void *DGifOpen(void *data, void *read, int *error) { \(action) return 0; }
      int DGifCloseFile(void *file, int *error) { return 1; }
      int DGifExtensionToGCB(size_t count, const void *bytes, void *block) { return 0; }
      int DGifGetExtension(void *file, int *code, void **bytes) { return 0; }
      int DGifGetExtensionNext(void *file, void **bytes) { return 0; }
      int DGifGetImageHeader(void *file) { return 0; }
      int DGifGetLine(void *file, void *line, int count) { return 0; }
      int DGifGetRecordType(void *file, int *type) { return 0; }
      const char *GifErrorString(int code) { return 0; }
      """
    try compile(source, ["-shared", "-fPIC"], to: "libgif.so.7", in: folder)
  }

  /// Compiles a program that starts the built one with the library, and returns its path.
  package static func buildLauncher(in folder: TemporaryFolder) throws -> String {
    let source = """
      #include <stdlib.h>
      #include <unistd.h>
      int main(int count, char **arguments) {
        setenv("LD_LIBRARY_PATH", "\(folder.path)", 1);
        return execv("\(BuiltProgram.path)", arguments);
      }
      """
    try compile(source, [], to: "launcher", in: folder)
    return folder.path("launcher")
  }

  private static func compile(
    _ source: String, _ options: [String], to name: String, in folder: TemporaryFolder
  ) throws {
    let input = try folder.write(Array(source.utf8), to: name + ".c")
    let arguments = options + ["-o", folder.path(name), input]
    let log = folder.path(name + ".log")
    #expect(Program.run(try #require(compiler), arguments, output: log) == 0)
  }
}
