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
    /** Calls the listener when the setting has changed. */
    onReportForm(listener: () => void): () => void;
  };
};

/** The fields required besides the description (BUG-2); they may change while a person writes. */
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
      // Only the answer to the latest request is current.
      if (own === asked) required.set({ name, email });
    } catch (error) {
      errors.record('feedback.form', error);
    }
  }

  live.onReportForm(() => void refresh());

  return {
    required: required as Readable<Required>,
    refresh,
    /** Marks fields as required, since the server has refused a report without them. */
    refusedWithout(fields: readonly DraftField[]): void {
      const { name, email } = required.get();
      required.set({ name: name || fields.includes('name'), email: email || fields.includes('email') });
      void refresh();
    },
  };
}
