import { beforeAll, describe, expect, it } from 'vitest';
import { createInstance, type TFunction } from 'i18next';
import appTexts from '#web/app/texts/en.json' with { type: 'json' };
import { passwordLinkWords } from './invite-dialog.tsx';
import { namedActor, personName } from '#web/platform/named-person.ts';
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
  const unnamed = { id: '01K0', firstName: '', lastName: '', email: '' };

  it('CON-1 SES-4: by name, else by address, else by id: never by nothing', () => {
    const email = 'ada@example.org';
    expect(personName(t, { ...unnamed, email, firstName: 'Ada', lastName: 'King' })).toBe('Ada King');
    expect(personName(t, { ...unnamed, email, lastName: 'King' })).toBe('King');
    expect(personName(t, { ...unnamed, email })).toBe(email);
    expect(personName(t, unnamed)).toBe('No name (01K0)');
    expect(personName(t, { ...unnamed, firstName: ' ' })).toBe('No name (01K0)');
  });
});

describe('what the one is called who did something', () => {
  it('CON-1: by name, else as it was written down, and erased people in the language of the page', () => {
    const names = { 'ada@example.org': 'Ada King' };
    expect(namedActor(t, 'ada@example.org', names)).toBe('Ada King');
    expect(namedActor(t, 'gone@example.org', names)).toBe('gone@example.org');
    expect(namedActor(t, 'ci')).toBe('ci');
    expect(namedActor(t, 'constructor', names)).toBe('constructor');
    expect(namedActor(t, 'erased person 3f2a9c', names)).toBe(t('COMMON.ERASED_PERSON', { code: '3f2a9c' }));
  });
});

describe('what stands over a link', () => {
  it('SES-3: names whether it is for an invitation or for a new password', () => {
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
