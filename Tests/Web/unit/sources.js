// SPDX-License-Identifier: Apache-2.0
import { readdirSync, readFileSync } from 'node:fs';

const folder = new URL('../', import.meta.url);

/** The files of the page with an extension, with their paths and texts. */
export const sources = (extension) => ['index.html', 'css/', 'js/']
  .flatMap((part) => (part.endsWith('/')
    ? readdirSync(new URL(part, folder), { recursive: true }).map((name) => part + name)
    : [part]))
  .filter((path) => path.endsWith(`.${extension}`)).sort()
  .map((path) => ({ path, text: readFileSync(new URL(path, folder), 'utf8') }));
