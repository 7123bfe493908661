/**
 * Changes that make no difference that anybody could see, with the reason; they do not count.
 *
 * @type {readonly { file: string, line: string, replacement: string, why: string }[]}
 */
export const equivalents = [];
