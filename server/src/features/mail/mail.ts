import { setTimeout as pause } from 'node:timers/promises';
import type { MailOutcome } from '@portico/contract/identity-provider';
import type { Clock } from '../../platform/clock.ts';
import type { Change, Database, Writer } from '../../platform/database.ts';
import type { Logger } from '../../platform/logger.ts';
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

/** What is to be sent now; `undo` takes its token back where it certainly did not leave the house. */
export type Composed = { message: Message; undo(): Promise<void> };

export type Mail = {
  /** Writes down what is to be sent, in the transaction of what it tells of. */
  add(tx: Writer, mail: NewMail, at: number): Promise<string>;
  /** Nothing more is sent to the holder of an account: what it would tell of is over. */
  cancel(change: Change, accountId: string): Promise<void>;
  /** Looks for what is due; to be called once what was added is committed. */
  wake(): void;
  /** Waits a little for what becomes of one. */
  outcome(mailId: string): Promise<MailOutcome>;
  close(): Promise<void>;
};

/** Between tries, seconds; afterwards it is given up. Somebody who waits before a sign-in page does so for an hour at most. */
const pauses = { usual: [15, 60, 300, 900, 3600, 7200, 14_400, 28_800], forgotten: [15, 60, 300, 900, 1800] };
const claimMs = 90_000;
const atOnce = 5;
const lookEveryMs = 5_000;
/** An operator who has asked for it looks on. */
const patienceMs = 8_000;
const stepMs = 50;

/**
 * Sends what waits. A mail is written with what it tells of, so neither is kept without the other, and tried until it is
 * taken: by whichever process claims it, and by another one should that die meanwhile. Nothing of it stays once it was sent.
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
  const underWay = new Set<Promise<void>>();
  let closed = false;
  let looking: Promise<void> = Promise.resolve();
  let wanted = false;

  function wake(): void {
    if (closed || wanted) return;
    wanted = true;
    looking = looking.then(async () => {
      wanted = false;
      if (!closed) await look();
    });
  }

  async function look(): Promise<void> {
    try {
      const free = atOnce - underWay.size;
      const next = await nextMailAt(database.read);
      if (free <= 0 || next === null || next > clock.now()) return;
      const claimed = await database.transaction((tx) =>
        claimMail(tx, database.engine, clock.now(), claimMs, free),
      );
      for (const job of claimed) {
        const sending = send(job)
          // The claim runs out, and it is tried again.
          .catch((error: unknown) =>
            logger.error({ err: error, mailId: job.id }, 'mail could not be prepared'),
          )
          .finally(() => {
            underWay.delete(sending);
            wake();
          });
        underWay.add(sending);
      }
    } catch (error) {
      logger.error({ err: error }, 'mail that waits could not be looked through; it is tried again');
    }
  }

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

  if (database.engine === 'sqlite')
    looking = database.transaction((tx) => dropMailClaims(tx, clock.now())).catch(() => undefined);
  wake();
  // What another process has added, and what is due again.
  const timer = setInterval(wake, lookEveryMs);
  timer.unref();

  return {
    add: insertMail,
    cancel: (change, accountId) => deleteMailOf(change.tx, accountId),
    wake,
    async outcome(mailId) {
      wake();
      for (let waited = 0; waited < patienceMs; waited += stepMs) {
        const state = await mailState(database.read, mailId);
        if (state !== 'new') return state;
        await pause(stepMs);
      }
      return 'waiting';
    },
    async close() {
      closed = true;
      clearInterval(timer);
      await looking;
      transport.close();
      await Promise.all(underWay);
    },
  };
}
