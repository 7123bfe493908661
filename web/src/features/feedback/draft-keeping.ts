import type { Broadcast } from '../../platform/tabs/broadcast.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { DraftStore } from './draft-store.ts';
import { type Draft, type DraftContents, edited, isEmpty, type Reporter } from './draft.ts';
import type { FeedbackMessage } from './feedback-message.ts';

/** Milliseconds from a change to its being stored. */
const saveDelay = 300;

type DraftKeepingDependencies = {
  clock: Clock;
  drafts: Pick<DraftStore, 'read' | 'write' | 'remove'>;
  broadcast: Pick<Broadcast<FeedbackMessage>, 'post'>;
  newEventId: () => string;
  reporter: { get(): Reporter };
  /** Whose draft it is; null: it lasts as long as the page. */
  owner: () => string | null;
  draft: () => Draft;
  fresh: () => Draft;
  /** Shows another draft; `isNews`: a message about the previous one no longer applies. */
  show: (draft: Draft, isNews: boolean) => void;
  onLoss: (error: unknown) => void;
};

/** Stores the form shortly after each change, and reads it again on another page (BUG-5). */
export function createDraftKeeping(dependencies: DraftKeepingDependencies) {
  const { clock, drafts, broadcast, reporter, owner, fresh, show, onLoss } = dependencies;
  let unsaved = false;
  /** Counts changes made here, since a draft that is being read meanwhile is older. */
  let changes = 0;

  function save(): void {
    if (!unsaved) return;
    unsaved = false;
    const personId = owner();
    if (personId === null) return;
    const draft = dependencies.draft();
    const saving = isEmpty(draft, reporter.get()) ? drafts.remove(personId) : drafts.write(personId, draft);
    saving.then(() => broadcast.post({ type: 'written', person: personId }), onLoss);
  }

  return {
    edit(change: Partial<DraftContents>): void {
      const before = dependencies.draft();
      const draft = edited(before, change, dependencies.newEventId);
      if (draft === before) return;
      changes += 1;
      show(draft, false);
      if (!unsaved) clock.after(saveDelay, save);
      unsaved = true;
      // A page that ends has no time left to write a picture.
      if (draft.picture !== before.picture) save();
    },
    save,
    /** Stores the draft as it stands, at once. */
    saveNow(): void {
      unsaved = true;
      save();
    },
    isUnsaved: () => unsaved,
    /** From here on it is another draft; one that is being read is outdated. */
    begin(): void {
      changes += 1;
    },
    /** What was written is not stored any more: it was sent, or moved to the outbox. */
    drop(): void {
      unsaved = false;
    },
    /** Shows the stored draft, unless something was written here meanwhile. */
    async read(): Promise<void> {
      const personId = owner();
      if (personId === null) return;
      const before = changes;
      const found = await drafts.read(personId).catch(onLoss);
      if (changes !== before || found === undefined) return;
      const draft = dependencies.draft();
      if (found === null && !isEmpty(draft, reporter.get())) show(fresh(), true);
      // Another tab may have sent the same contents meanwhile, with the data of that try.
      const isNews =
        found?.eventId !== draft.eventId || (draft.sentAlong === null && found.sentAlong !== null);
      if (found !== null && isNews) show(found, true);
    },
  };
}
