import texts from 'virtual:all-texts/DOOR+GATEWAY.PAGE+MAINTENANCE.PAGE+MAINTENANCE.UNAVAILABLE';
import { gatewayCases, type GatewayCase } from '#features/gateway/contract/gateway.ts';
import { login } from '#features/session/contract/session.ts';
import { renderToStaticMarkup } from 'react-dom/server';
import { ExpectedEnd, MaintenanceFrame } from '#features/maintenance/web/maintenance-page.tsx';
import { showBranding } from '../platform/branding.ts';
import { type Language, languages } from '../platform/i18n/language.ts';
import { MaintenanceFoot } from './maintenance-foot.tsx';
import { createTranslation, ProvideTranslation } from './translation.tsx';

/*
 * Runs while the web is built (`vite.entry.config.ts`). It renders the HTML of the maintenance page, of the page
 * that is shown while the storage does not work, and of what the entry pages show without a script.
 */

// Placeholders, which the server replaces by the branding of the installation.
showBranding({
  product: '__PRODUCT__',
  mark: null,
  panel: 'drawing',
  contact: { text: '__CONTACT__', href: '__CONTACT_HREF__' },
  statusUrl: '__STATUS_URL__',
});

const translation = (language: Language) => createTranslation(language, texts[language]);

/** The maintenance page in each language, with the regions that the server fills in. */
export function maintenancePages(): { language: Language; title: string; body: string }[] {
  return languages.map(({ language }) => {
    const value = translation(language);
    const title = value.t('MAINTENANCE.PAGE.TITLE', { product: '__PRODUCT__' });
    const body = renderToStaticMarkup(
      <ProvideTranslation value={value}>
        <main>
          <MaintenanceFrame
            title={title}
            text="__NOTICE__"
            end={
              <ExpectedEnd
                face={'\u00a0'}
                until={value.t('MAINTENANCE.PAGE.UNTIL_UTC', { time: '__EXPECTED_END__' })}
              />
            }
          >
            <p>{value.t('MAINTENANCE.PAGE.BY_ITSELF')}</p>
          </MaintenanceFrame>
        </main>
        <MaintenanceFoot signIn={login.path} />
      </ProvideTranslation>,
    );
    const withMark = withHelp(region(body, 'mark', /<svg width="56".*?<\/svg>/));
    const withNotice = region(withMark, 'notice', /<p class="maintenance-text[^"]*" dir="auto">.*?<\/p>/);
    return {
      language,
      title,
      body: region(withNotice, 'expected-end', /<div class="maintenance-end[^"]*">.*?<\/div>/),
    };
  });
}

/**
 * What is shown while the storage does not work, in each language, with the regions that the server fills in.
 */
export function unavailablePages(): { language: Language; title: string; body: string }[] {
  return languages.map(({ language }) => {
    const value = translation(language);
    const title = value.t('MAINTENANCE.UNAVAILABLE.TITLE', { product: '__PRODUCT__' });
    const body = renderToStaticMarkup(
      <ProvideTranslation value={value}>
        <main>
          <MaintenanceFrame title={title} text={value.t('MAINTENANCE.UNAVAILABLE.TEXT')}>
            <p>{value.t('MAINTENANCE.UNAVAILABLE.SAFE')}</p>
            <a id="again" className="button button-primary" href="__AGAIN__">
              {value.t('MAINTENANCE.UNAVAILABLE.AGAIN')}
            </a>
          </MaintenanceFrame>
        </main>
        <MaintenanceFoot signIn={null}>
          <p>{value.t('MAINTENANCE.UNAVAILABLE.REFERENCE', { id: '__REFERENCE__' })}</p>
        </MaintenanceFoot>
      </ProvideTranslation>,
    );
    const withMark = withHelp(region(body, 'mark', /<svg width="56".*?<\/svg>/));
    const withAgain = region(withMark, 'again', /<a id="again".*?<\/a>/);
    return { language, title, body: region(withAgain, 'reference', /<p>[^<]*__REFERENCE__<\/p>/) };
  });
}

/** The text added if the request sent a form, which the browser still holds; other cases are the same for forms. */
const formTexts: Partial<Record<GatewayCase, string>> = {
  right: 'FORM.REFUSED',
  'signed-out': 'FORM.SIGN_IN_FIRST',
  'read-only': 'FORM.LATER',
  closed: 'FORM.LATER',
  down: 'FORM.UNSURE',
  slow: 'FORM.UNSURE',
  malformed: 'FORM.UNSURE',
};

/** The cases with a text `SAFE`. Where `formTexts` has a text too, that one replaces `SAFE` for a form. */
const withoutForm = new Set<string>(['refused', 'down', 'slow', 'unknown']);

