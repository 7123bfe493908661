import { parseArgs } from 'node:util';
import type { Installation } from './installation.ts';

/** One option of a command. */
export type Option = {
  /** What stands for its value in the help, such as `ADDRESS`. */
  value: string;
  help: string;
  required?: true;
};

/** What a command has to say when it has succeeded. */
export type Outcome = {
  /** The one line that somebody may want to take over, alone on standard output. */
  result: string;
  /** For people, on standard error. */
  notes: string[];
  /** The whole of it, on standard output with `--json`. */
  json: Record<string, unknown>;
};

export type Values = Partial<Record<string, string>>;

export type Command = {
  summary: string;
  /** More about it, for the help. */
  about: string;
  options: Record<string, Option>;
  /** Whether it may make the data folder; other commands take a missing one for a mistake. */
  startsData: boolean;
  /** Checks the values, before anything is opened, and answers what to do. Throws UsageError. */
  prepare(values: Values): (installation: Installation) => Promise<Outcome>;
};

/** The command line was wrong: exit code 2. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

/** Something that a person can understand and act on: exit code 1, its message alone. */
export class Failure extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'Failure';
  }
}

export type Parsed = { help: boolean; json: boolean; values: Values };

/** Reads a command's own arguments. Throws UsageError. */
export function parseOptions(command: Command, args: readonly string[]): Parsed {
  const options = Object.fromEntries(
    Object.keys(command.options).map((name) => [name, { type: 'string' as const }]),
  );
  const { values } = parse(args, options);
  const { help = false, json = false, ...given } = values as { help?: boolean; json?: boolean } & Values;
  if (!help) {
    for (const [name, { required }] of Object.entries(command.options)) {
      if (required && given[name] === undefined) throw new UsageError(`--${name} is missing.`);
    }
  }
  return { help, json, values: given };
}

function parse(args: readonly string[], options: Record<string, { type: 'string' }>) {
  try {
    return parseArgs({
      args: [...args],
      options: { ...options, help: { type: 'boolean', short: 'h' }, json: { type: 'boolean' } },
      strict: true,
      allowPositionals: false,
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

export function helpOf(name: string, command: Command): string {
  const own = Object.entries(command.options).map(([option, { value, help, required }]): [string, string] => [
    `--${option} ${value}`,
    required ? help : `${help} (optional)`,
  ]);
  const usage = Object.entries(command.options).map(([option, { value, required }]) =>
    required ? `--${option} ${value}` : `[--${option} ${value}]`,
  );
  return [
    `Usage: npm run portico -- ${[name, ...usage, '[--json]'].join(' ')}`,
    '',
    command.about,
    '',
    columns([...own, ['--json', 'Print the whole result as JSON'], ['--help', 'Print this']]),
    '',
    exitCodes,
  ].join('\n');
}

export function overview(commands: Record<string, Command>): string {
  return [
    'Usage: npm run portico -- <command> [options]',
    '',
    columns(Object.entries(commands).map(([name, { summary }]) => [name, summary])),
    '',
    'Each command has --help. They work beside a running server, which sees the change within a second, and without one.',
    'The same environment variables count as for the server: DATA_DIR, DATABASE_URL, PUBLIC_URL, …',
    exitCodes,
  ].join('\n');
}

const exitCodes = 'Exit codes: 0 done, 1 failed, 2 wrong usage.';

function columns(rows: readonly [string, string][]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n');
}
