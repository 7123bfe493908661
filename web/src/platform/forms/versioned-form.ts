import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { isProblem, ProblemError } from '../calls/problem-error.ts';
import { readFields, useFoundWork, useStoreWork } from './stored-work.ts';
import { type Leaving, useUnsavedWork } from './unsaved-work.ts';

/** What the server has of a thing: its fields as a form shows them. A thing that is not there yet has no version. */
export type Saved<Values> = { readonly values: Values; readonly version?: number };

/** What stands in a form, and what it was typed over. */
export type Edit<Values> = {
  readonly version: number | undefined;
  readonly before: Values;
  readonly form: Values;
};

/** A form in which nothing is typed yet. */
export function editOf<Values>({ values, version }: Saved<Values>): Edit<Values> {
  return { version, before: values, form: values };
}

/** What is stored of an edit: of a thing that is not there yet what is typed alone. */
export function storedEdit<Values extends object>(edit: Edit<Values>): object {
  return edit.version === undefined ? edit.form : edit;
}

/**
 * What was stored of an edit, perhaps by another release.
 *
 * @param now the form as it would be without it
 * @param read checks what the types of the fields do not cover; null: it cannot be used
 */
export function readEdit<Values extends object>(
  stored: unknown,
  now: Edit<Values>,
  read: (values: Values) => Values | null = (values) => values,
): Edit<Values> | null {
  const readValues = (values: unknown) => {
    const fields = readFields(now.before, values);
    return fields === null ? null : read(fields);
  };
  if (now.version === undefined) {
    const form = readValues(stored);
    return form === null ? null : { ...now, form };
  }
  const edit = readFields({ version: 0, before: {}, form: {} }, stored);
  const [before, form] = [readValues(edit?.before), readValues(edit?.form)];
  return edit === null || before === null || form === null ? null : { version: edit.version, before, form };
}

/** Whether two values are the same as JSON; fields stand in the same order in both. */
export function sameJson(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The fields that hold something else than what was sent; none where nothing was. */
function editedSince<Values extends object>(sent: Values | undefined, now: Values): string[] {
  if (sent === undefined) return [];
  return Object.entries(now)
    .filter(([field, value]) => sent[field as keyof Values] !== value)
    .map(([field]) => field);
}

export type FormOptions<Values extends object, Result, Extra> = {
  /** What the server has now, as far as this page knows; of something new: the form as it begins. */
  saved: Saved<Values>;
  /** The name under which what is typed outlives the page (`stored-work.ts`). Left out: it does not. Never for a secret. */
  storedAs?: string;
  /** Checks stored values beyond the types of their fields; null: they are none of this release. */
  readStored?: (values: Values) => Values | null;
  /** Whether two forms hold the same; left out: as JSON. */
  same?: (one: Values, other: Values) => boolean;
  leaving?: Leaving;
  /** Sends it, against the version that it was typed over. `extra` is what `save` of the form was called with. */
  save: (values: Values, version: number, extra: Extra) => Promise<Result>;
  /** It is saved; what is typed is forgotten already. */
  onSaved?: (result: Result, sent: Values) => unknown;
  /** What the form goes on with once it is saved, where it stays. */
  next?: (result: Result) => Saved<Values>;
  /** The form shows what is saved by now while nothing is typed, and after a conflict in place of what is typed. Left out: it does not. */
  follows?: boolean;
  /** It is not saved, and what `reload` names was read again where it has to be. */
  onRefused?: (error: Error) => void;
  /** What shows the state that the form was opened on: read again when the server answers that it is another by now (404, 409). */
  reload?: QueryKey;
};

/**
 * A form that is guarded while something typed in it is not saved, restored after a reload, and saved against the version that it was
 * opened on. When another person has saved meanwhile (`VERSION_CONFLICT`), what is typed stays: `conflict` is set once the newer state
 * is known, and the person takes that or keeps their own.
 *
 *     const form = useVersionedForm({
 *       saved: { values: draftOf(webhook), version: webhook.version },
 *       storedAs: `webhook:${webhook.id}`,
 *       save: (values, version) => api.call(changeWebhook, { params, body: { ...values, version } }),
 *       onSaved: onClose,
 *       reload: webhooksKey,
 *     });
 *     const problems = problemsOf(t, form.error, webhookWords);
 *     <FormDialog form={form} problem={problems.general} …>
 */
export function useVersionedForm<Values extends object, Result, Extra = void>({
  saved,
  storedAs,
  readStored,
  same = sameJson,
  leaving,
  save,
  onSaved,
  next,
  follows = false,
  onRefused,
  reload,
}: FormOptions<Values, Result, Extra>) {
  const queries = useQueryClient();
  const work = useFoundWork(storedAs, (stored) => readEdit(stored, editOf(saved), readStored));
  const [edit, setEdit] = useState(() => work.found ?? editOf(saved));
  const [restored, setRestored] = useState(work.found !== null);
  const mutation = useMutation({
    mutationFn: ({ sent: { form, version = 0 }, extra }: { sent: Edit<Values>; extra: Extra }) =>
      save(form, version, extra),
    async onSuccess(result, { sent }) {
      // Before the form goes: one that just goes leaves its work stored.
      work.forget();
      setEdit((now) => (next === undefined ? { ...now, before: sent.form } : editOf(next(result))));
      await onSaved?.(result, sent.form);
    },
    async onError(error) {
      const outdated = error instanceof ProblemError && (error.status === 404 || error.status === 409);
      if (outdated && reload !== undefined) await queries.invalidateQueries({ queryKey: reload });
      onRefused?.(error);
    },
  });
  const typed = !same(edit.form, edit.before);
  const conflict = isProblem(mutation.error, 'VERSION_CONFLICT') && saved.version !== edit.version;
  if (follows && saved.version !== edit.version) {
    if (conflict || !typed) setEdit(editOf(saved));
    // The newer version differs in nothing that stands here.
    else if (same(saved.values, edit.before)) setEdit({ ...edit, version: saved.version });
  }
  useUnsavedWork(typed, { ...leaving, onDiscard: work.forget });
  useStoreWork(storedAs, typed ? storedEdit(edit) : null);

  function takeTheirs(): void {
    setRestored(false);
    setEdit(editOf(saved));
    mutation.reset();
  }

  return {
    values: edit.form,
    /** Changes some fields. */
    set: (change: Partial<Values>) => setEdit((now) => ({ ...now, form: { ...now.form, ...change } })),
    /** Whether something stands there that is not saved. */
    typed,
    /** Throws away what was typed before the page was loaded; null: nothing was. */
    restored: restored ? takeTheirs : null,
    save(extra: Extra): void {
      if (!mutation.isPending) mutation.mutate({ sent: edit, extra });
    },
    busy: mutation.isPending,
    /** Why the last save failed; null: it did not, or there was none. */
    error: mutation.error,
    /** What the last save was answered with. */
    result: mutation.data,
    /** Fields that hold something else than what was sent last. */
    edited: editedSince(mutation.variables?.sent.form, edit.form),
    /** Another person has saved it meanwhile, and what they saved is known here. */
    conflict,
    /** Goes back to what is saved. */
    takeTheirs,
    /** Goes on with what is typed; the next save is against the newer version. */
    keepMine(): void {
      setEdit((now) => ({ ...now, version: saved.version }));
      mutation.reset();
    },
    /** Forgets why the last save failed. */
    reset: mutation.reset,
    /** The form goes, and what is typed with it. */
    forget: work.forget,
  };
}
