import { beforeAll, describe, expect, it } from 'vitest';
import { createInstance, type TFunction } from 'i18next';
import appTexts from '../../app/texts/en.json' with { type: 'json' };
import { passwordLinkWords } from './password-link-words.ts';
import { personName } from './person-name.ts';
import ownTexts from './texts/en.json' with { type: 'json' };

let t: TFunction;

beforeAll(async () => {
  const translation = { ...appTexts, ...ownTexts };
  t = await createInstance().init({
    lng: 'en',
    resources: { en: { translation } },
    interpolation: { escapeValue: false },
  });
});

describe('what a person is called', () => {
  const nobody = { id: '01K0', firstName: '', lastName: '', email: '' };

  it('CON-1 SES-4: by name, else by address, else by id: never by nothing', () => {
    const email = 'ada@example.org';
    expect(personName(t, { ...nobody, email, firstName: 'Ada', lastName: 'King' })).toBe('Ada King');
    expect(personName(t, { ...nobody, email, lastName: 'King' })).toBe('King');
    expect(personName(t, { ...nobody, email })).toBe(email);
    expect(personName(t, nobody)).toBe('No name (01K0)');
    expect(personName(t, { ...nobody, firstName: ' ' })).toBe('No name (01K0)');
  });
});

describe('what stands over a link', () => {
  it('SES-3: says whether it is for an invitation or for a new password', () => {
    expect(passwordLinkWords(t, 'invitation', 'off', 'ada@example.org')).toEqual({
      title: 'The invitation for ada@example.org is ready',
      label: 'Invitation link',
    });
    expect(passwordLinkWords(t, 'new-password', 'off', 'ada@example.org')).toEqual({
      title: 'The link for a new password for ada@example.org is ready',
      label: 'Link for a new password',
    });
    expect(passwordLinkWords(t, 'new-password', 'sent', 'ada@example.org')).toEqual({
      title: 'Sent to ada@example.org',
      label: 'Link for a new password',
    });
  });
});
