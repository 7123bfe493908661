import type { TFunction } from 'i18next';
import { type Notification, notify } from './notifications.ts';

/** Milliseconds: long enough to notice that the change was a mistake. */
const duration = 8_000;

type Undoable = Pick<Notification, 'title'> & {
  content?: string | undefined;
  /** Changes with the same key replace each other's notification. Left out: each change has its own, with its own undo. */
  key?: string;
  /** Null: it cannot be undone. */
  undo: (() => Promise<unknown>) | null;
  /** Returns the text that says why the change could not be undone. */
  problem: (error: unknown) => string | undefined;
};

/** Notifies of a change, with a button that takes it back where that is possible (CON-7). */
export function notifyUndoable(t: TFunction, { title, content, undo, problem, ...rest }: Undoable): void {
  const takeBack = (undo: () => Promise<unknown>) =>
    undo().then(
      () => notify({ kind: 'info', key, title: t('COMMON.UNDONE') }),
      (error: unknown) =>
        notify({ kind: 'error', key, title: t('COMMON.NOT_UNDONE'), content: problem(error) ?? '' }),
    );
  const key = notify({
    kind: 'success',
    title,
    ...rest,
    ...(content === undefined ? {} : { content }),
    ...(undo === null
      ? {}
      : { duration, actions: [{ label: t('COMMON.UNDO'), act: () => void takeBack(undo), isUndo: true }] }),
  });
}
