import { parseArgs, type ParseArgsConfig } from 'node:util';

/**
 * Parses the arguments after `npm run NAME --`. Ends the process: with the usage and status 0 for `--help`, with
 * one line and status 2 for an option or a word that the script does not accept.
 *
 * @param config options and whether words may follow, as `parseArgs` takes them
 * @param usage its first line begins with `Usage:`
 */
export function readCommandLine<T extends ParseArgsConfig>(
  config: T,
  usage: string,
): ReturnType<typeof parseArgs<T>> {
  const options = { ...config.options, help: { type: 'boolean', short: 'h' } } as const;
  try {
    const read = parseArgs({ ...config, options });
    if ((read.values as Record<string, unknown>)['help'] === true) {
      process.stdout.write(`${usage}\n`);
      process.exit(0);
    }
    return read as unknown as ReturnType<typeof parseArgs<T>>;
  } catch (error) {
    const [sentence = ''] = (error instanceof Error ? error.message : String(error)).split(/(?<=['"])\. |\n/);
    process.stderr.write(`${sentence.replace(/\.$/, '')}. Try --help.\n`);
    process.exit(2);
  }
}
