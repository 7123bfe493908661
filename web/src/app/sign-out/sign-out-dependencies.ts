import type { Session } from '#features/session/web/session.ts';
import type { TabWorkDependencies, UnsavedWork } from '#features/session/web/sign-out/tab-work.ts';
import type { Api } from '../../platform/calls/call.ts';
import type { StoredWork } from '../../platform/forms/stored-work.ts';
import type { Store } from '../../platform/state/store.ts';
import type { TabMemory } from '../../platform/tabs/tab-memory.ts';
import type { ReportBug } from '../report-bug/report-bug.ts';

export type SignOutDependencies = Omit<TabWorkDependencies, 'places'> & {
  api: Pick<Api, 'call'>;
  session: Session;
  storedWork: StoredWork;
  reportBug: ReportBug;
  /**
   * Storage shared by the tabs of this browser: how many drafts were stored for whom, never their content.
   */
  shared: TabMemory & { keys(): readonly string[] };
  page: { go(address: string): void; reload(): void; address(): string };
};

/** Given to the part for stored drafts, which is downloaded when it is needed. */
export type DraftsDependencies = SignOutDependencies & {
  retained: Store<RetainedDraftsCount | null>;
  ask(): Promise<UnsavedWork>;
  hasReport(): Promise<boolean>;
};

export type RetainedDraftsCount = { readonly count: number; readonly until: number };

export const retainedDraftsPrefix = 'portico.kept-drafts.';
