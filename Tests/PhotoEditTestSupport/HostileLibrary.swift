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

  /// Compiles a program that starts the built one with another function in place of one of a
  /// library that is loaded at run time, and returns its path.
  package static func buildLauncher(
    replacing function: String, by action: String, in folder: TemporaryFolder
  ) throws -> String {
    let library = try buildReplacement(of: function, by: action, in: folder)
    let source = """
      #include <stdlib.h>
      #include <unistd.h>
      int main(int count, char **arguments) {
        setenv("LD_PRELOAD", "\(library)", 1);
        return execv("\(BuiltProgram.path)", arguments);
      }
      """
    try compile(source, [], to: "launcher", in: folder)
    return folder.path("launcher")
  }

  /// Compiles a library, which `LD_PRELOAD` must name, and returns its path.
  package static func buildReplacement(
    of function: String, by action: String, in folder: TemporaryFolder
  ) throws -> String {
    let source = """
      #define _GNU_SOURCE
      #include <dlfcn.h>
      #include <signal.h>
      #include <stdlib.h>
      #include <string.h>
      #include <unistd.h>
      static int replacement(void) { \(action) return -1; }
      void *dlsym(void *handle, const char *name) {
        static const char *const versions[] = {"GLIBC_2.34", "GLIBC_2.17", "GLIBC_2.2.5"};
        void *(*found)(void *, const char *) = 0;
        for (int i = 0; i < 3 && !found; i++) found = dlvsym(RTLD_NEXT, "dlsym", versions[i]);
        return strcmp(name, "\(function)") ? found(handle, name) : (void *)replacement;
      }
      """
    try compile(source, ["-shared", "-fPIC"], to: "replacement.so", in: folder)
    return folder.path("replacement.so")
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
