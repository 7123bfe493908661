import type { AttentionItem } from '#features/overview/contract/overview.ts';
import type { Formats } from '#web/platform/i18n/formats.ts';

/** What the words of a row are made of. */
type AttentionTools = {
  /** A text below the key of the row. */
  part: (key: string, values?: Record<string, unknown>) => string;
  formats: Formats;
  now: number;
  /** The first names of `count`, and how many more there are. */
  named: (names: readonly string[], count: number) => string;
};

type AttentionLine<Item> = {
  look: 'high' | 'medium' | 'info';
  /** Where the row leads: to the thing itself where there is exactly one, else to the list that holds them. */
  link: (item: Item) => { to: string; search?: Record<string, string> };
  /** The values of its title, and its text. */
  words: (item: Item, tools: AttentionTools) => { title: Record<string, unknown>; text: string };
};

/** What a feature has among the things that need an operator: `attention.ts` in its folder. */
export type AttentionLines = {
  readonly [Kind in AttentionItem['kind']]?: AttentionLine<Extract<AttentionItem, { kind: Kind }>>;
};

const mailPlaces = { reports: '/settings/reports', errors: '/settings/diagnostics', people: '/people' };

/** What several features have in common. */
const ownLines: AttentionLines = {
  mail: {
    look: 'high',
    link: ({ about, personId }) => ({ to: personId === null ? mailPlaces[about] : `/people/${personId}` }),
    words({ count, givenUp, since }, { part, formats: { number, relative }, now }) {
      const facts = { relative: relative(since, now), count: givenUp, number: number(givenUp) };
      return {
        title: { count, number: number(count) },
        text: part(givenUp === 0 ? 'TRIED_AGAIN' : 'GIVEN_UP', facts),
      };
    },
  },
  refused: {
    look: 'medium',
    link: ({ ways }) => ({ to: ways.includes('reports') ? '/reports' : '/diagnostics' }),
    words: ({ ways, at }, { part, formats, now }) => ({
      title: {},
      text: part('TEXT', {
        ways: formats.list(ways.map((way) => part(way.toUpperCase()))),
        relative: formats.relative(at, now),
      }),
    }),
  },
};

const files = import.meta.glob<AttentionLines>('../../*/web/attention.ts', {
  eager: true,
  import: 'attention',
});

const lines = Object.assign({}, ownLines, ...Object.values(files)) as Record<
  AttentionItem['kind'],
  AttentionLine<AttentionItem>
>;

/** How the row of an item looks, reads and links. */
export const lineOf = (item: AttentionItem) => lines[item.kind];
