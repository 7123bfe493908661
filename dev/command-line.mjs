import { parseArgs } from 'node:util';

/**
 * Reads what stands after `npm run NAME --`. Ends the process: with the usage and 0 for `--help`, with one
 * line and 2 for an option or a word that the script does not take.
 *
 * @template {import('node:util').ParseArgsConfig} T
 * @param {T} config options and whether words may follow, as `parseArgs` takes them
 * @param {string} usage its first line begins with `Usage:`
 * @returns {ReturnType<typeof parseArgs<T>>}
 */
export function readCommandLine(config, usage) {
  const options = { ...config.options, help: { type: /** @type {const} */ ('boolean'), short: 'h' } };
  const refuse = (/** @type {string} */ message) => {
    process.stderr.write(`${message} Try --help.\n`);
    process.exit(2);
  };
  try {
    const read = parseArgs({ ...config, options });
    if (/** @type {Record<string, unknown>} */ (read.values)['help'] === true) {
      process.stdout.write(`${usage}\n`);
      process.exit(0);
    }
    return /** @type {ReturnType<typeof parseArgs<T>>} */ (/** @type {unknown} */ (read));
  } catch (error) {
    const [sentence = ''] = (error instanceof Error ? error.message : String(error)).split(/(?<=['"])\. |\n/);
    return refuse(`${sentence.replace(/\.$/, '')}.`);
  }
}
