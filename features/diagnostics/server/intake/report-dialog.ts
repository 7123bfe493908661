const texts = {
  en: {
    title: 'Something went wrong.',
    subtitle: 'Our team has been told.',
    subtitle2: 'If you want to help, say what happened.',
    labelName: 'Name',
    labelEmail: 'Email',
    labelComments: 'What happened?',
    labelClose: 'Close',
    labelSubmit: 'Send report',
    errorGeneric: 'The report was not sent. Please try again.',
    errorFormEntry: 'Please say what happened.',
    successMessage: 'Your report was sent. Thank you.',
  },
  de: {
    title: 'Etwas ist schiefgegangen.',
    subtitle: 'Unser Team weiß davon.',
    subtitle2: 'Wenn Sie helfen möchten, beschreiben Sie, was geschehen ist.',
    labelName: 'Name',
    labelEmail: 'E-Mail',
    labelComments: 'Was ist geschehen?',
    labelClose: 'Schließen',
    labelSubmit: 'Bericht senden',
    errorGeneric: 'Der Bericht wurde nicht gesendet. Bitte versuchen Sie es noch einmal.',
    errorFormEntry: 'Bitte beschreiben Sie, was geschehen ist.',
    successMessage: 'Ihr Bericht wurde gesendet. Vielen Dank.',
  },
  fr: {
    title: 'Un problème est survenu.',
    subtitle: 'Notre équipe en a été informée.',
    subtitle2: 'Si vous souhaitez nous aider, décrivez ce qui s’est passé.',
    labelName: 'Nom',
    labelEmail: 'E-mail',
    labelComments: 'Que s’est-il passé ?',
    labelClose: 'Fermer',
    labelSubmit: 'Envoyer le rapport',
    errorGeneric: 'Le rapport n’a pas été envoyé. Veuillez réessayer.',
    errorFormEntry: 'Veuillez décrire ce qui s’est passé.',
    successMessage: 'Votre rapport a été envoyé. Merci.',
  },
} as const;

const style = `
  :host { all: initial; }
  dialog { box-sizing: border-box; width: min(32rem, calc(100vw - 2rem)); padding: 1.5rem; border: 1px solid GrayText;
    border-radius: 8px; font: inherit; color: CanvasText; background: Canvas; }
  dialog::backdrop { background: rgb(0 0 0 / 50%); }
  h2 { margin: 0 0 0.5rem; font-size: 1.25em; }
  p { margin: 0 0 1rem; }
  label { display: block; margin-bottom: 1rem; }
  input, textarea { box-sizing: border-box; display: block; width: 100%; margin-top: 0.25rem; padding: 0.5rem; font: inherit; }
  textarea { min-height: 7rem; }
  button { min-height: 2.5rem; padding: 0 1rem; font: inherit; }
  footer { display: flex; flex-wrap: wrap; gap: 0.5rem; justify-content: flex-end; }`;

/**
 * The dialog of `Sentry.showReportDialog` as a script. It is the same for every page and reads its options from
 * its own address: no option becomes code, and every option is shown as text.
 */
export const reportDialogScript = `(() => {
  const texts = ${JSON.stringify(texts)};
  const address = new URL(document.currentScript.src);
  const given = address.searchParams;
  const wanted = [given.get('lang'), ...navigator.languages].map((tag) => (tag || '').slice(0, 2).toLowerCase());
  const language = wanted.find((tag) => Object.hasOwn(texts, tag)) || 'en';
  const text = (name) => given.get(name) || texts[language][name];
  const make = (tag, fields, ...children) => {
    const element = Object.assign(document.createElement(tag), fields);
    element.append(...children);
    return element;
  };

  const page = getComputedStyle(document.body || document.documentElement);
  const host = make('div', { lang: language });
  const root = host.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(${JSON.stringify(style)});
  root.adoptedStyleSheets = [sheet];
  const field = (tag, name, fields) => {
    const control = make(tag, { name, dir: 'auto', value: given.get(name) || '', ...fields });
    return make('label', {}, text('label' + name[0].toUpperCase() + name.slice(1)), control);
  };
  const problem = make('p', { role: 'alert' });
  const close = () => make('button', { type: 'button', textContent: text('labelClose'), onclick: () => dialog.close() });
  const submit = make('button', { textContent: text('labelSubmit') });
  const title = make('h2', { id: 'title', textContent: text('title') });
  const form = make(
    'form',
    { noValidate: true },
    title,
    make('p', {}, text('subtitle') + ' ' + text('subtitle2')),
    field('input', 'name', { autocomplete: 'name', maxLength: 200 }),
    field('input', 'email', { type: 'email', autocomplete: 'email', maxLength: 254 }),
    field('textarea', 'comments', { required: true, autofocus: true, maxLength: 4096 }),
    problem,
    make('footer', {}, close(), submit),
  );
  const dialog = make('dialog', {}, form);
  dialog.setAttribute('aria-labelledby', 'title');
  dialog.style.fontFamily = page.fontFamily;
  dialog.style.colorScheme = page.colorScheme;
  root.append(dialog);

  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const sent = new FormData(form);
    problem.textContent = '';
    if (sent.get('comments').trim() === '') {
      problem.textContent = text('errorFormEntry');
      form.elements.comments.focus();
      return;
    }
    submit.disabled = true;
    const query = new URLSearchParams({ dsn: given.get('dsn') || '', eventId: given.get('eventId') || '' });
    const answer = await fetch(address.origin + address.pathname + '?' + query, {
      method: 'POST',
      body: new URLSearchParams(sent),
      credentials: 'omit',
    }).catch(() => null);
    submit.disabled = false;
    if (answer === null || !answer.ok) {
      problem.textContent = text('errorGeneric');
      return;
    }
    const thanks = make('p', { role: 'status', id: 'title', tabIndex: -1 }, text('successMessage'));
    dialog.replaceChildren(thanks, make('footer', {}, close()));
    thanks.focus();
  });
  dialog.addEventListener('close', () => {
    host.remove();
    // The SDK waits for this message to call onClose.
    window.postMessage('__sentry_reportdialog_closed__', '*');
  });
  (document.body || document.documentElement).append(host);
  dialog.showModal();
})();
`;
