// What the demo shows. Names describe the purpose of a person, so that they are not mistaken for real people.
import { wallTimeAt } from '#contract/rules/wall-time.ts';
import type { Role } from '#features/permissions/contract/permissions.ts';
import { freePort } from '#server/testing/free-port.ts';

type SeedPerson = { firstName: string; lastName: string; roles: Role[] };

/** The first person of the demo, in whose name the others are invited. */
export const operator: SeedPerson = { firstName: 'Olivia', lastName: 'Operator', roles: ['operator'] };

/** Has the rights of the applications behind the demo. */
export const leader: SeedPerson = { firstName: 'Sam', lastName: 'Support', roles: ['support'] };

/** What the leader has entered in their profile. */
export const profileOfLeader = {
  jobTitle: 'Head of support',
  organisation: 'City office',
  phone: '+49 30 555 0142',
  timeZone: 'Europe/Berlin',
};

/** Visitors of the demo sign in as the operator or as one of these. */
export const accounts: SeedPerson[] = [leader, { firstName: 'Mia', lastName: 'Member', roles: ['member'] }];

/** Has a role of the installation's own. */
export const surveyor: SeedPerson = { firstName: 'Frida', lastName: 'Fieldwork', roles: ['member'] };

export const neighbours: SeedPerson[] = [
  { firstName: 'Amir', lastName: 'Analyst', roles: ['member'] },
  surveyor,
  { firstName: 'Leo', lastName: 'Ledger', roles: ['member', 'support'] },
];

/** Has left, and is blocked. */
export const blocked: SeedPerson = { firstName: 'Bruno', lastName: 'Blocked', roles: ['member'] };

/** Has not opened the invitation yet. */
export const invited: SeedPerson = { firstName: 'Noah', lastName: 'Newcomer', roles: ['member'] };

export const emailOf = ({ firstName }: SeedPerson) => `${firstName.toLowerCase()}@example.org`;

/** A right and a role of this installation's own. */
export const ownRight = {
  right: 'SURVEYS_READ',
  label: 'See surveys',
  description: 'What was measured outside, with its pictures.',
  area: 'Surveys',
};
export const ownRole = {
  role: 'surveyor',
  name: 'Surveyor',
  description: 'Measures outside and looks at the map.',
  rights: ['MAP_VIEW', ownRight.right],
};

/** A role with the rights of the applications of `examples/`; people with these rights see more there. */
export const teamLead = {
  role: 'team-lead',
  name: 'Team lead',
  description: 'Approves leave, and frees desks that others have taken.',
  rights: ['LEAVE_APPROVE', 'DESKS_MANAGE'],
};

/** People in this group of a provider get the installation's own role. */
export const groupMapping = { kind: 'group', match: 'exact', name: '/field/survey', roles: [ownRole.role] };

/** The token of a script that reads flags and reports at night; it is valid for `days` more days. */
export const apiToken = { name: 'Nightly export', rights: ['FLAGS_READ', 'REPORTS_READ'], days: 5 };

/** The texts of the home screen about the applications of `examples/`. */
export const tiles = [
  {
    upstream: 'leave',
    names: { en: 'Leave', de: 'Urlaub', fr: 'Congés' },
    descriptions: {
      en: 'Ask for days off.',
      de: 'Freie Tage beantragen.',
      fr: 'Demander des jours de congé.',
    },
  },
  {
    upstream: 'desks',
    names: { en: 'Desks', de: 'Plätze', fr: 'Bureaux' },
    descriptions: {
      en: 'Take a desk for the day.',
      de: 'Einen Platz für heute nehmen.',
      fr: 'Prendre un bureau pour la journée.',
    },
  },
].map((one) => ({ ...one, name: one.names.en, description: one.descriptions.en, right: null, shown: true }));

/** A webhook whose receiver is gone: nothing listens at its address. */
export async function webhook() {
  const url = `http://127.0.0.1:${await freePort()}/chat`;
  return { url, description: 'Chat of the operators', enabled: true };
}

/** Of people who get things first. */
export const segment = {
  id: 'grp_pilots',
  name: 'Pilots',
  description: 'Who tries new things first.',
  kind: 'list',
  attribute: 'email',
  numbers: false,
  values: [operator, leader, surveyor].map(emailOf).join('\n'),
};

