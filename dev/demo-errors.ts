import { randomBytes } from 'node:crypto';

/** Errors of another application, which reports here with Sentry's SDK. */
export type SeedError = Record<'type' | 'value' | 'file' | 'function' | 'release', string> & {
  /** How often the error happened, by how many hours ago. */
  times: Readonly<Record<number, number>>;
};

export const applicationName = 'Planning map';

export const errors: readonly SeedError[] = [
  {
    type: 'TypeError',
    value: "Cannot read properties of undefined (reading 'geometry')",
    file: '/assets/map-4f1c.js',
    function: 'drawParcel',
    release: 'map@2.4.1',
    times: { 20: 2, 14: 3, 6: 7, 3: 11, 1: 5 },
  },
  {
    type: 'TileError',
    value: 'The tile server did not answer within 10000 ms',
    file: '/assets/tiles-88e0.js',
    function: 'loadTile',
    release: 'map@2.4.0',
    times: { 150: 3, 130: 2, 101: 14, 100: 9, 76: 4, 52: 3, 30: 5, 22: 2, 9: 3, 4: 2 },
  },
  {
    type: 'RangeError',
    value: 'Invalid time value',
    file: '/assets/permits-2b7d.js',
    function: 'formatDeadline',
    release: 'map@2.3.9',
    times: { 160: 4, 120: 6, 90: 1 },
  },
];

const browsers = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
  'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
];

/** One event as an envelope of Sentry's protocol. @param n the event's number within its error, counted from 0 */
export function envelopeOf(error: SeedError, n: number, at: number): string {
  const { type, value, file, release } = error;
  const eventId = randomBytes(16).toString('hex');
  const filename = `https://map.example.org${file}`;
  const frames = [
    { filename, function: 'onMove', lineno: 1, colno: 804 },
    { filename, function: error.function, lineno: 1, colno: 2310 },
  ];
  const mechanism = { type: 'onerror', handled: false };
  const event = {
    event_id: eventId,
    timestamp: at / 1000,
    platform: 'javascript',
    level: 'error',
    release,
    environment: n % 5 === 4 ? 'staging' : 'production',
    user: { id: `planner-${n % 4}` },
    transaction: '/map',
    exception: { values: [{ type, value, mechanism, stacktrace: { frames } }] },
    breadcrumbs: [
      { timestamp: at / 1000 - 31, type: 'navigation', category: 'navigation', message: '/map' },
      { timestamp: at / 1000 - 4, type: 'ui', category: 'ui.click', message: 'button “Parcels”' },
    ],
    request: { url: 'https://map.example.org/map', headers: { 'User-Agent': browsers[n % 3] } },
  };
  return [{ event_id: eventId, sent_at: new Date(at).toISOString() }, { type: 'event' }, event]
    .map((line) => JSON.stringify(line))
    .join('\n');
}
