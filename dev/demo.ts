// npm run demo: Portico on a temporary data folder, with people, flags and a notice to look at (START-7). The
// demo's data is written through the same pages and calls that people use: the set-up link, the sign-in, the HTTP
// interface.
import { randomInt, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Flag, listClientKeys } from '#features/flags/contract/flags.ts';
import type { FullReport } from '#features/feedback/contract/inbox.ts';
import type { listManagedLayers } from '#features/map/contract/manage.ts';
import type { AnswerOf } from '#contract/route.ts';
import type { MaintenanceWindow } from '#features/maintenance/contract/windows.ts';
import type { Person } from '#features/people/contract/people.ts';
import type { Profile } from '#features/profile/contract/profile.ts';
import { createApp, type App } from '#server/app.ts';
import { readConfig, type Config } from '#server/config.ts';
import { startFailure } from '#server/start-message.ts';
import { openBrowser, type Browser } from '#server/testing/browser.ts';
import type { Project } from '#features/diagnostics/contract/projects.ts';
import { call as callAt } from './call.ts';
import { applicationName, envelopeOf, errors } from './demo-errors.ts';
import { contextOf, reports, type SeedReport, type SeedStep } from './demo-reports.ts';
import {
  accounts,
  apiToken,
  blocked,
  emailOf,
  flags,
  groupMapping,
  invited,
  neighbours,
  nextWindow,
  notice,
  operator,
  ownRight,
  ownRole,
  pastWindow,
  leader,
  profileOfLeader,
  surveyor,
  teamLead,
  tiles,
  timesOfNextWindow,
  webhook,
} from './demo-seed.ts';
import { writeDay } from './demo-activity.ts';
import { type DemoMap, mapLayers, mapOrder, startDemoMap } from './demo-map.ts';
import { type Examples, startExamples } from './examples.ts';

const words =
  'amber birch cedar delta ember fjord grove heath inlet jetty kelp larch maple north ocean pearl quartz ridge stone thyme umber vale willow yarrow'.split(
    ' ',
  );

const settings = settingsOfTheDemo();
let config = configOrLeave();
const password = newPassword();
// The demo was set up some weeks ago and shows a week of use: while its data is written, the demo's clock is set
// to the time of each event.
const hour = 3_600_000;
const day = 24 * hour;
let behind = 40 * day;
const clock = { now: () => Date.now() - behind };
type ManagedLayers = AnswerOf<typeof listManagedLayers>;
type DemoEvent = { hoursAgo: number; happens: () => Promise<void> };
let app: App | undefined;
let examples: Examples | undefined;
let map: DemoMap | undefined;
let stopping = false;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop());

try {
  examples = await startExamples(config.publicUrl, config.dataDir);
  settings['UPSTREAMS_FILE'] = examples.upstreamsFile;
  map = await startDemoMap();
  settings['GEOSERVER_URL'] = map.url;
  config = readConfig(settings);
  app = await createApp(config, { clock });
  const address = `${await app.listen()}${config.basePath}`;
  await writeData(app, address);
  process.stdout.write(welcome());
} catch (error) {
  // A stop interrupts the writing of the data: that failure is not reported.
  if (!stopping) {
    process.stderr.write(`${startFailure(error, config)}\n`);
    map?.stop();
    await examples?.stop();
    process.exit(1);
  }
}

/**
 * Takes only the data folder, the address and the log level from the environment: the demo listens on this machine
 * alone, on data that is deleted at its end.
 */
function settingsOfTheDemo(): Record<string, string | undefined> {
  const { DATA_DIR, PORT, PUBLIC_URL, LOG_LEVEL = 'error' } = process.env;
  if (DATA_DIR === undefined || DATA_DIR === '') {
    process.stderr.write('The demo needs a data folder to throw away. Start it with: npm run demo\n');
    process.exit(1);
  }
  // Sessions last for the weeks that the demo's data covers: people stay signed in while it is written.
  const session = { SESSION_IDLE_HOURS: '1100', SESSION_MAX_DAYS: '60' };
  const fixed = { BASE_PATH: '/portico', HOST: '127.0.0.1', STOP_DELAY: '0', ...session };
  return { DATA_DIR, PORT, PUBLIC_URL, LOG_LEVEL, ...fixed };
}

function configOrLeave(): Config {
  try {
    return readConfig(settings);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  }
}

