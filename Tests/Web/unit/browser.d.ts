// SPDX-License-Identifier: Apache-2.0
// What the page uses of browsers and tsc 4.8 does not know yet.

interface HTMLElement {
  showPopover(): void;
  hidePopover(): void;
}

interface Element {
  checkVisibility(): boolean;
}

interface HTMLElementEventMap {
  cancel: Event;
}

interface Event {
  /** Of an event `toggle`: open or closed. */
  readonly newState?: string;
}

interface Array<T> {
  findLast(found: (value: T, index: number) => unknown): T | undefined;
  toSorted(order?: (a: T, b: T) => number): T[];
  toSpliced(start: number, count: number, ...values: T[]): T[];
  with(index: number, value: T): T[];
}
