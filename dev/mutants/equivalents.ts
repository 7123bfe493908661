/** Changes that make no visible difference and do not count: by file, line and replacement, with the reason. */
export const equivalents: Record<string, Record<string, Record<string, string>>> = {
  'features/feedback/web/outbox.ts': {
    'draftChanges += 1;': { 'draftChanges -= 1': 'Only whether the count is still the same is looked at.' },
  },
  'web/src/platform/calls/call.ts': {
    'const json: unknown = await response.json().catch(() => null);': {
      '() => undefined': 'Neither null nor undefined is a problem document.',
    },
  },
  'features/session/server/sessions.ts': {
    'changesSeen += 1;': { 'changesSeen -= 1': 'Only whether the count is still the same is looked at.' },
    'const named = bearer === null ? null : await tokens.subjectOf(bearer);': {
      false: 'Nothing is no token, and names no session; only the compiler does not know.',
    },
  },
  'features/session/server/sign-in.ts': {
    'const nonce = newState(false);': {
      true: 'Of a nonce only whether it is the same counts, and that it is random.',
    },
  },
  'features/outside-provider/server/session-checks.ts': {
    'if (before !== undefined && clock.now() - before < warnEveryMs) return;': {
      true: 'Without an earlier warning the difference is no number, and no number is less than it; only the compiler does not know.',
    },
  },
  'features/maintenance/server/maintenance-at.ts': {
    'default:': {
      'default:':
        'The beginning of what has none is compared alone, and neither -Infinity nor undefined lies after anything.',
    },
    '.filter(({ overAt }) => overAt === null)': {
      true: 'Only those that are not over are read; of another one it would only be looked at more often.',
    },
    '.toSorted((a, b) => a.startsAt - b.startsAt || (a.id < b.id ? -1 : 1));': {
      'a.id <= b.id': 'No two windows have one id.',
    },
    'const left = expectedEnd === null ? 0 : Math.ceil((expectedEnd - now) / 1000);': {
      false: 'JavaScript counts null as 0, and no time lies before 1970: both leave nothing.',
    },
  },
  'features/maintenance/server/live-maintenance.ts': {
    'if (time < current.begin || time >= current.end) current = from(time);': {
      true: 'What holds between two boundaries is only computed again, with the same result.',
    },
    'if (state === published.state || closed) return;': {
      false: 'It is compared as text then, and is the same.',
    },
  },
  'features/maintenance/server/window-times.ts': {
    'if (startsAt === null || endsAt === null || wrong.length > 0) throw refused(wrong);': {
      false: 'Where a time is null, it is said why: only the compiler does not know.',
      'startsAt === null && endsAt === null':
        'Where a time is null, it is said why: only the compiler does not know.',
    },
    'if (endsAt === null || wrong.length > 0) throw refused(wrong);': {
      false: 'Where the time is null, it is said why: only the compiler does not know.',
    },
    'else if (endsAt !== null && endsAt - before.startsAt > longestMs)': {
      true: 'JavaScript counts null as 0, from which no start is that far.',
    },
    "return typeof moment === 'number' ? null : moment.timeZone;": {
      false: 'A number has no zone either, and undefined is passed over as null is.',
    },
  },
  'features/webhooks/server/addresses.ts': {
    "const [first, last] = [start, end ?? ''].map((half) => half.split(':').filter((group) => group !== ''));":
      {
        true: 'An empty group is read as 0, as those are that stand for it otherwise.',
        "half.split(':')": 'An empty group is read as 0, as those are that stand for it otherwise.',
      },
    "const left = Array.from({ length: 8 - (first?.length ?? 0) - (last?.length ?? 0) }, () => '0');": {
      'first.length': 'There are always both halves; only the compiler does not know.',
      'last.length': 'There are always both halves; only the compiler does not know.',
      '() => undefined': 'What is no number is read as 0.',
    },
  },
  'features/webhooks/server/sender.ts': {
    'if (value === undefined) return null;': { false: 'What is undefined is no number and no date.' },
  },
  'features/webhooks/contract/webhooks.ts': {
    'return failure === null && status !== null && status >= 200 && status < 300;': {
      true: 'JavaScript counts null as 0, which is less than 200.',
    },
  },
  'features/webhooks/server/deliveries.store.ts': {
    'if (gone >= most) break;': { false: 'None is left to be removed then.' },
    'if (due === undefined) continue;': {
      false: 'One was due a moment before, in the same transaction; only the compiler does not know.',
    },
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
    'const fits = places.findIndex((place) => place.length >= length);': {
      'place.length > length': 'Only whether memory is allocated again.',
    },
    'if (place !== undefined) return place;': { false: 'Only whether memory is allocated again.' },
    'if (place.length >= reusable.least && place.length <= reusable.most && places.length < reusable.places)':
      { 'place.length < reusable.least': 'Only whether memory is allocated again.' },
    'function keepPlace(place: Buffer): void {': { '{}': 'Only whether memory is allocated again.' },
  },
  'server/src/platform/http/serve.ts': {
    "fastify.decorateRequest('caller', null);": {
      ';': 'Fastify only lays out its requests for it, which is quicker.',
    },
  },
  'server/src/platform/http/event-stream.ts': {
    'clearInterval(timer);': {
      ';': 'The timer keeps no process alive, and nobody is left to be written to.',
    },
  },
  'features/erasure/server/erase-person.ts': {
    'if (doneAt !== null && parts.clock.now() - doneAt < finalSweepAfterMs) continue;': {
      true: 'Without a time it is 1970, long before the pause began; only the compiler does not know.',
    },
    'if (person.avatar !== null && !(await isShown(tx, person.avatar))) await removeFile(tx, person.avatar);':
      { true: 'Without a picture there is no file to be removed.' },
  },
  'features/erasure/server/erasure.store.ts': {
    "if (cleaned !== body) await tx.updateTable(table).set({ body: cleaned }).where('id', '=', id).execute();":
      { true: 'The same text is written again.' },
  },
};
