import { parseArgs } from 'node:util';
import type { Config } from '../config.ts';
import { UsageError } from './failure.ts';
import type { Installation } from './installation.ts';

// The published package holds JavaScript only.
const isPackaged = import.meta.filename.endsWith('.js');
/** How this command line is called. */
const program = isPackaged ? 'npx portico' : 'npm run portico --';

/** One option of a command. */
export type Option = {
  /** The placeholder of its value in the help, such as `ADDRESS`; null: it has no value. */
  value: string | null;
  help: string;
  required?: true;
};

/** Where a command writes to. */
export type Terminal = {
  /** Prints results and nothing else, so that scripts can read them. */
  print(text: string): void;
  /** What people read. */
  publish(text: string): void;
  /**
   * Resolves once the reader has taken the results that were printed; for results too many to hold in memory.
   */
  taken?(): Promise<void>;
  /** Progress, in a line that the next one replaces; left out where the output is no terminal. */
  progress?(text: string): void;
};

/** What a command reports when it has succeeded. */
export type Outcome = {
  /** The one line for scripts on standard output; null where the command has printed its own. */
  result: string | null;
  /** For people, on standard error. */
  notes: string[];
  /** The whole outcome, printed to standard output with `--json`. */
  json: Record<string, unknown>;
  /** The command ran, but what it found is bad: exit code 1. */
  failed?: boolean;
};

/** The options that were given; `true` for an option that takes no value. */
export type Values = Partial<Record<string, string>>;

/** What a command receives that must also work while the database is not available. */
export type Site = {
  config: Config;
  /** Opens the database, for as long as `work` takes. Throws Failure where that cannot be done. */
  withInstallation<T>(work: (installation: Installation) => Promise<T>): Promise<T>;
  /** Shows the progress, where a person watches. */
  progress(text: string): void;
};

export type Command = {
  summary: string;
  /** More about the command, for the help. */
  about: string;
  options: Record<string, Option>;
  /** The argument after the options, which has no option name, such as a folder. */
  operand?: { name: string; help: string; optional?: true };
} & (
  | {
      /** Whether the command may create the data folder; other commands treat a missing folder as a mistake. */
      startsData: boolean;
      /** Checks the values, before anything is opened, and answers what to do. Throws UsageError. */
      prepare(values: Values): (installation: Installation) => Promise<Outcome>;
    }
  | {
      startsData: boolean;
      /** As `prepare`, for a command that prints more results than memory can hold. */
      prepareStream(
        values: Values,
        options: { json: boolean },
      ): (installation: Installation, terminal: Terminal) => Promise<Outcome>;
    }
  | {
      /** As `prepare`, for a command that opens the database itself, or does without. */
      prepareOnSite(values: Values): (site: Site) => Promise<Outcome>;
    }
);

export type Parsed = { help: boolean; json: boolean; values: Values };

/** Reads a command's own arguments. Throws UsageError. */
export function parseOptions(command: Command, args: readonly string[]): Parsed {
  const options = Object.fromEntries(
    Object.entries(command.options).map(([name, { value }]) => [
      name,
      { type: value === null ? ('boolean' as const) : ('string' as const) },
    ]),
  );
  const { values, positionals } = parse(args, options, command.operand !== undefined);
  const { help, json, ...others } = values;
  const given: Values = Object.fromEntries(
    Object.entries(others).map(([name, value]) => [name, String(value)]),
  );
  if (!help) {
    for (const [name, { required }] of Object.entries(command.options)) {
      if (required && given[name] === undefined) throw new UsageError(`--${name} is missing.`);
    }
    if (command.operand !== undefined) {
      const [operand, another] = positionals;
      if (operand === undefined && !command.operand.optional)
        throw new UsageError(`${command.operand.name} is missing.`);
      if (another !== undefined) throw new UsageError(`"${another}" is one too many.`);
      if (operand !== undefined) given[command.operand.name] = operand;
    }
  }
  return { help: help === true, json: json === true, values: given };
}

function parse(
  args: readonly string[],
  options: Record<string, { type: 'string' | 'boolean' }>,
  allowPositionals: boolean,
) {
  try {
    return parseArgs({
      args: [...args],
      options: { ...options, help: { type: 'boolean', short: 'h' }, json: { type: 'boolean' } },
      strict: true,
      allowPositionals,
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

export function helpOf(name: string, command: Command): string {
  const own = Object.entries(command.options).map(([option, { value, help, required }]): [string, string] => [
    written(option, value),
    required ? help : `${help} (optional)`,
  ]);
  const usage = Object.entries(command.options).map(([option, { value, required }]) =>
    required ? written(option, value) : `[${written(option, value)}]`,
  );
  const { operand } = command;
  if (operand !== undefined) own.unshift([operand.name, operand.help]);
  return [
    `Usage: ${program} ${[name, ...usage, '[--json]', ...(operand === undefined ? [] : [operand.optional ? `[${operand.name}]` : operand.name])].join(' ')}`,
    '',
    command.about,
    '',
    columns([...own, ['--json', 'Print the whole result as JSON'], ['--help', 'Print this']]),
    '',
    exitCodes,
  ].join('\n');
}

function written(option: string, value: string | null): string {
  return value === null ? `--${option}` : `--${option} ${value}`;
}

export function overview(commands: Record<string, Command>): string {
  return [
    ...(isPackaged ? ['Usage: npx portico                      starts the server'] : []),
    `${isPackaged ? '      ' : 'Usage:'} ${program} <command> [options]`,
    '',
    columns(Object.entries(commands).map(([name, { summary }]) => [name, summary])),
    '',
    'Each command has --help. They work with a running server, which sees the change within a second, and without one.',
    'The same environment variables count as for the server: DATA_DIR, DATABASE_URL, PUBLIC_URL, …',
    exitCodes,
  ].join('\n');
}

const exitCodes = 'Exit codes: 0 done, 1 failed, 2 wrong usage.';

function columns(rows: readonly [string, string][]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n');
}
