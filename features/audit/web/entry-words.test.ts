import type { AuditEntry } from '#features/audit/contract/audit.ts';
import { createInstance } from 'i18next';
import { describe, expect, it } from 'vitest';
import { loadCatalogue, loadPart } from '#web/app/catalogue.ts';
import { createFormats } from '#web/platform/i18n/formats.ts';
import { mergeCatalogues } from '#web/embed/texts.ts';
import type { Language } from '#web/platform/i18n/language.ts';
import { entryWordsOf } from './entry-words.ts';
import { valueWordsOf } from './value-words.ts';

describe('AUD-1: the audit in words', () => {
  it('AUD-1 RIGHT-2: names an own right by its label and its name in code, for its label may be that of another', async () => {
    const { sentence } = await entryWordsIn('en');
    const label = { label: 'See flags' };
    const about = { kind: 'right', id: 'ABC', nameNow: null, there: false } as const;
    expect([
      sentence(entry('right.create', { subject: about, after: label })),
      sentence(entry('right.update', { subject: about, before: { label: 'Old' }, after: label })),
      sentence(entry('right.delete', { subject: about, before: label })),
      sentence(entry('right.delete', { subject: about, cut: true })),
      sentence(
        entry('role.delete', { subject: { ...about, kind: 'role', id: 'x' }, before: { name: 'Member' } }),
      ),
    ]).toEqual([
      'olga@example.org created the right “See flags” (ABC)',
      'olga@example.org changed the right “See flags” (ABC)',
      'olga@example.org deleted the right “See flags” (ABC)',
      'olga@example.org deleted the right ABC',
      'olga@example.org deleted the role “Member” (x)',
    ]);
  });

  it('AUD-1 RIGHT-3: names own rights and roles by their names and keys', async () => {
    const { sentence, words } = await entryWordsIn('en');
    const right = (key: string) => sentence(entry('person.deny-right', { after: { right: key } }));
    expect(right('ORDERS_CHANGE')).toMatch(/denied Ben the right “Change orders \(ORDERS_CHANGE\)”$/);
    expect(right('GONE_SINCE')).toMatch(/denied Ben the right “GONE_SINCE”$/);
    const given = { before: { roles: ['member'] }, after: { roles: ['member', 'clerks-co'] } };
    expect(sentence(entry('person.set-roles', given))).toMatch(/gave Ben the role Clerks \(clerks-co\)$/);
    expect(words.value('roles', ['member', 'clerks-co'])).toBe('Member and Clerks (clerks-co)');
  });

  it.each<[Language, string[]]>([
    [
      'en',
      [
        'olga@example.org erased a person, who is now called “erased person 78a371”',
        'olga@example.org downloaded the data of erased person 78a371',
        'erased person 78a371 gave Ben a link that sets a new password',
        'olga@example.org gave person 00abcd (deleted) a link that sets a new password',
      ],
    ],
    [
      'de',
      [
        'olga@example.org hat eine Person gelöscht; sie heißt nun „Person 78a371 (gelöscht)“',
        'olga@example.org hat die Daten von Person 78a371 (gelöscht) heruntergeladen',
        'Person 78a371 (gelöscht) hat Ben einen Link für ein neues Passwort gegeben',
        'olga@example.org hat Person 00abcd (gelöscht) einen Link für ein neues Passwort gegeben',
      ],
    ],
    [
      'fr',
      [
        'olga@example.org a effacé une personne, désormais « la personne effacée 78a371 »',
        'olga@example.org a téléchargé les données de la personne effacée 78a371',
        'la personne effacée 78a371 a donné à Ben un lien pour un nouveau mot de passe',
        'olga@example.org a donné à la personne 00abcd (supprimée) un lien pour un nouveau mot de passe',
      ],
    ],
  ])('BUG-10 AUD-1: calls an erased person the same everywhere, in %s', async (language, expected) => {
    const { sentence, words } = await entryWordsIn(language);
    const erased = 'erased person 78a371';
    const about = { kind: 'person', id: 'p-00abcd', nameNow: erased, there: false } as const;
    expect([
      sentence(entry('person.erase', { subject: about, after: { name: erased } })),
      sentence(entry('person.export', { subject: about })),
      sentence(entry('person.password-link', { actor: { id: 'p-2', name: erased, nameNow: null } })),
      sentence(entry('person.password-link', { subject: { ...about, nameNow: null } })),
    ]).toEqual(expected);
    const doubled = { firstName: erased, lastName: erased };
    expect(
      sentence(entry('profile.update', { subject: { ...about, nameNow: null }, after: doubled })),
    ).not.toContain('erased person 78a371 erased');
    for (const field of ['reports', 'pictures', 'files', 'reportsKept'])
      expect(words.place([field])).not.toBe(field);
  });

  it('SES-4 AUD-1: describes a first sign-in as one, with the groups, and not as done in the console', async () => {
    const { sentence, way } = await entryWordsIn('en');
    const none = { roles: [], groups: [] };
    const self = { actor: { id: 'p-1', name: 'ben@example.org', nameNow: 'Ben' } };
    const follow = (before: object, groups: string[]) =>
      sentence(entry('person.follow-groups', { ...self, before, after: { roles: [], groups } }));
    expect(follow(none, ['/sales', '/staff'])).toBe('Ben is in the groups /sales and /staff of the provider');
    expect(follow(none, ['/sales'])).toBe('Ben is in the group /sales of the provider');
    expect(follow(none, ['a', 'b', 'c', 'd', 'e', 'f'])).toBe(
      'Ben is in the groups a, b, c, d, e, and … of the provider',
    );
    expect(follow({ roles: [], groups: ['/x'] }, ['/y'])).toBe('Ben is in other groups of the provider');
    expect(follow(none, ['erased person 78a371'])).not.toContain('78a371');
    expect(
      ['invitation.accept', 'person.follow-groups', 'person.block'].map((action) => way(entry(action, self))),
    ).toEqual(['Sign-in', 'Sign-in', 'Console']);
  });

  it('RIGHT-3 AUD-1: names the roles that a group gives, and the groups', async () => {
    const { sentence } = await entryWordsIn('en');
    const about = { kind: 'group-mapping', id: 'm', nameNow: null, there: false } as const;
    const mapping = { name: '/sales/', match: 'prefix', roles: ['member', 'clerks-co'] };
    const exact = { ...mapping, match: 'exact' };
    expect([
      sentence(entry('group-mapping.create', { subject: about, after: mapping })),
      sentence(entry('group-mapping.update', { subject: about, before: mapping, after: exact })),
      sentence(entry('group-mapping.delete', { subject: about, before: exact })),
    ]).toEqual([
      'olga@example.org mapped every group that begins with “/sales/” to roles: Member and Clerks (clerks-co)',
      'olga@example.org changed the mapping of the group “/sales/”, now Member and Clerks (clerks-co)',
      'olga@example.org removed the mapping of the group “/sales/” to roles: Member and Clerks (clerks-co)',
    ]);
  });
});

async function entryWordsIn(language: Language) {
  const i18n = createInstance();
  await i18n.init({
    lng: language,
    interpolation: { escapeValue: false },
    resources: {
      [language]: {
        translation: mergeCatalogues([await loadCatalogue(language), await loadPart('AUDIT', language)]),
      },
    },
  });
  const formats = createFormats(language, 'UTC');
  const words = valueWordsOf(i18n.t, formats, {
    roles: new Map([['clerks-co', 'Clerks']]),
    rights: new Map([['ORDERS_CHANGE', 'Change orders']]),
  });
  return { ...entryWordsOf(i18n.t, formats, words), words };
}

function entry(action: string, parts: Partial<AuditEntry>): AuditEntry {
  return {
    id: 'e',
    at: 0,
    through: 'person',
    client: null,
    actor: { id: 'o', name: 'olga@example.org', nameNow: null },
    action,
    subject: { kind: 'person', id: 'b', nameNow: 'Ben', there: true },
    before: null,
    after: null,
    cut: false,
    ...parts,
  };
}
