import type { Profile } from '#features/profile/contract/profile.ts';
import { createInstance } from 'i18next';
import { expect, it } from 'vitest';
import { loadCatalogue, loadPart } from '#web/app/catalogue.ts';
import { mergeCatalogues } from '#web/embed/texts.ts';
import { networkProblem, ProblemError } from '#web/platform/calls/problem-error.ts';
import { problemText, refusalText, provideRefusal } from '#web/platform/calls/problem-text.ts';
import type { UpdateOutcome } from '../profile.ts';
import { isRefused, outcomeMessage } from './outcome-message.ts';

async function english() {
  const i18n = createInstance();
  await i18n.init({
    lng: 'en',
    interpolation: { defaultVariables: { product: 'Portico' } },
    resources: {
      en: {
        translation: mergeCatalogues([await loadCatalogue('en'), await loadPart('PROFILE', 'en')]),
      },
    },
  });
  return i18n.t;
}

it('§8 Profile update success: shows PROFILE.MESSAGES.SUCCESS_UPDATE', async () => {
  const t = await english();
  const message = outcomeMessage(t, { status: 'saved', profile: {} as Profile });
  expect(message).toMatchObject({ kind: 'success', title: t('PROFILE.MESSAGES.SUCCESS_UPDATE') });
  expect(message.title).toBe('Your profile was saved.');
});

it.each<UpdateOutcome>([
  { status: 'failed', error: null },
  { status: 'invalid', problems: [], error: null },
  { status: 'conflict', theirs: null, error: null },
])(
  '§8 Profile update failure: shows COMMON.ERRORS.SERVER.CRITICAL_ERROR when it is $status',
  async (outcome) => {
    const t = await english();
    const message = outcomeMessage(t, outcome);
    expect(message).toMatchObject({ kind: 'error', title: t('COMMON.ERRORS.SERVER.CRITICAL_ERROR') });
    expect(message.title).toMatch(/^Something went wrong on the server/);
  },
);

it('MAINT-6: during maintenance the profile shows calmly that nothing is saved, and until when', async () => {
  const t = await english();
  const refused = new ProblemError({ status: 503, code: 'MAINTENANCE', title: 'Down for maintenance' });
  const outcome: UpdateOutcome = { status: 'failed', error: refused };
  expect(isRefused(outcome)).toBe(true);
  expect(outcomeMessage(t, outcome)).toMatchObject({ kind: 'info', title: t('COMMON.ERRORS.MAINTENANCE') });
  const stop = provideRefusal(() => ({ until: '22:30' }));
  expect(outcomeMessage(t, outcome).title).toBe(
    'Portico is under maintenance and accepts no changes until about 22:30. Nothing was changed.',
  );
  stop();
  expect(refusalText(t)).toBeNull();
});

it.each([
  [
    'nothing answers',
    new TypeError('Failed to fetch'),
    /^There is no connection to Portico\. Nothing is lost/,
  ],
  ['the answer takes too long', new DOMException('', 'TimeoutError'), /^Portico did not answer in time\./],
])('PRO-2: when %s the server is not blamed', async (_case, cause, text) => {
  const t = await english();
  const message = outcomeMessage(t, { status: 'failed', error: networkProblem(cause) });
  expect(message).toMatchObject({ kind: 'warning', title: expect.stringMatching(text) as string });
});

it('PRO-2: a server that answers that it cannot save has failed, and the text assures that what is typed is still there', async () => {
  const t = await english();
  const error = new ProblemError({ status: 503, code: 'UNAVAILABLE', title: '' });
  expect(outcomeMessage(t, { status: 'failed', error }).title).toBe(t('COMMON.ERRORS.SERVER.CRITICAL_ERROR'));
  expect(problemText(t, error)).toMatch(/What you have typed is still here/);
});
