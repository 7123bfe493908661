import { removeMapCookie, setMapCookie } from '#features/session/contract/session.ts';
import type { Api } from '#web/platform/calls/call.ts';
import type { ErrorRecord } from '#web/platform/record-error.ts';
import type { Clock } from '#web/platform/time/clock.ts';

type MapCookiesOptions = {
  api: Api;
  fetch: typeof fetch;
  clock: Clock;
  errors: ErrorRecord;
  /** The develop geoserver that receives the token too, or null (SES-6). */
  geoserverDevelopUrl: string | null;
};

const removalTimeout = 3_000;

/** The cookies by which the map's servers identify the person. A failure is recorded, and blocks nothing. */
export function createMapCookies({ api, fetch, clock, errors, geoserverDevelopUrl }: MapCookiesOptions) {
  return {
    async set(token: string, signal: AbortSignal): Promise<void> {
      const recorded = (what: string) => (error: unknown) => {
        if (!signal.aborted) errors.record(what, error);
      };
      await api.call(setMapCookie, {}, { token, signal }).catch(recorded('session.map-cookie'));
      if (geoserverDevelopUrl === null || signal.aborted) return;
      await setDevelopCookie(fetch, geoserverDevelopUrl, token, signal).catch(
        recorded('session.develop-map-cookie'),
      );
    },
    async remove(token: string | null): Promise<void> {
      const limit = new AbortController();
      const cancel = clock.after(removalTimeout, () => limit.abort(new Error('no answer within 3 s')));
      await api
        .call(removeMapCookie, {}, { signal: limit.signal, ...(token === null ? {} : { token }) })
        .catch((error: unknown) => errors.record('session.map-cookie-removal', error));
      cancel();
    },
  };
}

const timeout = 10_000;

/**
 * Gives the token to the develop geoserver, so that a development environment can use its layers (SES-6).
 *
 * @throws on any failure, including a status that is not OK; callers must not be blocked by it
 */
async function setDevelopCookie(
  send: typeof fetch,
  geoserver: string,
  token: string,
  signal: AbortSignal,
): Promise<void> {
  const response = await send(`${geoserver}/cookies/token`, {
    method: 'POST',
    credentials: 'include',
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeout)]),
  });
  if (!response.ok) throw new Error(`The develop geoserver answered ${response.status}.`);
}
