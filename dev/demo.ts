// npm run demo: Portico on a temporary data folder, with people, flags and a notice to look at (START-7). The
// demo's data is written through the same pages and calls that people use: the set-up link, the sign-in, the HTTP
// interface.
import { randomInt, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Flag } from '#features/flags/contract/flags.ts';
import { createApp, type App } from '#server/app.ts';
import { readConfig, type Config } from '#server/config.ts';
import { startFailure } from '#server/start-message.ts';
import { openBrowser, type Browser } from '#server/testing/browser.ts';
import type { Project } from '#features/diagnostics/contract/projects.ts';
import { call as callAt, clientKey } from './call.ts';
import { applicationName, envelopeOf, errors } from './demo-errors.ts';
import { contextOf, reports, type SeedReport, type SeedStep } from './demo-reports.ts';
import * as seed from './demo-seed.ts';
import { mapLayers, mapOrder, startDemoMap, writeDay } from './demo-activity.ts';
import { startExamples } from './examples.ts';

const words =
  'amber birch cedar delta ember fjord grove heath inlet jetty kelp larch maple north ocean pearl quartz ridge stone thyme umber vale willow yarrow'.split(
    ' ',
  );
const { accounts, emailOf, leader, operator } = seed;

const settings = settingsOfTheDemo();
let config = configOrLeave();
// Four words and a number: hard to guess, and quick to type from a terminal. New for each demo.
const word = () => words[randomInt(words.length)];
const password = [word(), word(), word(), word(), randomInt(10, 100)].join('-');
// The demo was set up some weeks ago and shows a week of use: while its data is written, the demo's clock is set
// to the time of each event.
const hour = 3_600_000;
const day = 24 * hour;
let behind = 40 * day;
const clock = { now: () => Date.now() - behind };
type Versioned = { id: string; version: number };
type DemoEvent = { hoursAgo: number; happens: () => Promise<unknown> };
/** What has been started, to be stopped in the opposite order. */
const stops: (() => unknown)[] = [];
let stopping = false;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(0));