/** The page for requests that do not reach their application: it holds all cases, and the server leaves one. */
export function gatewayPages(): { language: Language; title: string; body: string }[] {
  return languages.map(({ language }) => {
    const value = translation(language);
    const text = (name: string, part: string, values?: Record<string, string>) =>
      value.t(`GATEWAY.PAGE.${name.toUpperCase().replaceAll('-', '_')}.${part}`, values);
    const regions = (render: (name: GatewayCase) => string) =>
      gatewayCases.map((name) => `<!--${name}-->${render(name)}<!--/${name}-->`).join('');
    const body = regions((name) =>
      renderToStaticMarkup(
        <ProvideTranslation value={value}>
          <main>
            <MaintenanceFrame
              title={text(name, 'TITLE')}
              text={text(name, 'TEXT', { right: '__RIGHT_NAME__' })}
            >
              {name === 'right' ? (
                <>
                  <p>{text(name, 'WHOM', { names: '__WHOM__' })}</p>
                  <p>{text(name, 'WHOM_UNKNOWN')}</p>
                </>
              ) : withoutForm.has(name) ? (
                <p className="gateway-safe">{text(name, 'SAFE')}</p>
              ) : null}
              {formTexts[name] === undefined ? null : (
                <div className="gateway-form">
                  <p>{value.t(`GATEWAY.PAGE.${formTexts[name]}`)}</p>
                  {name === 'signed-out' ? (
                    <a className="button button-primary" href="__SIGN_IN__" target="_blank">
                      {value.t('GATEWAY.PAGE.FORM.SIGN_IN')}
                    </a>
                  ) : null}
                  <button type="button" id="send-again" className="button" hidden>
                    {value.t('GATEWAY.PAGE.FORM.SEND_AGAIN')}
                  </button>
                  <button type="button" id="back" className="button button-quiet" hidden>
                    {value.t('GATEWAY.PAGE.FORM.BACK')}
                  </button>
                </div>
              )}
            </MaintenanceFrame>
          </main>
        </ProvideTranslation>,
      ),
    );
    const foot = renderToStaticMarkup(
      <ProvideTranslation value={value}>
        <MaintenanceFoot signIn={null}>
          <a href="/">{value.t('GATEWAY.PAGE.HOME')}</a>
          <p>{value.t('GATEWAY.PAGE.REFERENCE', { id: '__REFERENCE__' })}</p>
        </MaintenanceFoot>
      </ProvideTranslation>,
    );
    const withMark = withHelp(
      body.replaceAll(/<svg width="56".*?<\/svg>/g, (drawn) => `<!--mark-->${drawn}<!--/mark-->`),
    );
    const withForm = region(
      region(
        region(withMark, 'no-form', /<p class="gateway-safe">[^<]*<\/p>(?=<div class="gateway-form">)/g),
        'form',
        /<div class="gateway-form">.*?<\/div>/g,
      ),
      'send-again',
      /<button type="button" id="send-again".*?<\/button>/g,
    );
    const withSignIn = region(withForm, 'sign-in', /<a [^>]*href="__SIGN_IN__".*?<\/a>/);
    const withWhom = region(withSignIn, 'whom', /<p>[^<]*__WHOM__[^<]*<\/p>/);
    const withoutWhom = region(withWhom, 'whom-unknown', /(?<=<!--\/whom-->)<p>[^<]*<\/p>/);
    return {
      language,
      title: regions((name) => text(name, 'TITLE')),
      body:
        region(
          withoutWhom,
          'right-name',
          /<p class="maintenance-text[^"]*" dir="auto">[^<]*__RIGHT_NAME__[^<]*<\/p>/,
        ) + region(foot, 'reference', /<p>[^<]*__REFERENCE__<\/p>/),
    };
  });
}

/** The text for browsers without scripts, in all languages, since a choice of language needs a script. */
export function noScriptHtml(): string {
  return renderToStaticMarkup(
    <div className="no-script stack gap-4">
      {languages.map(({ language }) => (
        <p key={language} lang={language}>
          {translation(language).t('DOOR.NO_SCRIPT')}
        </p>
      ))}
    </div>,
  );
}

/** Marks the regions of contact and status everywhere in the HTML. */
function withHelp(html: string): string {
  return html
    .replaceAll(
      /<p>[^<]*<a href="__CONTACT_HREF__">.*?<\/p>/g,
      (link) => `<!--contact-->${link}<!--/contact-->`,
    )
    .replaceAll(
      /<a href="__STATUS_URL__".*?<\/a>/g,
      (link) => `<!--status-page-->${link}<!--/status-page-->`,
    );
}

function region(html: string, name: string, content: RegExp): string {
  const marked = html.replace(content, (found) => `<!--${name}-->${found}<!--/${name}-->`);
  if (marked === html) throw new Error(`The page has no place for ${name}.`);
  return marked;
}
