import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { listAudit } from '#features/audit/contract/audit.ts';
import { getBackups } from '#features/backup/contract/backups.ts';
import { getBranding } from '#features/branding/contract/branding.ts';
import { getSignInPolicy } from '#features/identity-provider/contract/sign-in-policy.ts';
import { getMaintenance } from '#features/maintenance/contract/settings.ts';
import { endApp } from './testing/app.ts';
import { contractRoutes, rightFor } from './testing/contract-routes.ts';
import { startSeededApp, type SeededApp } from './testing/seeded-app.ts';
import { mapForm, smallMap } from './testing/source-map.ts';
import { bodyFor, request, type RouteRequest } from './testing/route-request.ts';
import { startReceiver } from './testing/webhook-receiver.ts';

const routes = await contractRoutes();
const writing = routes.filter(([, { method }]) => method !== 'GET');

/** What takes a right and changes nothing. */
const onlyReads = ['previewChange', 'tryFlag', 'previewFlag', 'previewImport', 'checkMapServer', 'lookAt'];
/**
 * Needs an application behind the gateway: features/home/server/home.test.ts. Needs the id of a session:
 * features/session/server/sessions-of-people.test.ts. Needs a factor: features/identity-provider/server/factors.
 * Need a folder of backups: features/backup/server/backups.test.ts.
 * Needs a preview: features/flags/server/flag-exchange.test.ts. Need two people: features/flags/server/review.test.ts.
 */
const elsewhere = [
  'changeGatewayApp',
  'endSessionOfPerson',
  'resetFactors',
  'importFlags',
  'reviewFlag',
  'publishFlag',
  'startBackup',
  'verifyStoredBackup',
];

/**
 * What a person does to their own data, with their browser, or before a sign-in; and the wires of other
 * products.
 */
const peoplesOwn = [
  'submitSignIn claimSetUp beginSetUp readInvitation acceptInvitation forgotPassword requestRegistration backChannelLogout',
  'renewToken signOut changePassword endSession endOtherSessions setMapCookie removeMapCookie publishPresence',
  'saveFeedback replyToOwnReport uploadFiles deleteFile evaluateFeatures evaluateOneFlag evaluateAllFlags trackEvents setOwnNotices',
  'addView changeView removeView',
  'passkeyOptionsAtSignIn signInByPasskey signInByCode beginFactorAtSignIn addFactorAtSignIn howToProve prove',
  'beginFactor addFactor renamePasskey removePasskey removeOneTimeCodes renewRecoveryCodes removePassword',
  'storeEnvelope storeEnvelopeWithoutSlash storeEvent storeEventWithoutSlash storeFaults',
  'storeSecurityReports storeSecurityReportsWithoutSlash storeDialogReport',
].flatMap((names) => names.split(' '));

type Answers = {
  /** A field of the last answer of a route, such as `webhook.id`. */
  of(route: string, path: string): string;
  version(route: string, path?: string): number;
};

const noteOf = (of: Answers['of'], { reportId }: SeededApp) => ({
  reportId,
  messageId: of('addNote', 'messages.1.id'),
});

