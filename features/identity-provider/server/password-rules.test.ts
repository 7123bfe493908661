import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '#contract/testing/any-character.ts';
import { isCommonPassword } from './password-rules.ts';

const owner = { email: 'maria.keller@lakeside-water.example', firstName: 'Maria', lastName: 'Keller' };

describe('SES-3: a password is not a common one', () => {
  it.each([
    'password1234',
    'Password1234!',
    'P@ssw0rd2026!',
    'passwordpassword',
    'qwertyuiop123',
    '1q2w3e4r5t6y',
    '1qaz2wsx3edc',
    '123456789012',
    '098765432109',
    'abcdefghijklm',
    'aaaaaaaaaaaa',
    'abcabcabcabc',
    'xyxyxyxyxyxyxy',
    'Summer2026!!!!',
    'WelcomeWelcome1',
    'Adm1n1strator!',
    'iloveyou1234',
    'correcthorsebatterystaple',
    'MariaKeller1984',
    'maria.keller@lakeside-water.example',
    'Lakeside-Water-2026',
    'Portico2026!!!',
    '            ',
    'ädmin-ädmin',
    'polniypizdec0211',
    'Sony3ricsson!',
    '2024ghbdtnrfrltkf',
  ])('SES-3: refuses %j', async (password) => {
    expect(await isCommonPassword(password, owner)).toBe(true);
  });

  it.each([
    'wobbly-kettle-9-harbour',
    'Der Zug nach Bern war pünktlich',
    'x7#Lq0vT2!mZ',
    'fjord cactus lamp',
    'gkwpvtzhmbrd',
    'тихий вечер на реке',
    '静かな夜の川辺を歩く猫たち',
  ])('SES-3: takes %j', async (password) => {
    expect(await isCommonPassword(password, owner)).toBe(false);
  });

  it('SES-3: takes what a password manager makes', async () => {
    const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz0123456789-_.!';
    const made = fc
      .array(fc.constantFrom(...alphabet), { minLength: 20, maxLength: 24 })
      .map((signs) => signs.join(''));
    await fc.assert(
      fc.asyncProperty(made, async (password) => {
        fc.pre(new Set(password).size >= 12);
        return !(await isCommonPassword(password, owner));
      }),
    );
  });

  it('SES-3: decides on any text at all', async () => {
    const texts = [fc.string({ unit: anyCharacter, maxLength: 256 }), fc.string()] as const;
    await fc.assert(
      fc.asyncProperty(...texts, async (password, name) => {
        expect(await isCommonPassword(password, { email: name, firstName: name })).toBeTypeOf('boolean');
      }),
    );
  });
});
