// SPDX-License-Identifier: Apache-2.0
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** A process that renders images, one after another; see `photoedit help worker`. */
export class Worker {
  #process;
  #lines;
  #last = Promise.resolve();

  /**
   * @param {string} program The program `photoedit`.
   * @param {string[]} limits Options such as `--max-memory 1G`.
   */
  constructor(program = 'photoedit', limits = []) {
    this.#process = spawn(program, ['worker', ...limits], { stdio: ['pipe', 'pipe', 'inherit'] });
    // A process that ends is noticed when its answer is missing.
    this.#process.stdin.on('error', () => {});
    this.#lines = createInterface(this.#process.stdout)[Symbol.asyncIterator]();
    /** The version and the components, from the first line. */
    this.description = this.#answer();
    this.#last = this.description.catch(() => {});
  }

  async #answer() {
    const { value, done } = await this.#lines.next();
    if (done) throw new Error('the worker has ended');
    return JSON.parse(value);
  }

  /**
   * Renders an image to a new file and returns the report.
   *
   * @param {string} input
   * @param {string} output
   * @param {object} graph The filters; `photoedit show --json` prints those of an edit.
   * @param {object} options Such as `{ quality: 85 }`.
   */
  render(input, output, graph, options = {}) {
    this.#process.stdin.write(JSON.stringify({ id: output, input, output, graph, options }) + '\n');
    // Answers come in the order of the requests.
    const answer = this.#last.then(() => this.#answer());
    this.#last = answer.catch(() => {});
    return answer.then((report) => {
      if (report.status !== 'rendered') throw new Error(report.message);
      return report;
    });
  }

  /** Ends the process after the last answer. */
  async close() {
    await this.#last;
    this.#process.stdin.end();
  }
}