/** One call of each operator's write, in an order in which each finds what it needs. */
function calls(
  installation: SeededApp,
  hook: string,
): [route: string, given: (before: Answers) => RouteRequest][] {
  const [later, laterStill, latest] = [2, 3, 4].map((hours) => Date.now() + hours * 3_600_000);
  const { member } = installation;
  const rampedRule = {
    force: true,
    schedule: { from: Date.now() - 3_600_000, zone: 'UTC' },
    ramp: { steps: [{ coverage: 0.5, minutes: 525_600 }, { coverage: 1 }] },
  };
  const town = { name: 'town', access: 'open', right: null, version: null };
  const texts = { finished: { en: 'The pumps are new.' } };
  const window = { startsAt: later, endsAt: laterStill, leadMinutes: 10, title: 'New pumps', texts };
  const ofWindow = (before: Answers, last: string, more: object = {}): RouteRequest => ({
    params: { windowId: before.of('planWindow', 'id') },
    body: { version: before.version(last), ...more },
  });
  const ofMember = { personId: member.id, userId: member.id, right: 'MAP_VIEW', effect: 'grant' };
  return [
    ['createFlag', () => ({})],
    [
      'switchFlag',
      ({ version }) => ({
        params: { flagKey: 'sample' },
        body: { enabled: false, version: version('createFlag') },
      }),
    ],
    [
      'updateFlag',
      ({ version }) => ({
        params: { flagKey: 'sample' },
        body: { description: 'other', version: version('switchFlag'), rules: [rampedRule] },
      }),
    ],
    [
      'steerRamp',
      ({ version }) => ({
        params: { flagKey: 'sample' },
        body: { rule: 0, action: 'pause', version: version('updateFlag') },
      }),
    ],
    ['setFlagReview', () => ({ body: { required: false, version: 1 } })],
    [
      'proposeFlag',
      ({ version }) => ({
        params: { flagKey: 'sample' },
        body: { version: version('steerRamp'), replaces: null, publishAt: null },
      }),
    ],
    [
      'withdrawFlag',
      ({ version }) => ({ params: { flagKey: 'sample' }, query: `version=${version('proposeFlag')}` }),
    ],
    [
      'deleteFlag',
      ({ version }) => ({ params: { flagKey: 'sample' }, query: `version=${version('steerRamp')}` }),
    ],
    [
      'unarchiveFlag',
      ({ version }) => ({ params: { flagKey: 'sample' }, body: { version: version('steerRamp') + 1 } }),
    ],
    ['createSegment', () => ({ body: { attribute: 'id' } })],
    [
      'updateSegment',
      ({ of, version }) => ({
        params: { segmentId: of('createSegment', 'id') },
        body: { attribute: 'id', description: 'other', version: version('createSegment') },
      }),
    ],
    [
      'deleteSegment',
      ({ of, version }) => ({
        params: { segmentId: of('createSegment', 'id') },
        query: `version=${version('updateSegment')}`,
      }),
    ],
    ['addClientKey', () => ({})],
    [
      'renameClientKey',
      ({ of, version }) => ({
        params: { clientKey: of('addClientKey', 'key') },
        body: { name: 'other', version: version('addClientKey') },
      }),
    ],
    ['revokeClientKey', ({ of }) => ({ params: { clientKey: of('addClientKey', 'key') } })],
    ['createApiToken', () => ({ body: { rights: ['MAP_VIEW'], expiresAt: later } })],
    ['revokeApiToken', ({ of }) => ({ params: { tokenId: of('createApiToken', 'token.id') } })],
    ['setLogLevel', () => ({ body: { level: 'debug' } })],
    ['setBranding', ({ version }) => ({ body: { name: 'Waterworks', version: version('getBranding') } })],
    ['setFirstSteps', () => ({ body: { hidden: true } })],
    ['setRetention', () => ({ body: { reportDays: 30 } })],
    ['setReportForm', () => ({ body: { nameRequired: true } })],
    ['setReportStatus', () => ({ params: { reportId: installation.reportId }, body: { status: 'triaged' } })],
    [
      'changeReport',
      ({ version }) => ({
        params: { reportId: installation.reportId },
        body: { labels: ['map'], assigneeId: installation.operator.id, version: version('setReportStatus') },
      }),
    ],
    [
      'changeReports',
      ({ version }) => {
        const change = {
          reportId: installation.reportId,
          status: 'closed',
          version: version('changeReport'),
        };
        return { body: { changes: [change] } };
      },
    ],
    ['replyToReport', () => ({ params: { reportId: installation.reportId } })],
    ['addNote', () => ({ params: { reportId: installation.reportId }, body: { eventId: 'e'.repeat(32) } })],
    ['editNote', ({ of }) => ({ params: noteOf(of, installation), body: { text: 'other' } })],
    ['removeNote', ({ of }) => ({ params: noteOf(of, installation) })],
    ['deleteReport', () => ({ params: { reportId: installation.reportId } })],
    ['setReportSettings', () => ({ body: { notified: ['team@example.org'] } })],
    ['setSignInPolicy', ({ version }) => ({ body: { graceDays: 3, version: version('getSignInPolicy') } })],
    [
      'setBackups',
      ({ version }) => ({
        body: { folder: null, time: '04:00', zone: 'UTC', version: version('getBackups') },
      }),
    ],
    ['issuePasswordLink', () => ({ params: ofMember })],
    ['updateProfile', () => ({ params: ofMember })],
    ['invitePerson', () => ({})],
    ['renewInvitation', ({ of }) => ({ params: { personId: of('invitePerson', 'person.id') } })],
    [
      'setRoles',
      ({ of, version }) => ({
        params: { personId: of('invitePerson', 'person.id') },
        body: { roles: ['support'], version: version('invitePerson', 'person.') },
      }),
    ],
    [
      'setBlocked',
      ({ of, version }) => ({
        params: { personId: of('invitePerson', 'person.id') },
        body: { version: version('setRoles') },
      }),
    ],
    [
      'changePeople',
      ({ of }) => ({
        body: {
          people: [of('invitePerson', 'person.id')],
          wanted: { change: 'give-role', role: 'member' },
        },
      }),
    ],
    [
      'erasePerson',
      ({ of }) => ({
        params: { personId: of('invitePerson', 'person.id') },
        body: { confirmation: 'somebody@example.org' },
      }),
    ],
    ['endSessionsOfPerson', () => ({ params: ofMember })],
    ['addRight', () => ({})],
    [
      'changeRight',
      ({ version }) => ({
        params: { right: 'SAMPLE' },
        body: { label: 'other', version: version('addRight') },
      }),
    ],
    ['addRole', () => ({})],
    [
      'changeRole',
      ({ version }) => ({
        params: { role: 'sample' },
        body: { rights: ['SAMPLE'], version: version('addRole') },
      }),
    ],
    ['addGroupMapping', () => ({})],
    [
      'changeGroupMapping',
      ({ of, version }) => ({
        params: { mappingId: of('addGroupMapping', 'id') },
        body: { name: 'other', version: version('addGroupMapping') },
      }),
    ],
    ['removeGroupMapping', ({ of }) => ({ params: { mappingId: of('addGroupMapping', 'id') } })],
    ['removeRole', () => ({ params: { role: 'sample' } })],
    ['removeRight', () => ({ params: { right: 'SAMPLE' } })],
    ['setOwnRight', () => ({ params: ofMember })],
    ['removeOwnRight', () => ({ params: ofMember })],
    ['planWindow', () => ({ body: window })],
    ['changeWindow', (before) => ofWindow(before, 'planWindow', { ...window, title: 'Newer pumps' })],
    ['warnOfWindow', (before) => ofWindow(before, 'changeWindow')],
    ['startWindow', (before) => ofWindow(before, 'warnOfWindow')],
    ['extendWindow', (before) => ofWindow(before, 'startWindow', { endsAt: latest })],
    ['endWindow', (before) => ofWindow(before, 'extendWindow')],
    ['removeFinishedText', (before) => ofWindow(before, 'endWindow')],
    ['planWindow', () => ({ body: window })],
    ['cancelWindow', (before) => ofWindow(before, 'planWindow')],
    [
      'setMaintenance',
      ({ version }) => ({ body: { text: 'Slow today', version: version('getMaintenance') } }),
    ],
    ['addWebhook', () => ({ body: { url: hook } })],
    ['testWebhook', ({ of }) => ({ params: { webhookId: of('addWebhook', 'webhook.id') } })],
    [
      'redeliver',
      ({ of }) => ({
        params: { webhookId: of('addWebhook', 'webhook.id'), deliveryId: of('testWebhook', 'id') },
      }),
    ],
    ['redeliverAll', ({ of }) => ({ params: { webhookId: of('addWebhook', 'webhook.id') } })],
    [
      'changeWebhook',
      ({ of, version }) => ({
        params: { webhookId: of('addWebhook', 'webhook.id') },
        body: { url: hook, description: 'other', version: version('addWebhook', 'webhook.') },
      }),
    ],
    ['addProjectKey', () => ({ params: { projectId: '1' } })],
    ['revokeProjectKey', ({ of }) => ({ params: { projectId: '1', key: of('addProjectKey', 'key') } })],
    ['addProject', () => ({})],
    [
      'changeProject',
      ({ of, version }) => ({
        params: { projectId: of('addProject', 'id') },
        body: { name: 'other', version: version('addProject') },
      }),
    ],
    ['removeProject', ({ of }) => ({ params: { projectId: of('addProject', 'id') } })],
    [
      'setErrorAssignee',
      () => ({ params: { errorId: installation.errorIds[0] ?? '' }, body: { assigneeId: null } }),
    ],
    ['addErrorComment', () => ({ params: { errorId: installation.errorIds[0] ?? '' } })],
    [
      'removeErrorComment',
      ({ of }) => ({
        params: { errorId: installation.errorIds[0] ?? '', commentId: of('addErrorComment', 'id') },
      }),
    ],
    ['setErrorStatus', () => ({ params: { errorId: installation.errorIds[0] ?? '' }, body: { version: 2 } })],
    ['deleteError', () => ({ params: { errorId: installation.errorIds[0] ?? '' } })],
    ['changeErrors', () => ({ body: { errors: [{ id: installation.errorIds[1] ?? '', version: 1 }] } })],
    ['uploadSourceMap', () => ({ query: 'release=1&file=/main.js', ...mapForm(smallMap) })],
    ['removeSourceMaps', () => ({ query: 'release=1' })],
    ['changeLayer', () => ({ body: { ...town, onAtFirst: true, titles: { en: '', de: '', fr: '' } } })],
    ['changeWorkspace', () => ({ body: town })],
    ['orderLayers', () => ({ body: { names: ['town'], version: 1 } })],
    ['forgetLayer', () => ({ body: { name: 'town', version: 1 } })],
    ['removeWebhook', ({ of }) => ({ params: { webhookId: of('addWebhook', 'webhook.id') } })],
  ];
}

