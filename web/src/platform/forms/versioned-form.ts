import { idempotencyHeader } from '#contract/route.ts';
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { newEventId } from '../calls/event-id.ts';
import { isProblem, ProblemError } from '../calls/problem-error.ts';
import { readFields, useFoundWork, useStoreWork } from './stored-work.ts';
import { type Leaving, useUnsavedWork } from './unsaved-work.ts';

/** The server's state of a thing: its fields as a form shows them. A new thing has no version. */
export type Saved<Values> = { readonly values: Values; readonly version?: number };

/** The content of a form (`form`), and the saved state on which it is based (`before`, `version`). */
export type Edit<Values> = {
  readonly version: number | undefined;
  readonly before: Values;
  readonly form: Values;
  /** The id under which the server creates the thing, at each try and after a reload the same (API-3). */
  readonly creation: string;
};

/** The options of a call that creates a thing; equal at each try, so that only one thing is created (API-3). */
export type Creation = { readonly headers: Record<string, string> };

export function creationUnder(id: string): Creation {
  return { headers: { [idempotencyHeader]: id } };
}

/** A form without edits. */
export function editOf<Values>({ values, version }: Saved<Values>): Edit<Values> {
  return { version, before: values, form: values, creation: newEventId() };
}

/** A form after it was saved as `sent`. What was typed since stays. `saved`: the new state, if the form takes it over. */
export function afterSaving<Values>(
  now: Edit<Values>,
  sent: Values,
  saved: Saved<Values> | undefined,
  same: (one: Values, other: Values) => boolean,
): Edit<Values> {
  if (saved === undefined) return { ...now, before: sent, creation: newEventId() };
  const next = editOf(saved);
  return same(now.form, sent) ? next : { ...next, form: now.form };
}

/** Returns what is stored of an edit; for a new thing only the typed fields and the id of the creation. */
export function storedEdit<Values extends object>({ creation, ...edit }: Edit<Values>): object {
  return { ...(edit.version === undefined ? edit.form : edit), creation };
}

