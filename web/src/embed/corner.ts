import '../ui/button.css';
import '../ui/spinner.css';
import './corner.css';
import type { ReportBug } from '../app/report-bug/report-bug.ts';
import { createStore, derive, type Readable, watch } from '../platform/state/store.ts';
import { buttonMarkup, elementOf, linesMarkup, type Markup } from './corner-markup.ts';
import type { EmbedTexts } from './texts.ts';

type CornerParts = {
  reportBug: ReportBug;
  texts: EmbedTexts;
  /** Whether the button is shown. */
  shown: Readable<boolean>;
  open: () => Promise<void>;
};

/** Creates the button in the corner of the page, and the empty element after it for the form. */
export function createCorner({ reportBug, texts, shown, open }: CornerParts) {
  const state = createStore({ busy: false, failed: false });
  const corner = document.createElement('div');
  const lines = document.createElement('div');
  const button = document.createElement('button');
  const behind = document.createElement('div');
  corner.className = 'report-corner';
  behind.className = 'part';
  corner.append(lines, behind);

  async function press(): Promise<void> {
    if (state.get().busy) return;
    state.set({ busy: true, failed: false });
    const failed = await open().then(
      () => false,
      () => true,
    );
    state.set({ busy: false, failed });
  }
  button.addEventListener('click', () => void press());

  const look = derive(
    [state, texts.translation, reportBug.waiting],
    ({ busy, failed }, { t }, { sending, refused }) => ({
      busy,
      label: t('SHELL.REPORT_BUG.TRIGGER'),
      waiting: sending === 0 ? '' : t('SHELL.REPORT_BUG.WAITING', { count: sending }),
      refused: refused === 0 ? '' : t('SHELL.REPORT_BUG.REFUSED', { count: refused }),
      failed: failed ? `${t('SHELL.REPORT_BUG.FAILED.TITLE')}. ${t('SHELL.REPORT_BUG.FAILED.CONTENT')}` : '',
    }),
  );
  draws(lines, derive([look], linesMarkup));
  draws(button, derive([look], buttonMarkup));
  watch(
    derive([reportBug.view, shown], (view, isShown) => isShown && view !== 'thanks'),
    (isShown) => (isShown ? behind.before(button) : button.remove()),
  );
  return {
    corner,
    behind,
    button,
    /** Called when the form has failed and was removed. */
    failed: () => state.set({ busy: false, failed: true }),
  };
}

/** Draws the markup when it has changed: a line that is replaced by an equal one would be announced again. */
function draws(element: Element, markup: Readable<Markup>): void {
  let drawn = '';
  watch(markup, (now) => {
    const next = JSON.stringify(now);
    if (next !== drawn) elementOf(now, false, element);
    drawn = next;
  });
}