/** Four words and a number: hard to guess, and quick to type from a terminal. New for each demo. */
function newPassword(): string {
  return [...Array.from({ length: 4 }, () => words[randomInt(words.length)]), randomInt(10, 100)].join('-');
}

async function writeData({ setUpOffer, database }: App, address: string): Promise<void> {
  const token = setUpOffer()?.link.split('#')[1];
  if (token === undefined)
    throw new Error('this data folder is in use already; the demo needs an empty one.');
  const call = <T>(method: string, path: string, body?: unknown, bearer?: string) =>
    callAt<T>(address, bearer, method, path, body);
  const { firstName, lastName } = operator;
  await call('POST', '/v1/set-up', { token, email: emailOf(operator), firstName, lastName, password });

  const browsers = new Map<string, Browser>();
  const asOperator = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const send = async () => call<T>(method, path, body, await bearerOf(operator));
    return send().catch(async (error: unknown) => {
      if (!String(error).includes('PROOF_NEEDED')) throw error;
      // On the demo's clock, days pass between two events, so that the last proof is too old.
      const proof = { by: 'password', password };
      await call('POST', '/v1/account/proof', proof, await bearerOf(operator));
      return send();
    });
  };
  await bearerOf(operator);
  await Promise.all([...accounts, ...neighbours, blocked].map(invitePerson));
  await fillProfile();
  await giveOwnRights();
  await decideLayers();
  for (const flag of flags) await asOperator('POST', '/v1/flags', flag);
  await readyCompactDesks();
  for (const { upstream, ...tile } of tiles)
    await asOperator('PUT', `/v1/home/gateway-apps/${upstream}`, { ...tile, version: null });
  // On its clock, the demo was set up weeks ago.
  await asOperator('PUT', '/v1/overview/first-steps', { hidden: true });
  // The printed password must be enough. Because of its dates, the demo would ask for a second factor.
  const policy = await asOperator<object>('GET', '/v1/sign-in-policy');
  await asOperator('PUT', '/v1/sign-in-policy', { ...policy, secondFactor: 'offered' });
  const project = await asOperator<Project>('POST', '/v1/diagnostics/projects', { name: applicationName });
  await replay([...reportEvents(), ...windowEvents(), ...errorEvents(project), ...otherEvents()]);
  behind = 0;
  await writeDay(database, clock.now());
  const times = timesOfNextWindow(clock.now());
  await asOperator('POST', '/v1/maintenance/windows', { ...nextWindow, ...times });
  await connectSdks();

  /** Switches the flag off: one press then makes the rows of the sample application narrow in every browser. */
  async function readyCompactDesks(): Promise<void> {
    const path = '/v1/flags/DESKS_COMPACT';
    const { type, description, rules, tags, version } = await asOperator<Flag>('GET', path);
    const draft = { type, description, rules, tags, defaultValue: true, version };
    const changed = await asOperator<Flag>('PUT', path, draft);
    await asOperator('PUT', `${path}/enabled`, { enabled: false, version: changed.version });
  }

  /** Connects some SDKs, which listen for changes of flags. */
  async function connectSdks(): Promise<void> {
    const { clientKeys } = await asOperator<AnswerOf<typeof listClientKeys>>('GET', '/v1/client-keys');
    const key = clientKeys.find(({ kind }) => kind === 'plain')?.key;
    for (let n = 0; n < 3; n += 1) {
      const { body } = await fetch(`${address}/sub/${key}`);
      // Read the stream until the server closes it.
      body?.pipeTo(new WritableStream()).catch(() => undefined);
    }
  }

  /**
   * Creates a right and roles of the installation's own, given to people and a group, and a token for a script.
   */
  async function giveOwnRights(): Promise<void> {
    await asOperator('POST', '/v1/rights', ownRight);
    for (const role of [ownRole, teamLead]) await asOperator('POST', '/v1/roles', role);
    await asOperator('POST', '/v1/group-mappings', groupMapping);
    for (const [seed, { role }] of [
      [surveyor, ownRole],
      [operator, ownRole],
      [leader, teamLead],
    ] as const) {
      const { people } = await asOperator<{ people: Person[] }>(
        'GET',
        `/v1/people?search=${encodeURIComponent(emailOf(seed))}`,
      );
      for (const { id, roles, version } of people)
        await asOperator('PUT', `/v1/people/${id}/roles`, { roles: [...roles, role], version });
    }
    const { days, ...token } = apiToken;
    await asOperator('POST', '/v1/api-tokens', { ...token, expiresAt: Date.now() + days * day });
  }

  async function decideLayers(): Promise<void> {
    for (const layer of mapLayers) await asOperator('PUT', '/v1/map/managed-layers', layer);
    const { orderVersion: version } = await asOperator<ManagedLayers>('GET', '/v1/map/managed-layers');
    await asOperator('PUT', '/v1/map/order', { names: mapOrder, version });
  }

  /** Replays the events in the order of time. */
  async function replay(events: readonly DemoEvent[]): Promise<void> {
    for (const { hoursAgo, happens } of events.toSorted((a, b) => b.hoursAgo - a.hoursAgo)) {
      behind = hoursAgo * hour;
      await happens();
    }
  }

  /** Reports, and what was done and said about them. */
  function reportEvents(): DemoEvent[] {
    const sent = new Map<SeedReport, string>();
    return reports.flatMap((seed) => [
      { hoursAgo: seed.hoursAgo, happens: async () => void sent.set(seed, await send(seed)) },
      ...seed.since.map((step) => ({
        hoursAgo: seed.hoursAgo - step.afterHours,
        happens: () => takeStep(seed, step, sent),
      })),
    ]);
  }

  /** The notice, an invitation that is still open, and a webhook whose receiver does not answer. */
  function otherEvents(): DemoEvent[] {
    return [
      { hoursAgo: 20, happens: () => invitePerson(invited) },
      {
        hoursAgo: 26,
        async happens() {
          const { version } = await asOperator<{ version: number }>('GET', '/v1/maintenance');
          await asOperator('PUT', '/v1/maintenance', { ...notice, version });
        },
      },
      { hoursAgo: 5, happens: async () => void (await asOperator('POST', '/v1/webhooks', await webhook())) },
    ];
  }

  /** Errors as Sentry's SDK of an application reports them. */
  function errorEvents({ id, keys: [key] }: Project): DemoEvent[] {
    return errors.flatMap((error, index) =>
      Object.entries(error.times).map(([hoursAgo, events]) => ({
        hoursAgo: Number(hoursAgo),
        async happens() {
          for (let n = 0; n < events; n += 1) {
            const envelope = `/api/${id}/envelope/?sentry_key=${key?.key}`;
            const body = envelopeOf(error, n + index, clock.now());
            const { ok, status } = await fetch(address + envelope, { method: 'POST', body });
            if (!ok) throw new Error(`An envelope was answered ${status}.`);
          }
        },
      })),
    );
  }

  async function takeStep(
    seed: SeedReport,
    step: SeedStep,
    sent: ReadonlyMap<SeedReport, string>,
  ): Promise<void> {
    const reportId = sent.get(seed);
    const path = `/v1/reports/${reportId}`;
    if ('answer' in step) {
      const body = { text: step.answer, eventId: newEventId() };
      const bearer = await bearerOf(personNamed(seed.by));
      await call('POST', `/v1/users/current/reports/${reportId}/replies`, body, bearer);
      return;
    }
    const bearer = await bearerOf(step.by === undefined ? operator : personNamed(step.by));
    if ('reply' in step) {
      const { reply: text, status } = step;
      await call('POST', `${path}/replies`, { text, status, eventId: newEventId() }, bearer);
    } else if ('note' in step) {
      await call('POST', `${path}/notes`, { text: step.note, eventId: newEventId() }, bearer);
    } else {
      const { status, labels, assignee, duplicateOf } = step;
      const { version } = await asOperator<FullReport>('GET', path);
      const assigneeId = assignee === undefined ? undefined : await idOf(assignee);
      const other = duplicateOf === undefined ? undefined : sent.get(reports[duplicateOf - 1] ?? seed);
      await call('PUT', path, { status, labels, assigneeId, duplicateOf: other, version }, bearer);
    }
  }

  async function idOf(firstName: string): Promise<string | undefined> {
    const found = await asOperator<{ id: string }[]>('GET', `/v1/report-assignees?search=${firstName}`);
    return found[0]?.id;
  }

  /** A past maintenance window with its history. */
  function windowEvents(): DemoEvent[] {
    const { fields, plannedHoursAgo, startsHoursAgo, endsHoursAgo, steps } = pastWindow;
    const now = clock.now() + behind;
    const at = (hoursAgo: number) => Math.round((now - hoursAgo * hour) / 60_000) * 60_000;
    let window: MaintenanceWindow | undefined;
    return [
      {
        hoursAgo: plannedHoursAgo,
        async happens() {
          const times = { startsAt: at(startsHoursAgo), endsAt: at(endsHoursAgo) };
          window = await asOperator('POST', '/v1/maintenance/windows', { ...fields, ...times });
        },
      },
      ...steps.map(({ hoursAgo, step, ...rest }) => ({
        hoursAgo,
        async happens() {
          const end = 'endsHoursAgo' in rest ? { endsAt: at(rest.endsHoursAgo) } : {};
          const body = { version: window?.version, ...end };
          window = await asOperator('POST', `/v1/maintenance/windows/${window?.id}/${step}`, body);
        },
      })),
    ];
  }

  async function send(seed: SeedReport): Promise<string> {
    const reporter = personNamed(seed.by);
    const email = emailOf(reporter);
    const body = {
      name: `${reporter.firstName} ${reporter.lastName}`,
      email,
      message: seed.message,
      source: 'widget',
      url: `${config.publicUrl}${seed.page ?? '/'}`,
      tags: seed.tags ?? {},
      context: { ...contextOf(seed), time: clock.now() },
      attachments: seed.picture === undefined ? [] : [await picture(seed.picture)],
    };
    return (await call<{ id: string }>('POST', '/v1/feedback', body, await bearerOf(reporter))).id;
  }

  /** Gets a new token each time: a token is valid for five minutes, and days pass on the demo's clock. */
  async function bearerOf(person: typeof operator): Promise<string> {
    const email = emailOf(person);
    const browser = browsers.get(email) ?? openBrowser(address, undefined, config.publicUrl);
    if (!browsers.has(email)) await browser.signIn({ email, password });
    browsers.set(email, browser);
    return (await browser.renew()).body.accessToken;
  }

  async function invitePerson(seed: typeof operator): Promise<void> {
    const { person, invitation } = await asOperator<{ person: Person; invitation: { link: string } }>(
      'POST',
      '/v1/people',
      { ...seed, email: emailOf(seed) },
    );
    if (seed === invited) return;
    const names = { firstName: seed.firstName, lastName: seed.lastName };
    await call('POST', '/v1/invitations/accept', { token: tokenIn(invitation.link), ...names, password });
    if (seed !== blocked) return;
    const path = `/v1/people/${person.id}`;
    const known = await asOperator<Person>('GET', path);
    await asOperator('PUT', `${path}/blocked`, { blocked: true, version: known.version });
  }

  async function fillProfile(): Promise<void> {
    const path = '/v1/users/current/profile';
    const bearer = await bearerOf(leader);
    const known = await call<Profile>('GET', path, undefined, bearer);
    await call('PUT', path, { ...known, ...profileOfLeader }, bearer);
  }
}

