import { getReportForm } from '#features/feedback/contract/feedback.ts';
import type { Api } from '#web/platform/calls/call.ts';
import type { ErrorRecord } from '#web/platform/record-error.ts';
import { createStore, type Readable } from '#web/platform/state/store.ts';
import type { DraftField } from './draft.ts';

export type RequiredFields = ReturnType<typeof createRequiredFields>;

type Required = { readonly name: boolean; readonly email: boolean };

export type RequiredFieldsDependencies = {
  api: Pick<Api, 'call'>;
  errors: Pick<ErrorRecord, 'record'>;
  live: {
    /** The setting has changed. */
    onReportForm(listener: () => void): () => void;
  };
};

/** What the installation asks for besides the description (BUG-2); it may change while a person writes. */
export function createRequiredFields({ api, errors, live }: RequiredFieldsDependencies) {
  const required = createStore<Required>(
    { name: false, email: false },
    (one, other) => one.name === other.name && one.email === other.email,
  );
  let asked = 0;

  /** Loads the setting again; if that fails, the known one stays. */
  async function refresh(): Promise<void> {
    asked += 1;
    const own = asked;
    try {
      const { nameRequired: name, emailRequired: email } = await api.call(getReportForm, {});
      // Of two answers the one that was asked for later is newer.
      if (own === asked) required.set({ name, email });
    } catch (error) {
      errors.record('feedback.form', error);
    }
  }

  live.onReportForm(() => void refresh());

  return {
    required: required as Readable<Required>,
    refresh,
    /** The server has refused a report without these fields. */
    refusedWithout(fields: readonly DraftField[]): void {
      const { name, email } = required.get();
      required.set({ name: name || fields.includes('name'), email: email || fields.includes('email') });
      void refresh();
    },
  };
}