/**
 * Calls of the operators' writes that are not listed: with a body that fits, and as the id in the path that
 * of the answer to the POST to the path above it.
 */
function furtherCalls(
  listed: readonly string[],
): [route: string, given: (before: Answers) => RouteRequest][] {
  const order = ['POST', 'PUT', 'DELETE'];
  return writing
    .filter(
      ([name, { access }]) =>
        rightFor(access) !== null && ![...listed, ...onlyReads, ...elsewhere].includes(name),
    )
    .toSorted(([, one], [, other]) => order.indexOf(one.method) - order.indexOf(other.method))
    .map(([name, { path }]) => {
      const [, above, parameter] = /^(.*)\/:(\w+)(?:\/|$)/.exec(path) ?? [];
      const [maker] = writing.find(([, route]) => route.method === 'POST' && route.path === above) ?? [];
      return [
        name,
        ({ of }) =>
          maker === undefined || parameter === undefined ? {} : { params: { [parameter]: of(maker, 'id') } },
      ];
    });
}

/** The fields that the audit's screen has a name for, as the keys of its texts. */
const root = join(import.meta.dirname, '../..');
const named = new Set(
  globSync('features/*/web/texts/en.json', { cwd: root }).flatMap((file) => {
    const { AUDIT } = JSON.parse(readFileSync(join(root, file), 'utf8')) as { AUDIT?: { FIELDS?: object } };
    return Object.keys(AUDIT?.FIELDS ?? {});
  }),
);

