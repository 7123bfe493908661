// The bug reports of the demo: who sent what, how long ago, and its history.
import type { ReportStatus } from '@portico/contract/feedback/own-reports';

export type SeedReport = {
  /** First name of the one who sent it. */
  by: string;
  /** Before the start of the demo. */
  hoursAgo: number;
  message: string;
  /** Path of the page that it is about. */
  page: string;
  /** A file in `demo-pictures`. */
  picture?: string;
  tags?: Record<string, string>;
  /** The changes of its status by the operator, each some hours after it was sent. */
  became: readonly { afterHours: number; status: ReportStatus }[];
};

const desk = '1440 × 900 @1';
const phone = '360 × 740 @3';

/** The user agents of browsers. */
const userAgents = {
  [desk]:
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36',
  [phone]:
    'Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Mobile Safari/537.36',
};

/** The context that the dialog attaches. */
export function contextOf({ tags }: SeedReport) {
  const viewport = tags?.['device'] === 'phone' ? phone : desk;
  return { viewport, browser: userAgents[viewport], language: 'en-GB', timeZone: 'Europe/Berlin' };
}

/** The oldest first. */
export const reports: readonly SeedReport[] = [
  {
    by: 'Amir',
    hoursAgo: 148,
    message:
      'Since Monday the nightly report is empty.\n\nIt arrives on time and has all its headings, but not one row below them. The week before it was complete.',
    page: '/',
    tags: { area: 'reports' },
    became: [
      { afterHours: 2, status: 'triaged' },
      { afterHours: 5, status: 'in-progress' },
      { afterHours: 30, status: 'resolved' },
    ],
  },
  {
    by: 'Mia',
    hoursAgo: 121,
    message: 'The nightly report came without any rows today. Is somebody on it already?',
    page: '/',
    tags: { area: 'reports' },
    became: [{ afterHours: 1, status: 'duplicate' }],
  },
  {
    by: 'Frida',
    hoursAgo: 97,
    message:
      'On my phone the notice takes a quarter of the screen, on every page. I have read it; can it be smaller after the first time?',
    page: '/',
    picture: 'home-on-a-phone.png',
    tags: { device: 'phone' },
    became: [
      { afterHours: 3, status: 'triaged' },
      { afterHours: 50, status: 'in-progress' },
    ],
  },
  {
    by: 'Leo',
    hoursAgo: 74,
    message: 'win a free cruise !!! click www.example.com/cruise',
    page: '/',
    became: [{ afterHours: 1, status: 'spam' }],
  },
  {
    by: 'Leo',
    hoursAgo: 52,
    message:
      'Exporting to PDF takes more than a minute when the table has over 5,000 rows, and the button says nothing meanwhile. Most of us press it again, and then there are two files.',
    page: '/',
    tags: { area: 'export' },
    became: [
      { afterHours: 4, status: 'triaged' },
      { afterHours: 28, status: 'closed' },
    ],
  },
  {
    by: 'Mia',
    hoursAgo: 27,
    message:
      'The notice says at the weekend. When is that in our time? I sit in Lisbon, and would like to send the month’s figures before it starts.',
    page: '/',
    picture: 'notice-on-top.png',
    became: [
      { afterHours: 1, status: 'triaged' },
      { afterHours: 3, status: 'in-progress' },
    ],
  },
  {
    by: 'Frida',
    hoursAgo: 9,
    message:
      'Map tiles from yesterday: the new building in the north is missing, though it is in the register. After I emptied the browser’s cache it was there.',
    page: '/',
    tags: { area: 'map' },
    became: [{ afterHours: 6, status: 'triaged' }],
  },
  {
    by: 'Mia',
    hoursAgo: 3,
    message:
      'Search finds “Muller” but not “Müller” when I type it with the dots on my Mac.\n\n1. Open the search\n2. Type Müller\n3. Nothing found, although the name stands in the list below',
    page: '/',
    tags: { area: 'search' },
    became: [],
  },
  {
    by: 'Amir',
    hoursAgo: 0.4,
    message:
      'The start page says that I may open the map, but nothing leads there. I have marked the place.\n\nIs it switched off, or do I look in the wrong corner?',
    page: '/',
    picture: 'marked-right.png',
    became: [],
  },
];
