// The bug reports of the demo: who sent what, how long ago, and what was done and said about it since.
import type { ReportStatus } from '#features/feedback/contract/own-reports.ts';

export type SeedReport = {
  /** First name of the sender. */
  by: string;
  /** When it was sent, in hours before the start of the demo. */
  hoursAgo: number;
  message: string;
  /** Path of the page that it is about; left out: `/`. */
  page?: string;
  /** A file in `demo-pictures`. */
  picture?: string;
  tags?: Record<string, string>;
  /** What operators and the sender did, each step some hours after the report was sent. */
  since: readonly SeedStep[];
};

export type SeedStep = {
  after: number;
  /** First name of the person who did it; left out: the operator. */
  by?: string;
} & (
  | {
      /** A change, as in `changeReport` of the contract, but with first names of people and numbers of reports. */
      status?: ReportStatus;
      assignee?: string;
      labels?: readonly string[];
      duplicateOf?: number;
    }
  | { reply: string; status?: ReportStatus }
  | { note: string }
  /** A reply of the sender. */
  | { answer: string }
);

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
    tags: { area: 'reports' },
    since: [
      { after: 2, status: 'triaged', assignee: 'Sam', labels: ['reports'] },
      {
        after: 2.2,
        by: 'Sam',
        reply: 'Thank you, Amir. Does it also happen when you start the report by hand?',
      },
      { after: 4, answer: 'Yes, the same: headings and no rows. For my colleague it is complete.' },
      { after: 5, by: 'Sam', status: 'in-progress' },
      {
        after: 6,
        by: 'Sam',
        note: 'Only people without the right SURVEYS_READ see it empty: since Monday the query joins the surveys.',
      },
      {
        after: 30,
        by: 'Sam',
        reply:
          'Found it: the report left out everything for people who may not see surveys. From tonight on it is complete again.',
        status: 'resolved',
      },
      { after: 42, answer: 'It is. Thank you!' },
      { after: 43, by: 'Sam', status: 'resolved' },
    ],
  },
  {
    by: 'Mia',
    hoursAgo: 121,
    message: 'The nightly report came without any rows today. Is somebody on it already?',
    tags: { area: 'reports' },
    since: [
      { after: 1, duplicateOf: 1 },
      { after: 1.1, reply: 'Yes, somebody is. You will read here when it is solved.' },
    ],
  },
  {
    by: 'Frida',
    hoursAgo: 97,
    message:
      'On my phone the notice takes a quarter of the screen, on every page. I have read it; can it be smaller after the first time?',
    picture: 'home-on-a-phone.png',
    tags: { device: 'phone' },
    since: [
      { after: 3, status: 'triaged', labels: ['maintenance', 'phone'] },
      { after: 50, status: 'in-progress', assignee: 'Sam' },
      { after: 51, by: 'Sam', note: 'On 360 px it takes four lines. One line and “more” would do.' },
    ],
  },
  {
    by: 'Leo',
    hoursAgo: 74,
    message: 'win a free cruise !!! click www.example.com/cruise',
    since: [{ after: 1, status: 'spam' }],
  },
  {
    by: 'Leo',
    hoursAgo: 52,
    message:
      'Exporting to PDF takes more than a minute when the table has over 5,000 rows, and the button says nothing meanwhile. Most of us press it again, and then there are two files.',
    tags: { area: 'export' },
    since: [
      { after: 4, status: 'triaged', labels: ['export'] },
      {
        after: 28,
        reply: 'Tables of this size are better exported as CSV, which takes seconds; the button now says so.',
        status: 'closed',
      },
    ],
  },
  {
    by: 'Mia',
    hoursAgo: 27,
    message:
      'The notice says at the weekend. When is that in our time? I sit in Lisbon, and would like to send the month’s figures before it starts.',
    picture: 'notice-on-top.png',
    since: [
      { after: 1, status: 'triaged', labels: ['maintenance'] },
      {
        after: 3,
        reply:
          'On Saturday from 22:00 to 22:30 in Berlin, which is 21:00 to 21:30 in Lisbon. We are about to show times in each person’s own zone.',
        status: 'in-progress',
      },
      { after: 4, answer: 'Perfect, then I have the whole Saturday. Thank you for the quick answer!' },
      { after: 5, assignee: 'Olivia' },
    ],
  },
  {
    by: 'Frida',
    hoursAgo: 9,
    message:
      'Map tiles from yesterday: the new building in the north is missing, though it is in the register. After I emptied the browser’s cache it was there.',
    tags: { area: 'map' },
    since: [
      { after: 6, status: 'triaged', labels: ['map'], assignee: 'Leo' },
      {
        after: 6.5,
        by: 'Leo',
        note: 'The tiles have no date in their address, so browsers keep the old ones for a week.',
      },
    ],
  },
  {
    by: 'Mia',
    hoursAgo: 3,
    message:
      'Search finds “Muller” but not “Müller” when I type it with the dots on my Mac.\n\n1. Open the search\n2. Type Müller\n3. Nothing found, although the name stands in the list below',
    tags: { area: 'search' },
    since: [
      { after: 1, labels: ['search'], assignee: 'Sam' },
      {
        after: 1.5,
        by: 'Sam',
        reply:
          'Well observed. Your Mac writes the ü as two characters, and the search compares them one by one. Which browser is it?',
      },
    ],
  },
  {
    by: 'Amir',
    hoursAgo: 0.4,
    message:
      'The map shows no visits in Greenland, although two of us were there in October. I have marked the place.\n\nWere they not entered, or do I have to switch something on?',
    page: '/map?at=58.00000%2C-25.00000%2C2.4&layers=visits%2Ccountries',
    picture: 'marked-map.png',
    since: [],
  },
];
