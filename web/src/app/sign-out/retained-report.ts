import { base64Of } from '#features/feedback/web/base64.ts';
import { createDraftStore } from '#features/feedback/web/draft-store.ts';
import type { Draft } from '#features/feedback/web/draft.ts';
import type { Feedback } from '#features/feedback/web/feedback.ts';
import type { RetainedReport } from '#features/session/web/sign-out/retained-drafts.ts';
import { newEventId } from '../../platform/calls/event-id.ts';

type Sealed = Omit<Draft, 'picture'> & {
  picture: { filename: string; width: number; height: number } | null;
};

/** The report in the form and those that wait to be sent, as they are stored beyond a sign-out. */
export async function retainedReportsOf(
  person: string,
  feedback: Feedback | null,
): Promise<RetainedReport[]> {
  const here = feedback?.state.get();
  const stored = createDraftStore(newEventId);
  // What was just typed may not be in the database yet.
  const isTyped = here !== undefined && (here.draft.message.trim() !== '' || here.draft.picture !== null);
  const draft = isTyped ? here.draft : await stored.read(person);
  const waiting = [...(await stored.readWaiting(person)), ...(here?.waiting ?? [])].map(
    (report) => report.draft,
  );
  const drafts = new Map([...waiting, ...(draft === null ? [] : [draft])].map((one) => [one.eventId, one]));
  return Promise.all([...drafts.values()].map(sealedFormOf));
}

async function sealedFormOf({ picture, ...words }: Draft): Promise<RetainedReport> {
  if (picture === null)
    return { kind: 'report', draft: { ...words, picture } satisfies Sealed, picture: null };
  const { blob, ...about } = picture;
  return {
    kind: 'report',
    draft: { ...words, picture: about } satisfies Sealed,
    picture: await base64Of(blob),
  };
}

/** Writes it to where the report dialog reads its draft. */
export async function restoreReport(person: string, report: RetainedReport): Promise<void> {
  const { picture: about, ...words } = report.draft as Sealed;
  const bytes = Uint8Array.from(atob(report.picture ?? ''), (letter) => letter.charCodeAt(0));
  const picture =
    about === null || report.picture === null
      ? null
      : { ...about, blob: new Blob([bytes], { type: 'image/png' }) };
  await createDraftStore(newEventId).write(person, { ...words, picture });
}
