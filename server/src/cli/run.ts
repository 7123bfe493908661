import packageJson from '../../../package.json' with { type: 'json' };
import { ConfigError, type Config } from '../config.ts';
import { HttpProblem } from '../platform/http/http-problem.ts';
import { isFull, isStorageFailure } from '../platform/database/storage-failure.ts';
import { auditExport } from './audit-commands.ts';
import { backup, backupCheck, backupVerify, restore, restoreFinish } from './backup-commands.ts';
import { doctor, health } from './doctor-command.ts';
import {
  helpOf,
  overview,
  parseOptions,
  type Command,
  type Outcome,
  type Terminal,
  type Values,
} from './command.ts';
import { Failure, UsageError } from './failure.ts';
import { flagsExport, flagsImport, flagsRefs, flagsTypes } from './flags-commands.ts';
import { openInstallation, type Installation } from './installation.ts';
import { keysRotate } from './keys-commands.ts';
import {
  maintenanceOff,
  maintenanceOn,
  maintenanceResume,
  maintenanceStatus,
} from './maintenance-commands.ts';
import { oidcCheck } from './oidc-commands.ts';
import { peopleErase, peopleExport, peopleRelink } from './people-commands.ts';
import { operatorCreate, operatorReset } from './operator-commands.ts';
import { filesMove, filesSweep, move } from './storage-commands.ts';
import { sourceMapsList, sourceMapsRemove, sourceMapsUpload } from './source-maps-commands.ts';
import { tokenCreate, tokenList, tokenRevoke } from './token-commands.ts';

/** Every command, as it is called: `npm run portico -- operator create …`. */
const commands: Record<string, Command> = {
  'operator create': operatorCreate,
  'operator reset': operatorReset,
  'token create': tokenCreate,
  'token list': tokenList,
  'token revoke': tokenRevoke,
  'oidc check': oidcCheck,
  'people relink': peopleRelink,
  'people export': peopleExport,
  'people erase': peopleErase,
  'audit export': auditExport,
  'keys rotate': keysRotate,
  'source-maps upload': sourceMapsUpload,
  'source-maps list': sourceMapsList,
  'source-maps remove': sourceMapsRemove,
  'flags export': flagsExport,
  'flags import': flagsImport,
  'flags types': flagsTypes,
  'flags refs': flagsRefs,
  backup,
  'backup check': backupCheck,
  'backup verify': backupVerify,
  restore,
  'restore finish': restoreFinish,
  'files move': filesMove,
  move,
  'files sweep': filesSweep,
  'maintenance status': maintenanceStatus,
  'maintenance on': maintenanceOn,
  'maintenance off': maintenanceOff,
  'maintenance resume': maintenanceResume,
  doctor,
  health,
};

/**
 * Runs the command that the arguments name. Answers the exit code: 0 done, 1 failed, 2 wrong usage (CLI-1).
 */
export async function runCommandLine(
  args: readonly string[],
  readConfig: () => Config,
  terminal: Terminal,
): Promise<number> {
  const json = args.includes('--json');
  try {
    const found = commandOf(args);
    if (found === null) return answerWithoutCommand(args, terminal);
    const { name, command, rest } = found;
    const parsed = parseOptions(command, rest);
    if (parsed.help) {
      terminal.print(helpOf(name, command));
      return 0;
    }
    const outcome = await run(command, parsed.values, readConfig, terminal, json);
    show(outcome, json, terminal);
    return outcome.failed === true ? 1 : 0;
  } catch (error) {
    const usage = error instanceof UsageError;
    const message = messageOf(error);
    const { details, lines } =
      error instanceof Failure
        ? error
        : { details: { code: usage ? 'USAGE' : 'FAILED' }, lines: usage ? ['Try --help.'] : [] };
    if (json) terminal.publish(JSON.stringify({ error: { ...details, message } }));
    else terminal.publish([message, ...lines].join('\n'));
    return usage ? 2 : 1;
  }
}

/** The command of one or two words with which the arguments begin, or null. */
function commandOf(args: readonly string[]): { name: string; command: Command; rest: string[] } | null {
  for (const words of [2, 1]) {
    const name = args.slice(0, words).join(' ');
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (command !== undefined) return { name, command, rest: args.slice(words) };
  }
  return null;
}

function run(
  command: Command,
  values: Values,
  readConfig: () => Config,
  terminal: Terminal,
  json: boolean,
): Promise<Outcome> {
  if ('prepare' in command) {
    const work = command.prepare(values);
    return withInstallation(readConfig(), command, work);
  }
  if ('prepareStream' in command) {
    const work = command.prepareStream(values, { json });
    return withInstallation(readConfig(), command, (inside) => work(inside, terminal));
  }
  const work = command.prepareOnSite(values);
  const config = readConfig();
  return work({
    config,
    withInstallation: (inside) => withInstallation(config, { startsData: false }, inside),
    progress: (text) => {
      if (!json) terminal.progress?.(text);
    },
  });
}

async function withInstallation<T>(
  config: Config,
  options: { startsData: boolean },
  work: (installation: Installation) => Promise<T>,
): Promise<T> {
  const installation = await openInstallation(config, options);
  try {
    return await work(installation);
  } finally {
    await installation.close();
  }
}

function answerWithoutCommand(args: readonly string[], terminal: Terminal): number {
  if (args.length === 1 && (args[0] === '--version' || args[0] === '-v')) {
    terminal.print(packageJson.version);
    return 0;
  }
  const asked = args.filter((arg) => !arg.startsWith('-'));
  const within = Object.keys(commands).some((name) => asked.length === 1 && name.startsWith(`${asked[0]} `));
  if ((asked.length === 0 || within) && (args.includes('--help') || args.includes('-h'))) {
    terminal.print(overview(commands));
    return 0;
  }
  if (asked.length === 0 || within) {
    terminal.publish(overview(commands));
    return 2;
  }
  throw new UsageError(`There is no command "${asked.join(' ')}".`);
}

function show(outcome: Outcome, json: boolean, terminal: Terminal): void {
  if (json) {
    terminal.print(JSON.stringify(outcome.json));
    return;
  }
  for (const note of outcome.notes) terminal.publish(note);
  if (outcome.result !== null) terminal.print(outcome.result);
}

/** A message that the operator can act on; for an unexpected error the stack as well. */
function messageOf(error: unknown): string {
  if (error instanceof HttpProblem) {
    const fields =
      error.details.errors?.map(({ pointer, message }) => `${pointer.slice(1)} ${message}`) ?? [];
    return [error.message, ...fields].join('\n');
  }
  if (error instanceof UsageError || error instanceof Failure || error instanceof ConfigError)
    return error.message;
  if (isFull(error))
    return `There is no room left on the disk or in the database: ${reasonOf(error)}. Make room and try again.`;
  if (isStorageFailure(error))
    return `The database or the disk cannot be used now: ${reasonOf(error)}. Try again when it can.`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
