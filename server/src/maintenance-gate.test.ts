import { beforeAll, describe, expect, it } from 'vitest';
import { type MaintenanceMode } from '#features/maintenance/contract/maintenance.ts';
import { changeMaintenance } from '#features/maintenance/server/testing/change-maintenance.ts';
import { builtInRoles, type Right } from '#features/permissions/contract/permissions.ts';
import { rightCatalogue } from '#contract/features.ts';
import { whileClosed, type Route } from '#contract/route.ts';
import { endApp } from './testing/app.ts';
import { contractRoutes, needsBearer, rightFor } from './testing/contract-routes.ts';
import { dump } from './testing/dump.ts';
import { startSeededApp, type SeededApp } from './testing/seeded-app.ts';
import { addToken } from './testing/people.ts';
import { bodyFor, request, type RouteRequest } from './testing/route-request.ts';

const routes = await contractRoutes();
const modes = ['off', 'read-only', 'full'] as const satisfies MaintenanceMode[];

/** MAINT-6 as a table: what answers in which mode to those who do not bypass. */
const answers: Record<ReturnType<typeof whileClosed>, readonly MaintenanceMode[]> = {
  open: ['off', 'read-only', 'full'],
  read: ['off', 'read-only'],
  write: ['off'],
};

/** The changing routes that docs/maintenance.md allows during maintenance. */
const openRoutes = [
  // An operator must be able to sign in, and a person who fears for a password, a session or a token must be able to
  // end it.
  'submitSignIn claimSetUp beginSetUp readInvitation acceptInvitation forgotPassword requestRegistration changePassword',
  'passkeyOptionsAtSignIn signInByPasskey signInByCode beginFactorAtSignIn addFactorAtSignIn howToProve prove',
  'beginFactor addFactor renamePasskey removePasskey removeOneTimeCodes renewRecoveryCodes removePassword',
  'endSession endOtherSessions backChannelLogout revokeApiToken',
  'renewToken signOut setMapCookie removeMapCookie publishPresence evaluateFeatures evaluateOneFlag evaluateAllFlags trackEvents saveFeedback',
  'setMaintenance planWindow changeWindow warnOfWindow startWindow extendWindow endWindow cancelWindow',
  'removeFinishedText startBackup verifyStoredBackup lookAt setLogLevel',
  'storeEnvelope storeEnvelopeWithoutSlash storeEvent storeEventWithoutSlash storeFaults',
  'storeSecurityReports storeSecurityReportsWithoutSlash storeDialogReport',
  'addWebhook changeWebhook removeWebhook testWebhook redeliver redeliverAll',
].flatMap((names) => names.split(' '));

// It is decided from memory, on either engine.
describe('maintenance', () => {
  let installation: SeededApp;
  const without: Partial<Record<Right, string>> = {};

  beforeAll(async () => {
    installation = await startSeededApp('sqlite');
    for (const { right } of rightCatalogue)
      without[right] = await addToken(installation.app, { rights: [right] });
    return () => endApp(installation.app);
  });

  const enter = (mode: MaintenanceMode) =>
    changeMaintenance(installation.operator, { mode, text: 'New pumps', severity: 'HIGH' });

  /** A caller whom the route authorizes, and who may not pass maintenance. */
  function withoutBypass(route: Route): RouteRequest {
    const right = rightFor(route.access) as Right | null;
    if (right !== null) return { accessToken: without[right] };
    if (!needsBearer(route)) return {};
    // What lacks nothing would be done: an API token, which has no sessions, is refused behind the gate.
    return { accessToken: takesNothing(route) ? without.MAP_VIEW : installation.member.accessToken };
  }

  /** A request that the route refuses after the gate, so that whatever is let through does nothing. */
  async function knock(route: Route, options: RouteRequest) {
    const body =
      route.body === undefined && route.form === undefined
        ? {}
        : { body: { ...(bodyFor(route) as object), notAField: 1 } };
    const answer = await request(installation.app.url, route, { ...body, ...options });
    return { ...answer, isRefused: answer.code === 'MAINTENANCE' };
  }

  const stored = () => dump(installation.app.database);

  it.each(modes)(
    'MAINT-6: while %s, every route answers or refuses as it declares, and nothing is changed',
    async (mode) => {
      await enter(mode);
      const before = await stored();
      const refused: string[] = [];
      for (const [name, route] of routes) {
        const { status, headers, isRefused } = await knock(route, withoutBypass(route));
        if (!isRefused) continue;
        refused.push(name);
        expect([name, status, Number(headers.get('retry-after')) > 0]).toEqual([name, 503, true]);
      }
      const expected = routes
        .filter(([, route]) => !answers[whileClosed(route)].includes(mode))
        .map(([name]) => name);
      expect(refused.toSorted()).toEqual(expected.toSorted());
      expect(await stored()).toEqual(before);
    },
  );

  it('MAINT-6: of what changes something only this is let through, for sign-in, one’s own browser, bug reports and those who run maintenance', () => {
    const changing = routes.filter(([, { method }]) => method !== 'GET');
    const open = changing.filter(([, route]) => whileClosed(route) === 'open').map(([name]) => name);
    expect(open.toSorted()).toEqual(openRoutes.toSorted());
  });

  it.each(modes)('MAINT-6: while %s, those who bypass are let through everywhere', async (mode) => {
    await enter(mode);
    for (const [name, route] of routes.filter(([, each]) => needsBearer(each))) {
      const { isRefused } = await knock(route, { accessToken: installation.operator.accessToken });
      expect([name, isRefused]).toEqual([name, false]);
    }
  });

  it('MAINT-6: has something to refuse in each mode, and refuses nothing when it is off', async () => {
    const count = async (mode: MaintenanceMode) => {
      await enter(mode);
      const all = await Promise.all(
        routes.map(async ([, route]) => (await knock(route, withoutBypass(route))).isRefused),
      );
      return all.filter(Boolean).length;
    };
    const [off, readOnly, full] = [await count('off'), await count('read-only'), await count('full')];
    expect(off).toBe(0);
    expect(readOnly).toBeGreaterThan(0);
    expect(full).toBeGreaterThan(readOnly);
  });

  it('MAINT-6: asks for the right before it reveals maintenance', async () => {
    await enter('full');
    const held: readonly (string | null)[] = [null, ...builtInRoles.member];
    for (const [name, route] of routes.filter(([, each]) => !held.includes(rightFor(each.access)))) {
      const { code } = await knock(route, { accessToken: installation.member.accessToken });
      expect([name, code]).toEqual([name, 'RIGHT_MISSING']);
    }
    await enter('off');
  });
});

function takesNothing({ method, body, form }: Route): boolean {
  return method !== 'GET' && body === undefined && form === undefined;
}
