import { setTimeout as pause } from 'node:timers/promises';
import type { MailOutcome } from '@portico/contract/identity-provider';
import type { Clock } from '../../platform/time/clock.ts';
import type { Change, Database, Writer } from '../../platform/database/database.ts';
import { startOutbox } from '../../platform/database/outbox.ts';
import type { Logger } from '../../platform/log/logger.ts';
import {
  claimMail,
  deleteMail,
  deleteMailOf,
  dropMailClaims,
  insertMail,
  mailState,
  nextMailAt,
  noteMailFailure,
  type MailJob,
  type NewMail,
} from './mail.store.ts';
import type { MailTransport, Message } from './transport.ts';

/** What is to be sent now; `undo` takes its token back where it certainly did not leave the installation. */
export type Composed = { message: Message; undo(): Promise<void> };

export type Mail = {
  /** Stores what is to be sent, in the transaction of the change that it reports. */
  add(tx: Writer, mail: NewMail, at: number): Promise<string>;
  /** Removes the mails that wait for the holder of an account: what they report is outdated. */
  cancel(change: Change, accountId: string): Promise<void>;
  /** Looks for what is due; to be called once what was added is committed. */
  wake(): void;
  /** Waits a little for what becomes of one. */
  outcome(mailId: string): Promise<MailOutcome>;
  close(): Promise<void>;
};

/**
 * Between tries, seconds; afterwards it is given up. A person who waits at the sign-in page waits for an hour
 * at most.
 */
const pauses = { usual: [15, 60, 300, 900, 3600, 7200, 14_400, 28_800], forgotten: [15, 60, 300, 900, 1800] };
const atOnce = 5;
/** The change feed has no topic of mail: this is how soon one that another process has added is found. */
const lookEveryMs = 5_000;
/** The operator who has asked for it is waiting. */
const timeoutMs = 8_000;
const stepMs = 50;

/**
 * Sends mail from its outbox (`startOutbox`). A mail is written in the transaction of what causes it and is
 * tried until the mail server accepts it. Nothing of it is stored after that.
 */
export function createMail(parts: {
  database: Database;
  clock: Clock;
  logger: Logger;
  transport: MailTransport;
  /** What stands in it, by now; null: nothing is to be sent (any more). */
  compose(job: MailJob): Promise<Composed | null>;
  productName(): string;
}): Mail {
  const { database, clock, logger, transport } = parts;

  async function send(job: MailJob): Promise<void> {
    const { id, kind } = job;
    const composed = await parts.compose(job);
    const failure = composed === null ? null : await transport.send(composed.message, parts.productName());
    if (failure === null) {
      await database.transaction((tx) => deleteMail(tx, id));
      if (composed !== null) logger.info({ mailId: id, kind }, 'mail sent');
      return;
    }
    if (failure !== 'unsure') await composed?.undo();
    const pauseSeconds = (kind === 'forgotten' ? pauses.forgotten : pauses.usual)[job.tries];
    const next =
      failure === 'refused' || pauseSeconds === undefined ? null : clock.now() + pauseSeconds * 1000;
    await database.transaction((tx) => noteMailFailure(tx, id, failure, next));
    const line = { mailId: id, kind, accountId: job.accountId, failure, tries: job.tries + 1 };
    if (next === null) logger.error(line, 'mail not sent; it is given up');
    else logger.warn(line, 'mail not sent; it is tried again');
  }

  const outbox = startOutbox({
    database,
    clock,
    rows: { nextDue: nextMailAt, claim: claimMail, dropClaims: dropMailClaims },
    send,
    onSendError: (error, { id }) => logger.error({ err: error, mailId: id }, 'mail could not be prepared'),
    logger,
    failure: 'waiting mail could not be read; it is tried again',
    most: atOnce,
    longestPauseMs: lookEveryMs,
    idlePauseMs: lookEveryMs,
  });

  return {
    add: insertMail,
    cancel: (change, accountId) => deleteMailOf(change.tx, accountId),
    wake: outbox.wake,
    async outcome(mailId) {
      outbox.wake();
      for (let waited = 0; waited < timeoutMs; waited += stepMs) {
        const state = await mailState(database.read, mailId);
        if (state !== 'new') return state;
        await pause(stepMs);
      }
      return 'waiting';
    },
    async close() {
      await outbox.close();
      transport.close();
    },
  };
}