export const flags = [
  {
    key: 'EXPORT_TO_PDF',
    description: 'The button above every table. On for pilots and half of the others, to see what it costs.',
    defaultValue: false,
    rules: [
      { id: 'pilots', condition: { email: { $inGroup: segment.id } }, force: true },
      { id: 'half', force: true, coverage: 0.5, hashAttribute: 'id' },
    ],
    tags: ['release'],
  },
  {
    key: 'GREETING',
    type: 'string',
    description: 'What the start page says first; in French to whoever reads French.',
    defaultValue: 'Welcome',
    rules: [{ id: 'french', condition: { locale: 'fr' }, force: 'Bienvenue' }],
    tags: ['texts'],
  },
  {
    key: 'HEAVY_REPORTS',
    description: 'Kill switch for the nightly reports.',
    defaultValue: true,
    enabled: false,
    killSwitch: true,
    tags: ['operations'],
  },
  {
    key: 'NEW_SEARCH',
    description:
      'The search rewritten this autumn. On for operators and support, and for a fifth of all others.',
    defaultValue: false,
    rules: [
      { id: 'staff', condition: { roles: { $in: ['operator', 'support'] } }, force: true },
      { id: 'a-fifth', force: true, coverage: 0.2, hashAttribute: 'id' },
    ],
    tags: ['search', 'release'],
  },
  {
    key: 'SHORTCUTS',
    description: 'Keyboard shortcuts in lists. On for everybody since October; can go with the next release.',
    defaultValue: true,
    tags: ['release'],
  },
  {
    key: 'SUPPORT_CHAT',
    description: 'The chat window in the corner, while somebody sits at the other end.',
    defaultValue: true,
    enabled: false,
    tags: ['support'],
  },
  {
    key: 'TILE_CACHE_MINUTES',
    type: 'number',
    description: 'How long the browser keeps a map tile.',
    defaultValue: 60,
    tags: ['map', 'operations'],
  },
  {
    key: 'UPLOAD_LIMITS',
    type: 'json',
    description: 'How much people may upload, in MB.',
    defaultValue: { file: 20, total: 200 },
    rules: [
      { id: 'operators', condition: { roles: { $in: ['operator'] } }, force: { file: 200, total: 2000 } },
    ],
    tags: ['operations', 'files'],
  },
].map((flag) => ({ type: 'boolean', enabled: true, rules: [], ...flag }));

export const notice = {
  mode: 'off',
  // The text names no time: the planned window shows its times to each reader in their own zone.
  text: 'The database is upgraded at the weekend. You will be told in time to save your work.',
  texts: {
    de: 'Am Wochenende wird die Datenbank erneuert. Sie werden rechtzeitig gebeten, zu speichern.',
    fr: 'La base de données sera mise à jour ce week-end. Vous serez averti à temps pour enregistrer.',
  },
  severity: 'MEDIUM',
  expectedEnd: null,
};

/** The window that the notice announces: on Saturday at 22:00 in Berlin, as a reply to a report says too. */
export const nextWindow = {
  title: 'Database upgrade',
  text: 'The database is upgraded, which takes half an hour.',
  texts: {
    during: {
      en: 'The database is upgraded, which takes half an hour.',
      de: 'Die Datenbank wird erneuert. Das dauert eine halbe Stunde.',
      fr: 'La base de données est mise à jour. Cela prend une demi-heure.',
    },
    late: {
      en: 'The upgrade takes longer than planned. What you have saved is safe.',
      de: 'Die Erneuerung dauert länger als geplant. Was Sie gespeichert haben, ist sicher.',
      fr: 'La mise à jour prend plus de temps que prévu. Ce que vous avez enregistré est en sécurité.',
    },
  },
  severity: 'MEDIUM',
  mode: 'full',
  leadMinutes: 60,
  endsByItself: false,
};

/** The start and end of the window: on the coming Saturday or, on a Saturday, on the next one. */
export function timesOfNextWindow(now: number) {
  const timeZone = 'Europe/Berlin';
  const today = wallTimeAt(now, timeZone)?.slice(0, 10) ?? '';
  const date = new Date(`${today}T00:00Z`);
  date.setUTCDate(date.getUTCDate() + (6 - date.getUTCDay() || 7));
  const saturday = date.toISOString().slice(0, 10);
  const at = (time: string) => ({ local: `${saturday}T${time}`, timeZone });
  return { startsAt: at('22:00'), endsAt: at('22:30') };
}

/** A past window, with what was done to it, and how many hours ago. */
export const pastWindow = {
  fields: {
    title: 'New storage',
    text: 'Files move to new storage. Reading goes on; what you save waits until it has moved.',
    texts: {},
    severity: 'INFO',
    mode: 'read-only',
    leadMinutes: 10,
    endsByItself: false,
  },
  plannedHoursAgo: 120,
  startsHoursAgo: 100,
  endsHoursAgo: 99.5,
  steps: [
    { hoursAgo: 100.5, step: 'warn' },
    { hoursAgo: 100.02, step: 'start' },
    { hoursAgo: 99.6, step: 'extend', endsHoursAgo: 99 },
    { hoursAgo: 99.2, step: 'end' },
  ],
} as const;