/** What the audit's screen shows under the name in which it is recorded. */
const bookkeeping = ['id', 'version', 'createdAt', 'createdBy', 'changedAt', 'changedBy'];

function fieldsOf(json: string | null): string[] {
  const value: unknown = JSON.parse(json ?? 'null');
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.keys(value).filter((name) => !bookkeeping.includes(name))
    : [];
}

describe('every write of an operator', () => {
  let installation: SeededApp;

  beforeAll(async () => {
    installation = await startSeededApp('sqlite');
    return () => endApp(installation.app);
  });

  it('AUD-1: takes a right, or is a person’s own', () => {
    const withoutRight = writing.filter(([, { access }]) => rightFor(access) === null).map(([name]) => name);
    expect(withoutRight.toSorted()).toEqual(peoplesOwn.toSorted());
  });

  it('AUD-1: is in the audit, with who did it', async () => {
    const { app, operator } = installation;
    const receiver = await startReceiver();
    const answers: Record<string, unknown> = {
      getBranding: (await operator.call(getBranding, {})).body,
      getMaintenance: (await operator.call(getMaintenance, {})).body,
      getBackups: (await operator.call(getBackups, {})).body,
      getSignInPolicy: (await operator.call(getSignInPolicy, {})).body,
    };
    const field = (route: string, path: string): unknown =>
      path
        .split('.')
        .reduce<unknown>((found, name) => (found as Record<string, unknown>)[name], answers[route]);
    const before: Answers = {
      of: (route, path) => String(field(route, path)),
      version: (route, path = '') => Number(field(route, `${path}version`)),
    };
    const lastEntry = async () => (await operator.call(listAudit, { query: { limit: 1 } })).body.entries[0];

    const listed = calls(installation, `${receiver.url}/hook`);
    for (const [name, given] of [...listed, ...furtherCalls(listed.map(([each]) => each))]) {
      const [, route] = routes.find(([each]) => each === name) ?? [];
      if (route === undefined) throw new Error(`${name} is no route.`);
      const last = await lastEntry();
      const { body, ...rest } = given(before);
      const sample = bodyFor(route) as object | undefined;
      const whole = sample === undefined ? {} : { body: { ...sample, ...(body as object | undefined) } };
      const answer = await request(app.url, route, { accessToken: operator.accessToken, ...rest, ...whole });
      expect([name, answer.status < 300 || answer.text]).toEqual([name, true]);
      answers[name] = answer.json;
      const entry = await lastEntry();
      expect([name, entry?.id === last?.id]).toEqual([name, false]);
      expect([name, entry?.actor]).toEqual([name, expect.objectContaining({ id: operator.id })]);
    }
    const unnamed = (
      await app.database.read.selectFrom('audit').select(['action', 'before', 'after']).execute()
    )
      .flatMap(({ action, before, after }) =>
        [...fieldsOf(before), ...fieldsOf(after)].map((name) => ({ action, name })),
      )
      .filter(({ name }) => !named.has(name.replaceAll(/[A-Z]/g, '_$&').toUpperCase()))
      .map(({ action, name }) => `${action} records "${name}"`);
    expect(
      [...new Set(unnamed)],
      'AUDIT.FIELDS of features/<feature>/web/texts/en.json has no name for these fields',
    ).toEqual([]);
  });
});
