import texts from 'virtual:texts/COMMON.CANCEL+COMMON.CLOSE+COMMON.ERRORS+COMMON.REQUIRED+FEEDBACK+RECORD';
import 'virtual:portico-icons/late';
import 'preact/compat';
import { Component, type ReactNode, type RefObject, useMemo } from 'react';
import { partsOfPage } from '#features/feedback/web/report-store.ts';
import { createFeedback, type Feedback, type FeedbackOptions } from '#features/feedback/web/feedback.ts';
import type { FeedbackMessage } from '#features/feedback/web/report-place.ts';
import { ReportDialog } from '#features/feedback/web/report-dialog.tsx';
import { createRequiredFields } from '#features/feedback/web/required-fields.ts';
import { type PageFacts, readSurroundings } from '#features/feedback/web/surroundings.ts';
import { Thanks } from '#features/feedback/web/thanks.tsx';
import { createFormats, ownTimeZone, regionalLocale } from '../platform/i18n/formats.ts';
import type { Broadcast } from '../platform/tabs/broadcast.ts';
import type { EmbedPage } from './page.ts';
import { drawPart, type PartPlace, useTranslation } from './draw-part.tsx';
import type { LoadTexts } from './texts.ts';
import { ProvideFormats } from '../platform/contexts.tsx';

/*
 * Loaded when a report is written or waits to be sent: the state of reports, the form, and its texts.
 */

/** The texts of the form in one language. */
export const loadDialogTexts: LoadTexts = (language) => texts[language]();

type Parts = {
  page: EmbedPage;
  forgets: () => boolean;
  facts: () => PageFacts;
  options: FeedbackOptions;
  broadcast: Broadcast<FeedbackMessage>;
};

export function startFeedback({ page, facts, forgets, options, broadcast }: Parts): Feedback {
  const { person } = page.session;
  return createFeedback({
    ...page,
    person,
    forgets,
    options,
    broadcast,
    locks: 'locks' in navigator ? navigator.locks : undefined,
    form: createRequiredFields({ ...page, live: { onReportForm: page.reportForm.subscribe } }),
    ...partsOfPage(page.user),
    surroundings: () => readSurroundings(window, page.clock.now(), facts()),
  });
}

type LazyDialogProps = { feedback: Feedback; trigger: RefObject<HTMLButtonElement | null> };

/** Draws the form into the element after the button, and removes it when it fails. */
export function drawDialog(
  place: PartPlace,
  { feedback, trigger }: LazyDialogProps,
  onFailed: () => void,
): void {
  const onError = () => {
    feedback.close();
    onFailed();
  };
  drawPart(
    place,
    <Guarded onError={onError}>
      <LazyDialog feedback={feedback} trigger={trigger} />
    </Guarded>,
  );
}

type GuardedProps = { onError: () => void; children: ReactNode };

class Guarded extends Component<GuardedProps, { failed: boolean }> {
  override state = { failed: false };
  static getDerivedStateFromError = () => ({ failed: true });
  override componentDidCatch(): void {
    this.props.onError();
  }
  override render(): ReactNode {
    return this.state.failed ? null : this.props.children;
  }
}

/** The form, and the thanks after a report was sent, in the language of the person. */
function LazyDialog({ feedback, trigger }: LazyDialogProps) {
  const { language } = useTranslation().i18n;
  const formats = useMemo(
    () => createFormats(regionalLocale(language, navigator.languages), ownTimeZone()),
    [language],
  );
  return (
    <ProvideFormats value={formats}>
      <Thanks feedback={feedback} trigger={trigger} />
      <ReportDialog feedback={feedback} />
    </ProvideFormats>
  );
}
