import { request } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { buffer } from 'node:stream/consumers';
import { readyz } from '#features/health/contract/health.ts';
import { type Check, checks, needs } from '#features/health/contract/doctor.ts';
import {
  checkNames,
  examine,
  newestMigration,
  type FileFound,
  type Patient,
} from '#features/health/server/doctor.ts';
import type { Step, StepOutcome } from '#features/outside-provider/server/check-provider.ts';
import type { Config } from '../config.ts';
import { migrations } from '../features.ts';
import { sqliteFile } from '../platform/database/database.ts';
import type { Command, Site } from './command.ts';
import { Failure } from './failure.ts';
import { writtenSteps } from './oidc-commands.ts';

export const doctor: Command = {
  summary: 'Looks at everything the installation needs, and says what to do',
  about: [
    'Looks at the configuration, the disk, the object store, the database, the clock, sign-in, mail, webhooks and the last backup, and asks the running server',
    'through PUBLIC_URL, as a browser reaches it: the proxy, its headers, the size of bodies, streams. It changes nothing: a database of',
    'another release is not brought up to date. Exit code 1 where something failed; warnings alone are 0.',
  ].join('\n'),
  options: {},
  prepareOnSite() {
    return async (site) => {
      const steps = await stepsOf(site);
      const ok = steps.every(({ outcome }) => outcome !== 'failed');
      const count = (wanted: StepOutcome) => steps.filter(({ outcome }) => outcome === wanted).length;
      return {
        result: [
          ...writtenSteps(steps),
          '',
          `Failed: ${count('failed')}, warnings: ${count('warning')}.`,
        ].join('\n'),
        notes: [],
        json: { ok, steps },
        failed: !ok,
      };
    };
  },
};

/** The checks that do not open the database: opening one of another release would bring it up to date. */
const withoutDatabase: readonly Check[] = ['configuration', 'disk', 'object-store', 'database', 'sign-in'];

async function stepsOf(site: Site): Promise<Step[]> {
  const { config } = site;
  const steps: Step[] = [];
  const failed = new Set<Check>();
  async function look(check: Check, opened: Patient['opened']): Promise<void> {
    const needed = needs[check];
    if (needed !== undefined && failed.has(needed)) return;
    site.progress(`${checkNames[check]} …`);
    const found = await examine(check, {
      config,
      known: Object.keys(migrations),
      file: () => Promise.resolve(readFile(config.dataDir)),
      opened,
    });
    if (found.some(({ outcome }) => outcome === 'failed')) failed.add(check);
    steps.push(...found);
  }

  for (const check of withoutDatabase.slice(0, -1)) await look(check, null);
  if (!failed.has('database')) {
    await site
      .withInstallation(async (installation) => {
        for (const check of checks) if (!withoutDatabase.includes(check)) await look(check, installation);
      })
      .catch((error: unknown) => {
        const { message } = error as Error;
        steps.push({ name: 'Data', outcome: 'failed', message });
      });
  }
  await look('sign-in', null);
  return steps;
}

/** Reads without Portico's own connection, which would bring the database of an older release up to date. */
function readFile(dataDir: string): FileFound {
  const file = new DatabaseSync(sqliteFile(dataDir), { readOnly: true });
  try {
    const one = (sql: string) => String(Object.values(file.prepare(sql).get() ?? {})[0]);
    const check = one('pragma quick_check(1)');
    return {
      version: `SQLite ${one('select sqlite_version()')}`,
      schema: one(newestMigration),
      fault: check === 'ok' ? null : check,
    };
  } finally {
    file.close();
  }
}

/** A container's health check has its own timeout; this timeout ends the check with a reason. */
const mostMs = 4_000;

export const health: Command = {
  summary: 'Asks the server on this machine whether it is ready; for the health check of a container',
  about: 'Prints ready, or fails with the reason. The address is read from HOST, PORT and BASE_PATH.',
  options: {},
  prepareOnSite() {
    return async ({ config }) => {
      const address = `http://${ownAddress(config.host)}:${config.port}${config.basePath}${readyz.path}`;
      const { status, reason } = await ask(address);
      if (status === 200) return { result: 'ready', notes: [], json: { ready: true } };
      throw new Failure(`${address} answers ${status}${reason}.`, { code: 'NOT_READY', status });
    };
  },
};

/** Where a server that listens on all addresses is reached from its own machine. */
function ownAddress(host: Config['host']): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

function ask(address: string): Promise<{ status: number; reason: string }> {
  return new Promise((done, fail) => {
    const unreachable = ({ message }: Error) =>
      fail(new Failure(`${address} does not answer: ${message}.`, { code: 'UNREACHABLE' }));
    const asked = request(address, { agent: false, signal: AbortSignal.timeout(mostMs) });
    asked.once('error', unreachable);
    asked.once('response', (response) => {
      void buffer(response).then((body) => {
        done({ status: response.statusCode ?? 0, reason: detailOf(body.toString()) });
      }, unreachable);
    });
    asked.end();
  });
}

function detailOf(problem: string): string {
  try {
    const { detail } = JSON.parse(problem) as { detail?: unknown };
    return typeof detail === 'string' ? `: ${detail.replace(/\.$/, '')}` : '';
  } catch {
    return '';
  }
}
