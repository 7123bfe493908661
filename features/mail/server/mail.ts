import { setTimeout as pause } from 'node:timers/promises';
import type { MailOutcome } from '#features/identity-provider/contract/identity-provider.ts';
import type { Core, Feature } from '#server/core.ts';
import type { Change, Writer } from '#server/platform/database/database.ts';
import { addWaiting } from '#server/platform/metrics/metrics.ts';
import { startOutbox, type Outbox } from '#server/platform/database/outbox.ts';
import * as store from './mail.store.ts';
import type { MailTransport, Message } from './transport.ts';

/** The message to send. `undo` revokes what was created for it (a token), if it certainly was not sent. */
export type Composed = { message: Message; undo?(): Promise<void> };

/** Composes a mail when it is sent; null: nothing has to be sent (any more). */
export type Composer = (job: store.MailJob) => Promise<Composed | null>;

/**
 * The mail of all features, created once (`ground.ts`); null where mail is not configured. A feature uses it so:
 *
 * 1. When it is created, `mail.composes({ kinds: ['report-reply'], compose })` registers who writes the mails of
 *    its kinds. `compose` runs when a mail is sent, so that it holds what is true by then: it looks up address,
 *    language and texts, and answers null where the mail is pointless by now. `letter` writes text and HTML.
 * 2. In the transaction of what the mail reports, `mail.add(change.tx, { kind, email, language, about }, change.at)`.
 *    `about` is the feature's own, such as JSON with an id. No text and no token belongs there.
 * 3. What may come in floods (new reports, alerts) is added by `mail.addCollected` instead: at most one mail each
 *    `pauseMs` to an address, of a kind. Its composer reports all that happened since `job.createdAt`.
 */
export type Mail = {
  composes(given: {
    kinds: readonly string[];
    compose: Composer;
    /** Seconds between tries, after which it is given up; left out: for fifteen hours. */
    pauses?: readonly number[];
  }): void;
  /**
   * Stores a mail in the transaction of the change that it reports; it is sent soon after the commit. Answers its
   * id.
   *
   * @param at the time of that change
   */
  add(tx: Writer, mail: store.NewMail, at: number): Promise<string>;
  /** Like `add`, but only one mail of a kind waits for an address; the next is due `pauseMs` after the last. */
  addCollected(
    tx: Writer,
    mail: store.NewMail & { email: string },
    at: number,
    pauseMs: number,
  ): Promise<void>;
  /** Removes the mails that wait for the holder of an account: what they report is outdated. */
  cancel(change: Change, accountId: string): Promise<void>;
  /** Checks for due mails; to be called after the commit of a plain transaction that added a mail. */
  wake(): void;
  /** Waits a little for the outcome of a mail. */
  outcome(mailId: string): Promise<MailOutcome>;
  /** Begins to send, once all composers are registered. */
  start(): void;
  sweeps: NonNullable<Feature['sweeps']>;
  close(): Promise<void>;
};

const unknownKind: Composer = ({ kind }) =>
  Promise.reject(new Error(`Nothing composes mails of the kind ${kind}.`));

/** Seconds between tries; after the last of them the mail is given up. */
const usualPauses = [15, 60, 300, 900, 3600, 7200, 14_400, 28_800];
const atOnce = 5;
/** The change feed has no topic of mail: mails that another process has added are found by polling this often. */
const lookEveryMs = 5_000;
/** An operator is waiting for this mail. */
const timeoutMs = 8_000;
const stepMs = 50;

/**
 * Sends mail from its outbox (`startOutbox`). A mail is written in the transaction of what causes it and is
 * tried until the mail server accepts it. Nothing of it is stored after that.
 */
export function createMail(
  core: Core,
  { transport, productName }: { transport: MailTransport; productName(): string },
): Mail {
  const { database, clock, logger } = core;
  addWaiting(core.metrics, 'mails', 'Mails that are still to be sent', store.waitingMail);
  const composers = new Map<string, { compose: Composer; pauses: readonly number[] }>();
  let outbox: Outbox<store.MailJob> | null = null;
  let added = false;

  async function send(job: store.MailJob): Promise<void> {
    const { id, kind } = job;
    const { compose, pauses } = composers.get(kind) ?? { compose: unknownKind, pauses: usualPauses };
    const composed = await compose(job).catch((error: unknown) => {
      logger.error({ err: error, mailId: id, kind }, 'mail could not be composed');
      return 'not-composed' as const;
    });
    const failure =
      composed === null || composed === 'not-composed'
        ? composed
        : await transport.send(composed.message, productName());
    if (failure === null) {
      await database.transaction((tx) => store.deleteMail(tx, id));
      if (composed !== null) logger.info({ mailId: id, kind }, 'mail sent');
      return;
    }
    if (failure !== 'unsure' && composed !== 'not-composed') await composed?.undo?.();
    const pauseSeconds = pauses[job.tries];
    const next =
      failure === 'refused' || failure === 'no-smtputf8' || pauseSeconds === undefined
        ? null
        : clock.now() + pauseSeconds * 1000;
    await database.transaction((tx) => store.noteMailFailure(tx, id, failure, next));
    const line = { mailId: id, kind, accountId: job.accountId, failure, tries: job.tries + 1 };
    if (next === null) logger.error(line, 'mail not sent; it is given up');
    else logger.warn(line, 'mail not sent; it is tried again');
  }

  const begin = (): Outbox<store.MailJob> =>
    startOutbox({
      database,
      clock,
      rows: { nextDue: store.nextMailAt, claim: store.claimMail, dropClaims: store.dropMailClaims },
      send,
      onSendError: (error, { id }) =>
        logger.error({ err: error, mailId: id }, 'the outcome of a mail could not be stored'),
      logger,
      failure: 'waiting mail could not be read; it is tried again',
      most: atOnce,
      longestPauseMs: lookEveryMs,
      idlePauseMs: lookEveryMs,
    });

  database.onChange(() => {
    if (!added) return;
    added = false;
    outbox?.wake();
  });

  return {
    composes({ kinds, compose, pauses = usualPauses }) {
      for (const kind of kinds) composers.set(kind, { compose, pauses });
    },
    add(tx, mail, at) {
      added = true;
      return store.insertMail(tx, mail, at);
    },
    addCollected(tx, mail, at, pauseMs) {
      added = true;
      return store.insertCollectedMail(tx, database.engine, mail, { at, now: clock.now(), pauseMs });
    },
    cancel: (change, accountId) => store.deleteMailOf(change.tx, accountId),
    wake: () => outbox?.wake(),
    async outcome(mailId) {
      outbox?.wake();
      for (let waited = 0; waited < timeoutMs; waited += stepMs) {
        const state = await store.mailState(database.read, mailId);
        if (state !== 'new') return state;
        await pause(stepMs);
      }
      return 'waiting';
    },
    start() {
      outbox ??= begin();
    },
    sweeps: { 'mail that was given up': core.sweeping(store.sweepMail) },
    async close() {
      await outbox?.close();
      transport.close();
    },
  };
}
