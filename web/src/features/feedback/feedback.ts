import type { SentReport } from '@portico/contract/feedback';
import type { Broadcast } from '../../platform/broadcast.ts';
import { createStore, type Readable, watch } from '../../platform/store.ts';
import { base64Of } from './base64.ts';
import { createCountdown } from './countdown.ts';
import {
  type Draft,
  type DraftContents,
  type DraftRules,
  edited,
  emptyDraft,
  isEmpty,
  type Mistakes,
  mistakesIn,
  type Reporter,
} from './draft.ts';
import type { DraftStore } from './draft-store.ts';
import { type FeedbackError, sendingError } from './feedback-error.ts';
import type { FeedbackLabels } from './labels.ts';
import { createSending, type SavedReport, type SendingEdges } from './send-feedback.ts';
import { sentAlong, type Surroundings } from './surroundings.ts';

export type FeedbackOptions = {
  /** A field that is required is shown. */
  isNameRequired?: boolean;
  isEmailRequired?: boolean;
  /** Default true. What is known beforehand is sent all the same. */
  showName?: boolean;
  showEmail?: boolean;
  /** Default true. */
  showScreenshot?: boolean;
  /** Go with every report. */
  tags?: Record<string, string>;
  /** Words to use instead of the catalogue's. */
  labels?: Partial<FeedbackLabels>;
};

/** What the form has to tell about the last try. */
export type FeedbackProblem =
  | { readonly kind: 'mistakes'; readonly mistakes: Mistakes }
  | {
      readonly kind: 'failure';
      readonly error: FeedbackError;
      /** It came when nobody waited for it any more. */
      readonly late: boolean;
    }
  /** It was sent, as it was before the person went on writing. */
  | { readonly kind: 'sent-before-edit' };

export type FeedbackState = {
  /** What stands in the corner of the page, or over it. */
  readonly view: 'trigger' | 'form' | 'thanks';
  readonly draft: Draft;
  readonly problem: FeedbackProblem | null;
  /** The draft as it stands is on its way. */
  readonly sending: {
    /** Of the body, 0 to 1; null where it is not counted. */
    readonly progress: number | null;
    /** Within the time that a person waits. */
    readonly awaited: boolean;
  } | null;
};

/** Between the tabs of a browser. */
export type FeedbackMessage =
  | { type: 'written'; person: string }
  | { type: 'sent'; person: string; eventId: string };

export function readFeedbackMessage(data: Record<string, unknown>): FeedbackMessage | null {
  const { type, person, eventId } = data;
  if (typeof person !== 'string') return null;
  if (type === 'written') return { type, person };
  return type === 'sent' && typeof eventId === 'string' ? { type, person, eventId } : null;
}

export type FeedbackEdges = SendingEdges & {
  /** The id of who is signed in, or null: a draft is then kept as long as the page. */
  person: Readable<string | null>;
  /** What the profile says of them. */
  reporter: Readable<Reporter>;
  /** Whether who was here has signed out on purpose; what they wrote is then not kept. */
  forgets: () => boolean;
  drafts: DraftStore;
  broadcast: Broadcast<FeedbackMessage>;
  /** Tells when the page may be about to end. */
  onLeaving: (listener: () => void) => void;
  surroundings: () => Surroundings;
  newEventId: () => string;
  options?: FeedbackOptions;
};

export type Feedback = ReturnType<typeof createFeedback>;

export const thanksDuration = 5000;
/** Milliseconds from a change to its being kept. */
const saveDelay = 300;
/** Milliseconds that opening waits for what was kept; some browsers never say that they keep nothing. */
const readPatience = 1000;

/** One try to send a draft. */
type Flight = {
  readonly person: string | null;
  readonly eventId: string;
  readonly outcome: Promise<void>;
  progress: number | null;
  awaited: boolean;
};

/**
 * Bug reports as one page sees them: the draft, what becomes of sending it, and what is shown. What is written is never
 * lost (BUG-5): it is kept for its person until it is known to be sent, whatever happens to the page or the session.
 */
