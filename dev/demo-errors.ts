import { randomBytes } from 'node:crypto';

/** Errors of another application, which reports here with Sentry's SDK. */
export type SeedError = {
  type: string;
  value: string;
  file: string;
  function: string;
  release: string;
  /** How often it happened so many hours ago. */
  times: readonly { hoursAgo: number; events: number }[];
};

export const applicationName = 'Planning map';

export const errors: readonly SeedError[] = [
  {
    type: 'TypeError',
    value: "Cannot read properties of undefined (reading 'geometry')",
    file: '/assets/map-4f1c.js',
    function: 'drawParcel',
    release: 'map@2.4.1',
    times: [
      { hoursAgo: 20, events: 2 },
      { hoursAgo: 14, events: 3 },
      { hoursAgo: 6, events: 7 },
      { hoursAgo: 3, events: 11 },
      { hoursAgo: 1, events: 5 },
    ],
  },
  {
    type: 'TileError',
    value: 'The tile server did not answer within 10000 ms',
    file: '/assets/tiles-88e0.js',
    function: 'loadTile',
    release: 'map@2.4.0',
    times: [150, 130, 101, 100, 76, 52, 30, 22, 9, 4].map((hoursAgo, index) => ({
      hoursAgo,
      events: [3, 2, 14, 9, 4, 3, 5, 2, 3, 2][index] ?? 1,
    })),
  },
  {
    type: 'RangeError',
    value: 'Invalid time value',
    file: '/assets/permits-2b7d.js',
    function: 'formatDeadline',
    release: 'map@2.3.9',
    times: [
      { hoursAgo: 160, events: 4 },
      { hoursAgo: 120, events: 6 },
      { hoursAgo: 90, events: 1 },
    ],
  },
];

const browsers = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
  'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
];

/** One event as an envelope of Sentry's protocol. @param n of its error, counted from 0 */
export function envelopeOf(error: SeedError, n: number, at: number): string {
  const { type, value, file, release } = error;
  const eventId = randomBytes(16).toString('hex');
  const event = {
    event_id: eventId,
    timestamp: at / 1000,
    platform: 'javascript',
    level: 'error',
    release,
    environment: n % 5 === 4 ? 'staging' : 'production',
    user: { id: `planner-${n % 4}` },
    transaction: '/map',
    exception: {
      values: [
        {
          type,
          value,
          mechanism: { type: 'onerror', handled: false },
          stacktrace: {
            frames: [
              { filename: `https://map.example.org${file}`, function: 'onMove', lineno: 1, colno: 804 },
              {
                filename: `https://map.example.org${file}`,
                function: error.function,
                lineno: 1,
                colno: 2310,
              },
            ],
          },
        },
      ],
    },
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
