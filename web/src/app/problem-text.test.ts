import { createInstance, type TFunction } from 'i18next';
import { expect, it } from 'vitest';
import { ProblemError } from '../platform/calls/problem-error.ts';
import { problemText, readProblemText } from '../platform/calls/problem-text.ts';
import { loadCatalogue } from './catalogue.ts';

it.each([
  ['en', /^Portico cannot load or save anything right now\. What you have typed is still here;/],
  ['de', /^Portico kann im Moment nichts laden oder speichern\. Was Sie eingegeben haben, ist noch da;/],
  [
    'fr',
    /^Portico ne peut rien charger ni enregistrer pour le moment\. Ce que vous avez saisi est toujours là/,
  ],
] as const)(
  'RUN-5: says in %s that nothing typed is lost while the storage does not work',
  async (lng, text) => {
    const i18n = createInstance();
    await i18n.init({
      lng,
      interpolation: { defaultVariables: { product: 'Portico' } },
      resources: { [lng]: { translation: await loadCatalogue(lng) } },
    });
    const unavailable = new ProblemError({ status: 503, code: 'UNAVAILABLE', title: '' });
    expect(problemText(i18n.t, unavailable)).toMatch(text);
  },
);

it.each([
  ['of a fault', 500, 'INTERNAL', undefined],
  ['of an answer that did not come in time', 0, 'NETWORK', new DOMException('', 'TimeoutError')],
])(
  'SES-10: what was only read is not said to be unsaved or changed, because %s',
  (_, status, code, cause) => {
    const t = ((key: string) => key) as TFunction;
    const error = new ProblemError({ title: '', status, code }, { cause });
    expect(readProblemText(t, error)).toBe('COMMON.ERRORS.SERVER.NOT_READ');
    expect(problemText(t, error)).not.toBe(readProblemText(t, error));
  },
);

it('SES-10: where the reason is known, it is said of what was read too', () => {
  const t = ((key: string) => key) as TFunction;
  const code = 'RIGHT_MISSING';
  expect(readProblemText(t, new ProblemError({ status: 403, code, title: '' }))).toBe(
    `COMMON.ERRORS.${code}`,
  );
});
