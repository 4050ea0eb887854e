// SPDX-License-Identifier: Apache-2.0
import PhotoEdit
import PhotoEditCommandLine
import PhotoEditFilters
import PhotoEditStorage
import Testing

@testable import PhotoEditServer

@Suite("Problems")
struct ProblemTests {
  @Test(arguments: Problem.Kind.allCases)
  func `every kind has the members of RFC 9457 and a status of its own meaning`(
    kind: Problem.Kind
  ) {
    let problem = Problem(kind, "detail")
    guard case .object(let members) = problem.json else { return }
    #expect(members["type"] == .string("urn:photoedit:" + kind.rawValue))
    #expect((400...599).contains(problem.status))
    #expect(members["status"]?.integerValue == problem.status)
    #expect(members["code"]?.integerValue.flatMap { ExitCode(rawValue: Int32($0)) } != nil)
    #expect(problem.response.status == problem.status)
  }

  @Test func `the detail of a file error does not contain its path`() {
    let path = "/folder/photo.jpg"
    let problem = Problem(FileError(.missing, path: path, reason: "cannot open: no such file"))
    #expect(problem.kind == .notFound && problem.code == .inputMissing)
    #expect(!problem.detail.contains(path))
  }

  @Test func `a busy server names the time of another attempt`() {
    #expect(
      Problem(.busy, "detail").response.fields.contains { $0 == ("Retry-After", "1") })
  }

  @Test func `a full disk is reported as such`() {
    let problem = Problem(FileError(.noSpace, path: "/x", reason: "no space left"))
    #expect(problem.status == 507 && problem.code == .inputOutput)
  }
}