function personNamed(firstName: string): typeof operator {
  const found = [operator, ...accounts, ...neighbours].find((person) => person.firstName === firstName);
  if (found === undefined) throw new Error(`there is no person ${firstName}.`);
  return found;
}

function newEventId(): string {
  return randomUUID().replaceAll('-', '');
}

async function picture(file: string) {
  const data = await readFile(join(import.meta.dirname, 'demo-pictures', file), 'base64');
  return { data, filename: 'screenshot.png', contentType: 'image/png' };
}

function tokenIn(link: string): string {
  return new URL(link).hash.slice(1);
}

function welcome(): string {
  const lines = [
    `Portico's demo is ready: ${config.publicUrl}`,
    '',
    ...[operator, ...accounts].map((one) => `${one.lastName.padEnd(10)} ${emailOf(one)}`),
    `Password   ${password}`,
    '',
    'Two applications behind it (examples/), and Portico in them:',
    `Leave      ${config.origin}/`,
    `Desks      ${config.origin}/desks/`,
    '',
    `The map    ${map?.what}`,
    '',
    'The command line:',
    `DATA_DIR='${config.dataDir}' npm run portico -- maintenance status`,
    '',
    'Everything is thrown away when you stop it (Ctrl-C).',
  ];
  return `\n${lines.map((line) => `  ${line}`.trimEnd()).join('\n')}\n\n`;
}

async function stop(): Promise<void> {
  // A second signal ends the process at once; before the server listens, there is nothing to stop in good order.
  if (stopping || app === undefined) process.exit(stopping ? 1 : 0);
  stopping = true;
  await app.stop();
  map?.stop();
  await examples?.stop();
  process.exit(0);
}