export function createFeedback(edges: FeedbackEdges) {
  const { clock, errors, person, drafts, broadcast, newEventId, options = {} } = edges;
  const wire = createSending(edges);
  const rules = rulesOf(options);
  const fresh = () => emptyDraft(newEventId(), edges.reporter.get());
  const state = createStore<FeedbackState>({ view: 'trigger', draft: fresh(), problem: null, sending: null });
  const thanks = createCountdown(clock, thanksDuration, () => publish({ view: 'trigger' }));
  let owner: string | null = null;
  let ready: Promise<void> = Promise.resolve();
  let flight: Flight | null = null;
  let unsaved = false;
  /** Counts what was written here, since what is read meanwhile is older. */
  let changes = 0;
  let isLossRecorded = false;

  function publish(change: Partial<Omit<FeedbackState, 'sending'>>): void {
    const next = { ...state.get(), ...change };
    const sending =
      flight !== null && flight.eventId === next.draft.eventId
        ? { progress: flight.progress, awaited: flight.awaited }
        : null;
    state.set({ ...next, sending });
  }

  // ── The draft ──

  function edit(change: Partial<DraftContents>): void {
    const before = state.get().draft;
    const draft = edited(before, change, newEventId);
    if (draft === before) return;
    changes += 1;
    publish({ draft });
    if (!unsaved) clock.after(saveDelay, save);
    unsaved = true;
    // A page that ends has no time left to write a picture.
    if (draft.picture !== before.picture) save();
  }

  function save(): void {
    if (!unsaved) return;
    unsaved = false;
    if (owner === null) return;
    const whose = owner;
    const { draft } = state.get();
    const saving = isEmpty(draft, edges.reporter.get()) ? drafts.remove(whose) : drafts.write(whose, draft);
    saving.then(() => broadcast.post({ type: 'written', person: whose }), recordLoss);
  }

  function recordLoss(error: unknown): void {
    if (!isLossRecorded) errors.record('feedback.draft', error);
    isLossRecorded = true;
  }

  /** Takes over what is kept, unless something was written here meanwhile. */
  async function read(): Promise<void> {
    if (owner === null) return;
    const before = changes;
    const found = await drafts.read(owner).catch(recordLoss);
    if (changes !== before || found === undefined) return;
    const { draft } = state.get();
    if (found === null && !isEmpty(draft, edges.reporter.get())) publish({ draft: fresh(), problem: null });
    // The same contents may have been sent by another tab meanwhile, with what belongs to that try.
    const isNews = found?.eventId !== draft.eventId || (draft.sentAlong === null && found.sentAlong !== null);
    if (found !== null && isNews) publish({ draft: found, problem: null });
  }

  function readInTime(): Promise<void> {
    return new Promise((resolve) => {
      clock.after(readPatience, resolve);
      void read().finally(resolve);
    });
  }

  watch(person, (next) => {
    if (edges.forgets()) unsaved = false;
    else save();
    owner = next;
    changes += 1;
    publish({ view: 'trigger', draft: fresh(), problem: null });
    ready = readInTime();
  });
  let known = edges.reporter.get();
  watch(edges.reporter, (next) => {
    if (isEmpty(state.get().draft, known)) publish({ draft: fresh() });
    known = next;
  });
  edges.onLeaving(() => {
    save();
    if (!edges.forgets()) drafts.leave();
  });

  broadcast.subscribe((message) => {
    if (message.person !== owner) return;
    if (message.type === 'sent') {
      const isAwaitedHere = flight?.eventId === message.eventId;
      if (state.get().draft.eventId === message.eventId) discard(isAwaitedHere);
    } else if (unsaved) {
      // What was written here is newer, and will be kept as a whole.
      drafts.changedElsewhere();
    } else void read();
  });

  /** The draft is sent, here or in another tab. */
  function discard(isThanked: boolean): void {
    unsaved = false;
    changes += 1;
    flight = null;
    publish({ view: isThanked ? 'thanks' : 'trigger', draft: fresh(), problem: null });
    if (isThanked) thanks.start();
  }

  // ── Sending ──

  /** Sends the draft, unless it is on its way already; then it is only waited for once more. */
  function submit(): void {
    const { draft, sending } = state.get();
    if (sending?.awaited === true) return;
    if (flight !== null && sending !== null) {
      void follow(flight);
      return;
    }
    const mistakes = mistakesIn(draft, rules);
    if (mistakes !== null) {
      publish({ problem: { kind: 'mistakes', mistakes } });
      return;
    }
    const along = draft.sentAlong ?? sentAlong(edges.surroundings(), draft.leftOut);
    const sent = { ...draft, sentAlong: along };
    const begun: Flight = {
      person: owner,
      eventId: draft.eventId,
      outcome: deliver(sent, (progress) => {
        begun.progress = progress;
        publish({});
      }),
      progress: null,
      awaited: true,
    };
    flight = begun;
    publish({ draft: sent });
    unsaved = true;
    save();
    begun.outcome.then(
      () => succeed(begun),
      (error: unknown) => fail(begun, sendingError(error)),
    );
    void follow(begun);
  }

  async function deliver(draft: Draft, tell: (progress: number) => void): Promise<void> {
    const { email, name, message, eventId, picture } = draft;
    const report: SentReport = {
      email,
      name,
      message,
      eventId,
      source: 'widget',
      tags: options.tags ?? {},
      ...draft.sentAlong,
    };
    try {
      if (picture === null) await wire.deliver(report);
      else {
        const { blob, filename } = picture;
        const attachments = [{ data: await base64Of(blob), filename, contentType: 'image/png' }];
        await wire.deliver({ ...report, attachments }, (sent, total) => tell(total === 0 ? 0 : sent / total));
      }
    } catch (error) {
      // The id belongs to these contents alone: another tab has sent them from where it stood.
      if (sendingError(error).code !== 'EVENT_ID_USED') throw error;
    }
  }

  /** Waits as long as a person does. */
  async function follow(begun: Flight): Promise<void> {
    begun.awaited = true;
    publish({ problem: null });
    try {
      await wire.withinPatience(begun.outcome);
    } catch (error) {
      const undetermined = sendingError(error);
      if (undetermined.failure !== 'undetermined') return;
      begun.awaited = false;
      if (begun === flight && begun.person === owner)
        publish({ problem: { kind: 'failure', error: undetermined, late: false } });
    }
  }

  function succeed(done: Flight): void {
    if (done.person !== null) {
      drafts.remove(done.person, done.eventId).catch(recordLoss);
      broadcast.post({ type: 'sent', person: done.person, eventId: done.eventId });
    }
    const isLatest = flight === done;
    if (isLatest) flight = null;
    if (done.person !== owner) return;
    if (state.get().draft.eventId === done.eventId) discard(true);
    else if (isLatest) publish({ problem: { kind: 'sent-before-edit' } });
  }

  function fail(done: Flight, error: FeedbackError): void {
    errors.record('feedback.send', error);
    if (flight !== done) return;
    flight = null;
    publish(done.person === owner ? { problem: { kind: 'failure', error, late: !done.awaited } } : {});
  }

  return {
    state: state as Readable<FeedbackState>,
    options,
    rules,
    /** Shows the form; resolves once it is there, with what was kept. */
    async open(): Promise<void> {
      await ready;
      thanks.cancel();
      publish({ view: 'form' });
    },
    /** Puts the form away and keeps what is written. What is on its way goes on. */
    close(): void {
      save();
      if (state.get().view === 'form') publish({ view: 'trigger' });
    },
    edit,
    submit,
    holdThanks: thanks.hold,
    releaseThanks: thanks.release,
    surroundings: edges.surroundings,
    /**
     * Sends a report that was not written in the form, with what is known of the page and the person.
     *
     * @throws FeedbackError, as `sendFeedback`
     */
    send(report: SentReport): Promise<SavedReport> {
      return wire.sendFeedback({
        ...edges.reporter.get(),
        ...sentAlong(edges.surroundings(), []),
        eventId: newEventId(),
        ...report,
        tags: { ...options.tags, ...report.tags },
      });
    },
    sendFeedback: wire.sendFeedback,
    saveFeedback: wire.saveFeedback,
  };
}

function rulesOf(options: FeedbackOptions): DraftRules {
  const { isNameRequired = false, isEmailRequired = false, showName = true, showEmail = true } = options;
  return {
    email: { shown: showEmail || isEmailRequired, required: isEmailRequired },
    name: { shown: showName || isNameRequired, required: isNameRequired },
    message: { shown: true, required: true },
  };
}
