import { keptDraftsKey } from '@portico/contract/session/kept-drafts';
import {
  type DraftVault,
  type KeptDraft,
  openDraftVault,
  removeDraftsOf,
} from '../../features/session/sign-out/kept-drafts.ts';
import { keptDraftsDays, type Opened } from '../../features/session/sign-out/signing-out.ts';
import { keptReportsOf, restoreReport } from './kept-report.ts';
import { type DraftsDependencies, keptDraftsPrefix } from './sign-out-dependencies.ts';

const dayMs = 24 * 3_600_000;

/** Drafts that outlive a sign-out: stored, listed, and restored to where they were typed. */
export function createKeptDrafts({
  api,
  clock,
  person,
  session,
  storedWork,
  reportBug,
  shared,
  page,
  newId,
  keptDrafts,
  ask,
  hasReport,
}: DraftsDependencies) {
  const personId = (): string => person.get() ?? '';

  async function vault(): Promise<DraftVault> {
    const id = personId();
    const { key } = await api.call(keptDraftsKey, {});
    return openDraftVault(id, key);
  }

  async function replace(within: DraftVault, drafts: readonly KeptDraft[], until: number): Promise<void> {
    const id = personId();
    await within.write(drafts);
    const now = drafts.length === 0 ? null : { count: drafts.length, until };
    shared.write(keptDraftsPrefix + id, now === null ? null : `${now.count} ${now.until}`);
    keptDrafts.set(now);
  }

  const newUntil = (): number => clock.now() + keptDraftsDays * dayMs;

  async function reports(what: string): Promise<KeptDraft[]> {
    const contents = await keptReportsOf(personId(), reportBug.feedback.get());
    return contents.map((content) => ({ id: newId(), what, address: '/', content }));
  }

  async function remove(draft: KeptDraft): Promise<readonly KeptDraft[]> {
    const within = await vault();
    const left = (await within.read()).filter(({ id }) => id !== draft.id);
    await replace(within, left, keptDrafts.get()?.until ?? newUntil());
    return left;
  }

  async function open(draft: KeptDraft): Promise<Opened> {
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
    storedWork.keep(content.name, JSON.stringify(content.work));
    storedWork.flush();
    await remove(draft);
    const [address = '/'] = draft.address.split('#');
    if (page.address().split('#')[0] === address) page.reload();
    else page.go(address);
    return 'opened';
  }

  return {
    async keep(reportWhat: string): Promise<void> {
      const within = await vault();
      const { here, others } = await ask();
      const works = [...here, ...others.flatMap(({ places }) => places)].flatMap(
        ({ what, work }): KeptDraft[] =>
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
      await replace(within, [...(await within.read()), ...works, ...(await reports(reportWhat))], newUntil());
      await session.signOut(others.map(({ tab }) => tab));
    },
    read: async () => (await vault()).read(),
    remove,
    open,
    /** Removes expired drafts. */
    async forget(key: string): Promise<void> {
      await removeDraftsOf(key.slice(keptDraftsPrefix.length));
      shared.write(key, null);
    },
  };
}
