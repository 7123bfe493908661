import type { Plugin } from 'vite';

/** Portico's languages, as React Aria names its own texts. */
const own = /[\\/](?:de-DE|en-US|fr-FR)\.m?js$/;
const texts =
  /[\\/]node_modules[\\/]react-(?:aria|stately)[\\/].*[\\/]intl[\\/].*[\\/][a-z]{2}-[A-Z]{2}\.m?js$/;

/** Leaves out of React Aria the words of the thirty languages that Portico does not have. */
export function withoutOtherLocales(): Plugin {
  return {
    name: 'portico:without-other-locales',
    enforce: 'pre',
    load: (id) => (texts.test(id) && !own.test(id) ? 'export default {}' : undefined),
  };
}
