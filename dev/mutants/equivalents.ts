const zero = 'JavaScript counts null as 0, which decides the same.';
const told = 'Where a time is null, it is said why; only the compiler does not know.';
const never = 'It is never undefined there; only the compiler does not know.';
const memory = 'Only whether memory is allocated again.';
const count = 'Only whether the count is still the same is looked at.';
const group = 'An empty group is read as 0, as those are that stand for it otherwise.';

/** Changes that make no visible difference and do not count: by file, line and replacement, with the reason. */
export const equivalents: Record<string, Record<string, Record<string, string>>> = {
  'features/feedback/web/outbox.ts': { 'draftChanges += 1;': { 'draftChanges -= 1': count } },
  'web/src/platform/calls/call.ts': {
    'const json: unknown = await response.json().catch(() => null);': {
      '() => undefined': 'Neither null nor undefined is a problem document.',
    },
  },
  'features/session/server/sessions.ts': {
    'changesSeen += 1;': { 'changesSeen -= 1': count },
    'const named = bearer === null ? null : await tokens.subjectOf(bearer);': {
      false: 'Nothing is no token, and names no session; only the compiler does not know.',
    },
  },
  'features/session/server/sign-in.ts': {
    'const nonce = newState(false);': { true: 'Only that a nonce is random and the same counts.' },
  },
  'features/outside-provider/server/session-checks.ts': {
    'if (before !== undefined && clock.now() - before < warnEveryMs) return;': {
      true: 'Without an earlier warning the difference is no number, and no number is less than it.',
    },
  },
  'features/maintenance/server/maintenance-at.ts': {
    'default:': { 'default:': 'Neither -Infinity nor undefined lies after anything.' },
    '.filter(({ overAt }) => overAt === null)': { true: 'One that is over is only looked at more often.' },
    '.toSorted((a, b) => a.startsAt - b.startsAt || (a.id < b.id ? -1 : 1));': {
      'a.id <= b.id': 'No two windows have one id.',
    },
    'const left = expectedEnd === null ? 0 : Math.ceil((expectedEnd - now) / 1000);': { false: zero },
  },
  'features/maintenance/server/live-maintenance.ts': {
    'if (time < current.begin || time >= current.end) current = from(time);': {
      true: 'What holds between two boundaries is only computed again, with the same result.',
    },
    'if (state === published.state || closed) return;': { false: 'It is compared as text then.' },
  },
  'features/maintenance/server/window-times.ts': {
    'if (startsAt === null || endsAt === null || wrong.length > 0) throw refused(wrong);': {
      false: told,
      'startsAt === null && endsAt === null': told,
    },
    'if (endsAt === null || wrong.length > 0) throw refused(wrong);': { false: told },
    'else if (endsAt !== null && endsAt - before.startsAt > longestMs)': { true: zero },
    "return typeof moment === 'number' ? null : moment.timeZone;": {
      false: 'A number has no zone either, and undefined is passed over as null is.',
    },
  },
  'features/webhooks/server/addresses.ts': {
    "const [first, last] = [start, end ?? ''].map((half) => half.split(':').filter((group) => group !== ''));":
      { true: group, "half.split(':')": group },
    "const left = Array.from({ length: 8 - (first?.length ?? 0) - (last?.length ?? 0) }, () => '0');": {
      'first.length': never,
      'last.length': never,
      '() => undefined': 'What is no number is read as 0.',
    },
  },
  'features/webhooks/server/sender.ts': {
    'if (value === undefined) return null;': { false: 'What is undefined is no number and no date.' },
  },
  'features/webhooks/contract/webhooks.ts': {
    'return failure === null && status !== null && status >= 200 && status < 300;': { true: zero },
  },
  'features/webhooks/server/deliveries.store.ts': {
    'if (gone >= most) break;': { false: 'None is left to be removed then.' },
    'if (due === undefined) continue;': { false: never },
  },
  'server/src/platform/files/clean-png.ts': {
    'if (within < all.length && within > 0) retained.push(chunkOf(type, all.subarray(0, within)));': {
      true: 'A chunk that is made again from all of its data is the same.',
    },
  },
  'server/src/platform/http/packed-body.ts': {
    'if (bytes + close - from > most) break;': {
      'bytes + close - from >= most': 'A text is followed by a byte at least, which is too many either way.',
    },
    'const fits = places.findIndex((place) => place.length >= length);': { 'place.length > length': memory },
    'if (place !== undefined) return place;': { false: memory },
    'if (place.length >= reusable.least && place.length <= reusable.most && places.length < reusable.places)':
      { 'place.length < reusable.least': memory },
    'function keepPlace(place: Buffer): void {': { '{}': memory },
  },
  'server/src/platform/http/serve.ts': {
    "fastify.decorateRequest('caller', null);": { ';': 'Fastify only lays out its requests for it.' },
  },
  'server/src/platform/http/event-stream.ts': {
    'clearInterval(timer);': { ';': 'The timer keeps no process alive, and writes to a closed stream.' },
  },
  'features/erasure/server/erase-person.ts': {
    'if (doneAt !== null && parts.clock.now() - doneAt < finalSweepAfterMs) continue;': { true: zero },
    'if (person.avatar !== null && !(await isShown(tx, person.avatar))) await removeFile(tx, person.avatar);':
      { true: 'Without a picture there is no file to be removed.' },
  },
  'features/erasure/server/erasure.store.ts': {
    "if (cleaned !== body) await tx.updateTable(table).set({ body: cleaned }).where('id', '=', id).execute();":
      { true: 'The same text is written again.' },
  },
};
