import { createInstance } from 'i18next';
import { expect, it } from 'vitest';
import { ProblemError } from '../platform/calls/problem-error.ts';
import { problemText } from '../platform/calls/problem-text.ts';
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