try {
  const examples = await startExamples(config.publicUrl, config.dataDir);
  stops.push(examples.stop);
  const map = await startDemoMap();
  stops.push(map.stop);
  config = readConfig({ ...settings, UPSTREAMS_FILE: examples.upstreamsFile, GEOSERVER_URL: map.url });
  const app = await createApp(config, { clock });
  stops.push(() => app.stop());
  await writeData(app, `${await app.listen()}${config.basePath}`);
  process.stdout.write(welcome(map.what));
} catch (error) {
  // A stop interrupts the writing of the data: that failure is not reported.
  if (!stopping) {
    process.stderr.write(`${startFailure(error, config)}\n`);
    await stop(1);
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
  await Promise.all([...accounts, ...seed.neighbours, seed.blocked].map(invitePerson));
  const profile = '/v1/users/current/profile';
  const known = await call<object>('GET', profile, undefined, await bearerOf(leader));
  await call('PUT', profile, { ...known, ...seed.profileOfLeader }, await bearerOf(leader));
  await giveOwnRights();
  const layers = '/v1/map/managed-layers';
  for (const layer of mapLayers) await asOperator('PUT', layers, layer);
  const { orderVersion: version } = await asOperator<{ orderVersion: number }>('GET', layers);
  await asOperator('PUT', '/v1/map/order', { names: mapOrder, version });
  await asOperator('POST', '/v1/segments', seed.segment);
  for (const flag of seed.flags) await asOperator('POST', '/v1/flags', flag);
  await readyCompactDesks();
  for (const { upstream, ...tile } of seed.tiles)
    await asOperator('PUT', `/v1/home/gateway-apps/${upstream}`, { ...tile, version: null });
  // On its clock, the demo was set up weeks ago.
  await asOperator('PUT', '/v1/overview/first-steps', { hidden: true });
  // The printed password must be enough. Because of its dates, the demo would ask for a second factor.
  const policy = await asOperator<object>('GET', '/v1/sign-in-policy');
  await asOperator('PUT', '/v1/sign-in-policy', { ...policy, secondFactor: 'offered' });
  const project = await asOperator<Project>('POST', '/v1/diagnostics/projects', { name: applicationName });
  const events = [...reportEvents(), ...windowEvents(), ...errorEvents(project), ...otherEvents()];
  for (const { hoursAgo, happens } of events.toSorted((a, b) => b.hoursAgo - a.hoursAgo)) {
    behind = hoursAgo * hour;
    await happens();
  }
  behind = 0;
  await writeDay(database, clock.now());
  const times = seed.timesOfNextWindow(clock.now());
  await asOperator('POST', '/v1/maintenance/windows', { ...seed.nextWindow, ...times });
  const key = await clientKey(address, await bearerOf(operator), 'plain');
  for (let sdk = 0; sdk < 3; sdk += 1) {
    const { body } = await fetch(`${address}/sub/${key}`);
    // The stream is read until the server closes it.
    body?.pipeTo(new WritableStream()).catch(() => undefined);
  }

  /** Switches the flag off: one press then makes the rows of the sample application narrow in every browser. */
  async function readyCompactDesks(): Promise<void> {
    const path = '/v1/flags/DESKS_COMPACT';
    const { type, description, rules, tags, version } = await asOperator<Flag>('GET', path);
    const draft = { type, description, rules, tags, defaultValue: true, version };
    const changed = await asOperator<Flag>('PUT', path, draft);
    await asOperator('PUT', `${path}/enabled`, { enabled: false, version: changed.version });
  }

  /**
   * Creates a right and roles of the installation's own, given to people and a group, and a token for a script.
   */
  async function giveOwnRights(): Promise<void> {
    const { ownRole, teamLead } = seed;
    await asOperator('POST', '/v1/rights', seed.ownRight);
    for (const role of [ownRole, teamLead]) await asOperator('POST', '/v1/roles', role);
    await asOperator('POST', '/v1/group-mappings', seed.groupMapping);
    for (const person of [seed.surveyor, operator, leader]) {
      const { role } = person === leader ? teamLead : ownRole;
      const path = `/v1/people?search=${encodeURIComponent(emailOf(person))}`;
      const { people } = await asOperator<{ people: (Versioned & { roles: string[] })[] }>('GET', path);
      for (const { id, roles, version } of people)
        await asOperator('PUT', `/v1/people/${id}/roles`, { roles: [...roles, role], version });
    }
    const { days, ...token } = seed.apiToken;
    await asOperator('POST', '/v1/api-tokens', { ...token, expiresAt: Date.now() + days * day });
  }

  /** Reports, and what was done and said about them. */
  function reportEvents(): DemoEvent[] {
    const sent = new Map<SeedReport, string>();
    return reports.flatMap((report) => [
      { hoursAgo: report.hoursAgo, happens: async () => sent.set(report, await send(report)) },
      ...report.since.map((step) => ({
        hoursAgo: report.hoursAgo - step.after,
        happens: () => takeStep(report, step, sent),
      })),
    ]);
  }

  /** The notice, an invitation that is still open, and a webhook whose receiver does not answer. */
  function otherEvents(): DemoEvent[] {
    const showNotice = async () => {
      const { version } = await asOperator<Versioned>('GET', '/v1/maintenance');
      await asOperator('PUT', '/v1/maintenance', { ...seed.notice, version });
    };
    return [
      { hoursAgo: 20, happens: () => invitePerson(seed.invited) },
      { hoursAgo: 26, happens: showNotice },
      { hoursAgo: 5, happens: async () => asOperator('POST', '/v1/webhooks', await seed.webhook()) },
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

  async function takeStep(report: SeedReport, step: SeedStep, sent: ReadonlyMap<SeedReport, string>) {
    const path = `/v1/reports/${sent.get(report)}`;
    const by = 'answer' in step ? report.by : (step.by ?? operator.firstName);
    const bearer = await bearerOf(personNamed(by));
    const eventId = randomUUID().replaceAll('-', '');
    if ('answer' in step) {
      const own = path.replace('/v1/', '/v1/users/current/');
      await call('POST', `${own}/replies`, { text: step.answer, eventId }, bearer);
    } else if ('reply' in step) {
      const { reply: text, status } = step;
      await call('POST', `${path}/replies`, { text, status, eventId }, bearer);
    } else if ('note' in step) {
      await call('POST', `${path}/notes`, { text: step.note, eventId }, bearer);
    } else {
      const { status, labels, assignee, duplicateOf: number } = step;
      const { version } = await asOperator<Versioned>('GET', path);
      const search = `/v1/report-assignees?search=${assignee}`;
      const found = assignee === undefined ? [] : await asOperator<{ id: string }[]>('GET', search);
      const duplicateOf = number === undefined ? undefined : sent.get(reports[number - 1] ?? report);
      await call('PUT', path, { status, labels, assigneeId: found[0]?.id, duplicateOf, version }, bearer);
    }
  }

  /** A past maintenance window with its history. */
  function windowEvents(): DemoEvent[] {
    const { fields, plannedHoursAgo, startsHoursAgo, endsHoursAgo, steps } = seed.pastWindow;
    const now = clock.now() + behind;
    const at = (hoursAgo: number) => Math.round((now - hoursAgo * hour) / 60_000) * 60_000;
    const draft = { ...fields, startsAt: at(startsHoursAgo), endsAt: at(endsHoursAgo) };
    const path = '/v1/maintenance/windows';
    let window: Versioned | undefined;
    return [
      { hoursAgo: plannedHoursAgo, happens: async () => (window = await asOperator('POST', path, draft)) },
      ...steps.map(({ hoursAgo, step, ...rest }) => ({
        hoursAgo,
        async happens() {
          const end = 'endsHoursAgo' in rest ? { endsAt: at(rest.endsHoursAgo) } : {};
          const body = { version: window?.version, ...end };
          window = await asOperator('POST', `${path}/${window?.id}/${step}`, body);
        },
      })),
    ];
  }

  async function send(report: SeedReport): Promise<string> {
    const { by, message, page = '/', tags = {}, picture } = report;
    const reporter = personNamed(by);
    const body = {
      name: `${reporter.firstName} ${reporter.lastName}`,
      email: emailOf(reporter),
      message,
      source: 'widget',
      url: `${config.publicUrl}${page}`,
      tags,
      context: { ...contextOf(report), time: clock.now() },
      attachments: picture === undefined ? [] : [await attachment(picture)],
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

  async function invitePerson(one: typeof operator): Promise<void> {
    type Invited = { person: Versioned; invitation: { link: string } };
    const body = { ...one, email: emailOf(one) };
    const { person, invitation } = await asOperator<Invited>('POST', '/v1/people', body);
    if (one === seed.invited) return;
    const [, token] = invitation.link.split('#');
    const { firstName, lastName } = one;
    await call('POST', '/v1/invitations/accept', { token, firstName, lastName, password });
    if (one !== seed.blocked) return;
    const path = `/v1/people/${person.id}`;
    const known = await asOperator<Versioned>('GET', path);
    await asOperator('PUT', `${path}/blocked`, { blocked: true, version: known.version });
  }
}

function personNamed(firstName: string): typeof operator {
  const found = [operator, ...accounts, ...seed.neighbours].find((person) => person.firstName === firstName);
  if (found === undefined) throw new Error(`there is no person ${firstName}.`);
  return found;
}

async function attachment(file: string) {
  const data = await readFile(join(import.meta.dirname, 'demo-pictures', file), 'base64');
  return { data, filename: 'screenshot.png', contentType: 'image/png' };
}

function welcome(map: string): string {
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
    `The map    ${map}`,
    '',
    'The command line:',
    `DATA_DIR='${config.dataDir}' npm run portico -- maintenance status`,
    '',
    'Everything is thrown away when you stop it (Ctrl-C).',
  ];
  return `\n${lines.map((line) => `  ${line}`.trimEnd()).join('\n')}\n\n`;
}

async function stop(status: number): Promise<never> {
  // A second signal ends the process at once.
  if (stopping) process.exit(1);
  stopping = true;
  for (const part of stops.toReversed()) await part();
  process.exit(status);
}
