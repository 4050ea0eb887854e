// SPDX-License-Identifier: Apache-2.0
// A dialog imports this first: its texts are there before its tables are made.
import { addDialogWords } from './language.js';

await addDialogWords();
