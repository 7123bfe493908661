import { retainedDraftsKey } from '#features/session/contract/session.ts';
import { base64Of } from '#features/feedback/web/picture.ts';
import { createReportStore } from '#features/feedback/web/report-store.ts';
import type { Draft } from '#features/feedback/web/draft.ts';
import type { Feedback } from '#features/feedback/web/feedback.ts';
import {
  type RetainedDraft,
  type RetainedDraftStore,
  type RetainedReport,
  openRetainedDraftStore,
  removeDraftsOf,
} from '#features/session/web/sign-out/retained-drafts.ts';
import { retainedDraftsDays, type Opened } from '#features/session/web/sign-out/signing-out.ts';
import { newEventId } from '../../platform/calls/event-id.ts';
import { type DraftsDependencies, retainedDraftsPrefix } from './sign-out.ts';

const dayMs = 24 * 3_600_000;

/**
 * Drafts that stay on this device after a sign-out: stored, listed, and restored to the form in which they
 * were typed.
 */
export function createRetainedDrafts({
  api,
  clock,
  person,
  session,
  storedWork,
  reportBug,
  shared,
  page,
  newId,
  retained,
  ask,
  hasReport,
}: DraftsDependencies) {
  const personId = (): string => person.get() ?? '';

  async function openStore(): Promise<RetainedDraftStore> {
    const id = personId();
    const { key } = await api.call(retainedDraftsKey, {});
    return openRetainedDraftStore(id, key);
  }

  async function replace(
    store: RetainedDraftStore,
    drafts: readonly RetainedDraft[],
    until: number,
  ): Promise<void> {
    const id = personId();
    await store.write(drafts);
    const now = drafts.length === 0 ? null : { count: drafts.length, until };
    shared.write(retainedDraftsPrefix + id, now === null ? null : `${now.count} ${now.until}`);
    retained.set(now);
  }

  const newUntil = (): number => clock.now() + retainedDraftsDays * dayMs;

  async function reports(what: string): Promise<RetainedDraft[]> {
    const contents = await retainedReportsOf(personId(), reportBug.feedback.get());
    return contents.map((content) => ({ id: newId(), what, address: '/', content }));
  }

  async function remove(draft: RetainedDraft): Promise<readonly RetainedDraft[]> {
    const store = await openStore();
    const left = (await store.read()).filter(({ id }) => id !== draft.id);
    await replace(store, left, retained.get()?.until ?? newUntil());
    return left;
  }

  async function open(draft: RetainedDraft): Promise<Opened> {
    const { content } = draft;
    if (content.kind === 'report') {
      if (await hasReport()) return 'in-the-way';
      await restoreReport(personId(), content);
      await remove(draft);
      reportBug.openAfterReload();
      page.reload();
      return 'opened';
    }
    if (storedWork.find(content.name) !== undefined) return 'in-the-way';
    storedWork.write(content.name, JSON.stringify(content.work));
    storedWork.flush();
    await remove(draft);
    const [address = '/'] = draft.address.split('#');
    if (page.address().split('#')[0] === address) page.reload();
    else page.go(address);
    return 'opened';
  }

  return {
    async retain(reportWhat: string): Promise<void> {
      const store = await openStore();
      const { here, others } = await ask();
      const works = [...here, ...others.flatMap(({ places }) => places)].flatMap(
        ({ what, work }): RetainedDraft[] =>
          work === null
            ? []
            : [
                {
                  id: newId(),
                  what,
                  address: work.address,
                  content: { kind: 'form', name: work.name, work: work.work },
                },
              ],
      );
      await replace(store, [...(await store.read()), ...works, ...(await reports(reportWhat))], newUntil());
      await session.signOut(others.map(({ tab }) => tab));
    },
    read: async () => (await openStore()).read(),
    remove,
    open,
    /** Removes expired drafts. */
    async removeExpired(key: string): Promise<void> {
      await removeDraftsOf(key.slice(retainedDraftsPrefix.length));
      shared.write(key, null);
    },
  };
}

type Sealed = Omit<Draft, 'picture'> & {
  picture: { filename: string; width: number; height: number } | null;
};

/** The report that is being written and the reports that wait to be sent, as they are stored beyond a sign-out. */
async function retainedReportsOf(person: string, feedback: Feedback | null): Promise<RetainedReport[]> {
  const here = feedback?.state.get();
  const stored = await createReportStore(newEventId).read(person);
  // What was just typed may not be in the database yet.
  const isTyped = here !== undefined && (here.draft.message.trim() !== '' || here.draft.picture !== null);
  const draft = isTyped ? here.draft : stored.draft;
  const waiting = [...stored.waiting, ...(here?.waiting ?? [])].map((report) => report.draft);
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

/** Writes the report to the store from which the report dialog reads its draft. */
async function restoreReport(person: string, report: RetainedReport): Promise<void> {
  const { picture: about, ...words } = report.draft as Sealed;
  const bytes = Uint8Array.from(atob(report.picture ?? ''), (letter) => letter.charCodeAt(0));
  const picture =
    about === null || report.picture === null
      ? null
      : { ...about, blob: new Blob([bytes], { type: 'image/png' }) };
  await createReportStore(newEventId).edit(person, { ...words, picture });
}
