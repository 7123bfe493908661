import type { Core } from '#server/core.ts';
import { GrowthBook, setPolyfills } from '@growthbook/growthbook';
import { EventSource } from 'eventsource';
import {
  maintenanceFlag,
  maintenanceTextFlag,
  parseNotice,
} from '#features/maintenance/contract/maintenance.ts';
import type { MaintenanceState } from './maintenance-at.ts';
import type { FollowedState } from './live-maintenance.ts';

export type FlagHostOptions = Pick<Core, 'clock' | 'logger'> & {
  /** Where the flags come from (FLAGS_HOST, FLAGS_CLIENT_KEY, FLAGS_REMOTE_EVAL). */
  source: { host: string; clientKey: string; remoteEval: boolean };
  pollMs?: number;
};

const usualPollMs = 60_000;
/**
 * Until the first answer the host is polled this many times as often, since maintenance may have been started
 * there before this process was.
 */
const firstPollsPerInterval = 12;
const timeoutMs = 10_000;
/** The longest delay of a timer: the SDK must not poll, since `askLater` does. */
const never = 2 ** 31 - 1;

/** No maintenance and no notice. */
export const off: MaintenanceState = {
  mode: 'off',
  text: '',
  texts: {},
  severity: 'HIGH',
  expectedEnd: null,
  since: null,
  changedAt: null,
};

/**
 * Follows the two built-in flags of another GrowthBook host (MAINT-1): by its stream, and by polling each
 * minute, since a stream can die without an event. While the host does not answer, its last good state stays
 * in force. Nothing waits for the host.
 */
export function followFlagHost(options: FlagHostOptions): FollowedState {
  const { source, clock, logger, pollMs = usualPollMs } = options;
  const listeners: (() => void)[] = [];
  let state = off;
  let hasAnswered = false;
  let trouble: string | null = null;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;

  // Node has no EventSource, and the SDK's calls would wait as long as the host likes.
  setPolyfills({ EventSource, fetch: ask });
  const client = new GrowthBook({
    apiHost: source.host,
    clientKey: source.clientKey,
    remoteEval: source.remoteEval,
    renderer: takeOver,
  });
  // Opens the stream where the host offers one, without the SDK's warning on the console where it offers
  // none.
  void client.init({ pollingInterval: never }).then(askLater);

  async function ask(url: string, init?: RequestInit): Promise<Response> {
    try {
      const response = await fetch(url, { ...init, signal: AbortSignal.timeout(timeoutMs) });
      reportTrouble(response.ok ? null : `HTTP ${response.status}`);
      return response;
    } catch (error) {
      reportTrouble(error instanceof Error ? reasonOf(error) : String(error));
      throw error;
    }
  }

  function reportTrouble(reason: string | null): void {
    if (reason === trouble || closed) return;
    trouble = reason;
    if (reason === null) logger.info({ host: source.host }, 'the flag host answers again');
    else
      logger.warn(
        { host: source.host, reason },
        'the flag host does not answer; maintenance stays as it was',
      );
  }

  function askLater(): void {
    if (closed) return;
    const wait = hasAnswered ? pollMs : pollMs / firstPollsPerInterval;
    // Random, so that many installations do not ask at the same time.
    timer = setTimeout(
      () => void client.refreshFeatures({ skipCache: true }).then(askLater),
      wait * (0.9 + Math.random() * 0.2),
    );
  }

  function takeOver(): void {
    if (closed || client.getDecryptedPayload().features === undefined) return;
    hasAnswered = true;
    const mode = client.evalFeature<boolean>(maintenanceFlag).value === true ? 'full' : 'off';
    const value: unknown = client.evalFeature<string>(maintenanceTextFlag).value;
    const notice = parseNotice(typeof value === 'string' ? value : '');
    const { maintenanceText: text, maintenanceTextSeverity: severity } = notice;
    if (mode === state.mode && text === state.text && severity === state.severity) return;
    const since = mode === 'off' ? null : mode === state.mode ? state.since : clock.now();
    state = { mode, text, texts: {}, severity, expectedEnd: null, since, changedAt: clock.now() };
    for (const listener of listeners) listener();
  }

  return {
    state: () => state,
    onChange: (listener) => listeners.push(listener),
    close() {
      closed = true;
      clearTimeout(timer);
      client.destroy({ destroyAllStreams: true });
    },
  };
}

/** The reason of a failed `fetch`, which is in the error's `cause`. */
function reasonOf(error: Error): string {
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  return cause.message === '' ? ((cause as { code?: string }).code ?? cause.name) : cause.message;
}
