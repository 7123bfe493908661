import type { TFunction } from 'i18next';
import { type Notification, notify } from './notifications.ts';

/** Milliseconds: long enough to notice that the change was a mistake. */
const duration = 8_000;

type Undoable = Pick<Notification, 'title'> & {
  content?: string | undefined;
  /** The key of the notification; the notification about the undo replaces it. */
  key: string;
  /** Null: it cannot be undone. */
  undo: (() => Promise<unknown>) | null;
  /** Returns the text that says why the change could not be undone. */
  problem: (error: unknown) => string | undefined;
};

/** Notifies of a change, with a button that takes it back where that is possible (CON-7). */
export function notifyUndoable(t: TFunction, { title, content, key, undo, problem }: Undoable): void {
  const takeBack = (undo: () => Promise<unknown>) =>
    undo().then(
      () => notify({ kind: 'info', key, title: t('COMMON.UNDONE') }),
      (error: unknown) =>
        notify({ kind: 'error', key, title: t('COMMON.NOT_UNDONE'), content: problem(error) ?? '' }),
    );
  notify({
    kind: 'success',
    key,
    title,
    ...(content === undefined ? {} : { content }),
    ...(undo === null
      ? {}
      : { duration, actions: [{ label: t('COMMON.UNDO'), act: () => void takeBack(undo), isUndo: true }] }),
  });
}