/**
 * Reads a stored edit, perhaps written by another release.
 *
 * @param now the form without the stored edit
 * @param read checks what the types of the fields do not cover; returns null if the values cannot be used
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
  const { creation = now.creation, ...rest } = { ...(stored as { creation?: string } | null) };
  if (now.version === undefined) {
    const form = readValues(rest);
    return form === null ? null : { ...now, form, creation };
  }
  const edit = readFields({ version: 0, before: {}, form: {} }, rest);
  const [before, form] = [readValues(edit?.before), readValues(edit?.form)];
  return edit === null || before === null || form === null
    ? null
    : { version: edit.version, before, form, creation };
}

/** Whether two values are the same as JSON; their fields have to be in the same order. */
export function sameJson(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The fields that were changed since they were sent; none if nothing was sent. */
function editedSince<Values extends object>(sent: Values | undefined, now: Values): string[] {
  if (sent === undefined) return [];
  return Object.entries(now)
    .filter(([field, value]) => sent[field as keyof Values] !== value)
    .map(([field]) => field);
}

/** Saves again what was there before; null for a new thing, or where the answer names no version. */
export type Undo<Extra> = ((extra: Extra) => Promise<void>) | null;

const versionOf = (result: unknown): number | undefined =>
  (result as { version?: number } | null | undefined)?.version;

export type FormOptions<Values extends object, Result, Extra> = {
  /** The server's state, as far as this page knows; for a new thing the initial form. */
  saved: Saved<Values>;
  /**
   * The name under which edits are stored beyond the page (`stored-work.ts`). Left out: they are not. Never
   * for a secret.
   */
  storedAs?: string;
  /** Checks stored values beyond the types of their fields; null: they cannot be used. */
  readStored?: (values: Values) => Values | null;
  /** Whether two forms are the same; left out: as JSON. */
  same?: (one: Values, other: Values) => boolean;
  leaving?: Leaving;
  /**
   * Sends the form with the version on which it is based. `extra` is the argument of the form's `save`; `creation`
   * is for a route that creates a thing.
   */
  save: (values: Values, version: number, extra: Extra, creation: Creation) => Promise<Result>;
  /** The queries that show the thing: reloaded after saving, before `onSaved`; also the default of `reload`. */
  lists?: QueryKey;
  /** Called after saving; the stored edits are removed already. */
  onSaved?: (result: Result, sent: Values, undo: Undo<Extra>) => unknown;
  /** Returns the saved state after saving, for a form that stays open. */
  next?: (result: Result) => Saved<Values>;
  /**
   * Whether the form takes over a newer `saved` by itself. true: while nothing is typed, and after a conflict,
   * where it replaces what is typed; `untyped`: only while nothing is typed. Left out: the form keeps the state
   * with which it was opened.
   */
  follows?: boolean | 'untyped';
  /** Called when saving failed, after `reload` if that was necessary. */
  onRefused?: (error: Error) => void;
  /**
   * The query of the state with which the form was opened: reloaded when the server answers that the state has
   * changed (404, 409).
   */
  reload?: QueryKey;
  /** Whether another person has removed the thing, so that it cannot be saved any more. */
  gone?: boolean;
};

/**
 * A form that asks before unsaved edits are lost, restores them after a reload, and saves against the version with
 * which it was opened. When another person has saved first (`VERSION_CONFLICT`), what is typed stays: `conflict` is
 * set once the newer state is known, and the person takes the newer state or keeps their own.
 *
 *     const form = useVersionedForm({
 *       saved: { values: draftOf(webhook), version: webhook.version },
 *       storedAs: `webhook:${webhook.id}`,
 *       save: (values, version) => api.call(changeWebhook, { params, body: { ...values, version } }),
 *       lists: webhooksKey,
 *       onSaved: onClose,
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
  lists,
  onSaved,
  next,
  follows = false,
  onRefused,
  reload = lists,
  gone: removed = false,
}: FormOptions<Values, Result, Extra>) {
  const queries = useQueryClient();
  const work = useFoundWork(storedAs, (stored) => readEdit(stored, editOf(saved), readStored));
  const [edit, setEdit] = useState(() => work.found ?? editOf(saved));
  const [restored, setRestored] = useState(work.found !== null);
  const mutation = useMutation({
    mutationFn: ({ sent, extra }: { sent: Edit<Values>; extra: Extra }) =>
      save(sent.form, sent.version ?? 0, extra, creationUnder(sent.creation)),
    async onSuccess(result, { sent }) {
      // Called before the form unmounts: a form that unmounts without this leaves its work stored.
      work.forget();
      setEdit((now) => afterSaving(now, sent.form, next?.(result), same));
      if (lists !== undefined) await queries.invalidateQueries({ queryKey: lists });
      await onSaved?.(result, sent.form, undoOf(result, sent));
    },
    async onError(error) {
      const outdated = error instanceof ProblemError && (error.status === 404 || error.status === 409);
      if (outdated && reload !== undefined) await queries.invalidateQueries({ queryKey: reload });
      // The person now knows that the thing was already created, so the next save creates another one.
      if (isProblem(error, 'IDEMPOTENCY_KEY_USED')) setEdit((now) => ({ ...now, creation: newEventId() }));
      onRefused?.(error);
    },
  });
  function undoOf(result: Result, { version, before }: Edit<Values>): Undo<Extra> {
    const current = versionOf(result);
    if (version === undefined || current === undefined) return null;
    return async (extra) => {
      try {
        await save(before, current, extra, creationUnder(newEventId()));
      } finally {
        if (reload !== undefined) await queries.invalidateQueries({ queryKey: reload });
      }
    };
  }
  // One save at a time: a second press may come before the first one is rendered as pending.
  const saving = useRef(false);
  const { isPending, submittedAt } = mutation;
  useEffect(() => {
    if (!isPending && submittedAt >= 0) saving.current = false;
  }, [isPending, submittedAt]);
  const typed = !same(edit.form, edit.before);
  const gone = removed || (saved.version !== undefined && isProblem(mutation.error, 'NOT_FOUND'));
  const conflict = isProblem(mutation.error, 'VERSION_CONFLICT') && saved.version !== edit.version;
  // Right after a save `saved` is still the older version, until it is loaded again.
  const outdated = (saved.version ?? 0) > (edit.version ?? 0);
  // Another person has saved what is typed here: there is nothing to choose, and nothing left to save.
  if (outdated && typed && same(saved.values, edit.form)) setEdit(editOf(saved));
  if (follows === true ? saved.version !== edit.version : follows === 'untyped' && outdated) {
    if ((conflict && follows === true) || !typed) setEdit(editOf(saved));
    // The newer version differs in no field of this form.
    else if (same(saved.values, edit.before)) setEdit({ ...edit, version: saved.version });
  }
  useUnsavedWork(typed, { ...leaving, onDiscard: work.forget });
  useStoreWork(storedAs, typed ? storedEdit(edit) : null);

  const setField = <Name extends keyof Values>(name: Name, value: Values[Name]) =>
    setEdit((now) => ({ ...now, form: { ...now.form, [name]: value } }));

  function takeTheirs(): void {
    setRestored(false);
    setEdit(editOf(saved));
    mutation.reset();
  }

  return {
    values: edit.form,
    /** Changes some fields. */
    set: (change: Partial<Values>) => setEdit((now) => ({ ...now, form: { ...now.form, ...change } })),
    /** The props for the control of a field. */
    field: <Name extends keyof Values>(name: Name) => ({
      value: edit.form[name],
      onValue: (value: Values[Name]) => setField(name, value),
    }),
    /** The props for the checkbox of a boolean field. */
    check: <Name extends keyof Values>(name: Name) => ({
      checked: edit.form[name],
      onChecked: (checked: Values[Name]) => setField(name, checked),
    }),
    /** Whether something unsaved is typed. */
    typed,
    /** Discards the edits that were restored when the form opened, such as after a reload; null: none were. */
    restored: restored ? takeTheirs : null,
    save(extra: Extra): void {
      if (saving.current || gone) return;
      saving.current = true;
      mutation.mutate({ sent: edit, extra });
    },
    busy: mutation.isPending,
    /** Why the last save failed; null: it did not, there was none, or another person has saved the same. */
    error: !typed && !conflict && isProblem(mutation.error, 'VERSION_CONFLICT') ? null : mutation.error,
    /** The answer of the last save. */
    result: mutation.data,
    /** Fields that were changed since they were sent. */
    edited: editedSince(mutation.variables?.sent.form, edit.form),
    /** Whether another person has removed the thing; what is typed stays, to be read and copied. */
    gone,
    /** Whether another person has saved the thing first, and `saved` is their version. */
    conflict,
    /** Whether `saved` is newer than the version on which the form is based. */
    outdated,
    /** Discards what is typed and shows `saved`: after a conflict, what the other person has saved. */
    takeTheirs,
    /** Keeps what is typed; the next save names the newer version and overwrites it. */
    keepMine(): void {
      setEdit((now) => ({ ...now, version: saved.version, before: saved.values }));
      mutation.reset();
    },
    /** Removes the error of the last save. */
    reset: mutation.reset,
    /** Removes the stored edits, when the form closes. */
    forget: work.forget,
  };
}
