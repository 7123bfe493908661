import type { Broadcast } from '#web/platform/tabs/broadcast.ts';
import type { Clock } from '#web/platform/time/clock.ts';
import type { DraftStore } from './draft-store.ts';
import { type Draft, type DraftContents, edited, isEmpty, type Reporter } from './draft.ts';
import type { FeedbackMessage } from './feedback-message.ts';

/** Milliseconds between a change and its being stored. */
const saveDelay = 300;

type DraftAutosaveDependencies = {
  clock: Clock;
  drafts: Pick<DraftStore, 'read' | 'write' | 'remove'>;
  broadcast: Pick<Broadcast<FeedbackMessage>, 'post'>;
  newEventId: () => string;
  reporter: { get(): Reporter };
  /** The person whose draft it is; null: nothing is stored beyond the page. */
  owner: () => string | null;
  draft: () => Draft;
  fresh: () => Draft;
  /** Shows another draft; `isNews`: a message about the previous one no longer applies. */
  show: (draft: Draft, isNews: boolean) => void;
  onLoss: (error: unknown) => void;
};

/** Stores the draft shortly after each change, and reads it when another page has changed it (BUG-5). */
export function createDraftAutosave(dependencies: DraftAutosaveDependencies) {
  const { clock, drafts, broadcast, reporter, owner, fresh, show, onLoss } = dependencies;
  let unsaved = false;
  /** Counts the changes of this page: a draft that was read before one of them is outdated. */
  let changes = 0;

  /** Answers whether what was to be stored is. */
  async function save(): Promise<boolean> {
    if (!unsaved) return true;
    unsaved = false;
    const personId = owner();
    if (personId === null) return false;
    const draft = dependencies.draft();
    const saving = isEmpty(draft, reporter.get()) ? drafts.remove(personId) : drafts.write(personId, draft);
    try {
      await saving;
      broadcast.post({ type: 'written', person: personId });
      return true;
    } catch (error) {
      onLoss(error);
      return false;
    }
  }

  return {
    edit(change: Partial<DraftContents>): void {
      const before = dependencies.draft();
      const draft = edited(before, change, dependencies.newEventId);
      if (draft === before) return;
      changes += 1;
      show(draft, false);
      if (!unsaved) clock.after(saveDelay, () => void save());
      unsaved = true;
      // A closing page has no time to write a picture.
      if (draft.picture !== before.picture) void save();
    },
    save,
    /** Stores the current draft at once. */
    saveNow(): Promise<boolean> {
      unsaved = true;
      return save();
    },
    isUnsaved: () => unsaved,
    /** Another draft begins: one that is being read now is ignored. */
    begin(): void {
      changes += 1;
    },
    /** Does not store pending changes: the draft was sent, or moved to the outbox. */
    drop(): void {
      unsaved = false;
    },
    /** Shows the stored draft, unless something was written here in the time between. */
    async read(): Promise<void> {
      const personId = owner();
      if (personId === null) return;
      const before = changes;
      const found = await drafts.read(personId).catch(onLoss);
      if (changes !== before || found === undefined) return;
      const draft = dependencies.draft();
      if (found === null && !isEmpty(draft, reporter.get())) show(fresh(), true);
      // Another tab may have sent the same contents by now, with the data of that try, or cancelled it.
      const isNews =
        found?.eventId !== draft.eventId || (draft.sentAlong === null) !== (found.sentAlong === null);
      if (found !== null && isNews) show(found, true);
    },
  };
}
