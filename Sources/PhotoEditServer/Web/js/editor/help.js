// SPDX-License-Identifier: Apache-2.0
// The descriptions of filters and parameters in the language of the page. The server writes them in
// English, which stays where a language has none.
import { language, nameOf } from '../language.js';

const ofColor = new RegExp('^(red|orange|yellow|green|aqua|blue|purple|magenta|shadow|midtone'
  + '|highlight|global)([A-Z]\\w+)?$');

/**
 * The key of a description: that of the parameter of a filter, of a property of each color, or of a
 * parameter that several filters have.
 * @param {Record<string, string>} texts
 * @param {string} filter
 * @param {string} parameter
 */
export function helpKey(texts, filter, parameter) {
  const [, , property = ''] = ofColor.exec(parameter) ?? [];
  return [
    `${filter}.${parameter}`, ofColor.test(parameter) && `${filter}.*${property}`, `.${parameter}`,
  ].find((key) => key && Object.hasOwn(texts, key));
}

/**
 * Filters with their descriptions in another language.
 * @param {Filter[]} filters
 * @param {Record<string, string>} texts
 * @returns {Filter[]}
 */
export const described = (filters, texts) => filters.map((filter) => ({
  ...filter,
  summary: texts[filter.name] ?? filter.summary,
  parameters: filter.parameters.map((parameter) => {
    const color = ofColor.exec(parameter.name)?.[1];
    return {
      ...parameter,
      summary: texts[helpKey(texts, filter.name, parameter.name)]
        ?.replace('{color}', nameOf(color) ?? color) ?? parameter.summary,
    };
  }),
}));

/**
 * The descriptions of the language of the page; none in English.
 * @returns {Promise<Record<string, string>>}
 */
export async function help() {
  if (language.code === 'en') return {};
  try {
    return (await import(`../words/${language.code}/help.js`)).help;
  } catch (problem) {
    console.error(problem);
    return {};
  }
}
