import { randomBytes } from 'node:crypto';
import type { ErasedReports } from '@portico/contract/erasure';
import type { Clock } from '../../platform/time/clock.ts';
import type { Change, Database, Reader, Writer } from '../../platform/database/database.ts';
import { countRows } from '../../platform/database/count-rows.ts';
import { HttpProblem } from '../../platform/http/http-problem.ts';
import { orNotFound } from '../../platform/http/refusals.ts';
import { hashSecret } from '../../platform/keys/ids.ts';
import { erasePersonFromAudit, recordAudit, type Actor } from '../audit/audit.store.ts';
import { forgetPerson } from '../diagnostics/forget-person.ts';
import { createPersonHash } from '../diagnostics/intake/person-hash.ts';
import {
  forgetAssignee,
  forgetMessages,
  forgetReports,
  forgetReportSettings,
} from '../feedback/forget-reports.ts';
import { isShown, removeFile } from '../files/files.store.ts';
import { embeddedIssuer } from '../identity-provider/accounts.ts';
import { forgetGuesses } from '../identity-provider/accounts.store.ts';
import { keepAnAdministrator } from '../permissions/last-administrator.ts';
import { forgetRightsOf } from '../permissions/permissions.store.ts';
import { endSessionsOf } from '../session/session.store.ts';
import {
  addressesOf,
  emptyPerson,
  filesOf,
  giveUpFile,
  hasBelongings,
  insertErasure,
  noteDone,
  readErasures,
  readPerson,
  removeAccount,
  removeBelongings,
  removeMail,
  removePerson,
  replaceInDeliveries,
  replaceNames,
  type Erasure,
  type PersonToErase,
} from './erasure.store.ts';
import { readRetention } from './retention.store.ts';

export type ErasingParts = {
  database: Database;
  clock: Clock;
  /** Called with each failure that will be retried. */
  onFailure(error: unknown): void;
  /** Steps that a test interrupts. */
  steps?: Partial<{ forgetReports: typeof forgetReports; erasePersonFromAudit: typeof erasePersonFromAudit }>;
};

export type Erasing = {
  /**
   * Erases a person: once this answers no one can sign in as them. Unless it answers that it has not
   * finished, nothing names them but what arrived at that very time, which a last look ten minutes later
   * removes.
   *
   * @param wanted what was typed to confirm it, and the fate of the reports that the operator was shown
   * @throws HttpProblem NOT_FOUND, CONFLICT, LAST_ADMINISTRATOR, INVALID_BODY
   */
  erase(
    actor: Actor,
    personId: string,
    wanted: { confirmation: string; reports: ErasedReports },
  ): Promise<{ pseudonym: string; finished: boolean }>;
  /** Goes on with erasures that were interrupted, and has the last look where it is time. */
  resume(): Promise<void>;
};

/** Longer than a request may last that was authorized before. */
export const lastLookAfterMs = 10 * 60_000;

const reportsAtOnce = 50;
const messagesAtOnce = 100;
const filesAtOnce = 100;
const deliveriesAtOnce = 200;
/** Entries of the audit, each of which is read through. */
const auditAtOnce = 200;

export function createErasing(parts: ErasingParts): Erasing {
  const { database } = parts;
  const steps = { forgetReports, erasePersonFromAudit, ...parts.steps };

  /**
   * The deciding part, in one guarded change: from here on the person is gone for every caller, and the rest
   * is cleaning up.
   */
  async function begin(
    change: Change,
    actor: Actor,
    personId: string,
    wanted: { confirmation: string; reports: ErasedReports },
  ): Promise<Erasure> {
    const { tx } = change;
    const person = orNotFound(await readPerson(tx, personId), 'There is no such person.');
    if (actor.id === personId) {
      throw new HttpProblem('CONFLICT', { detail: 'Nobody can erase themselves. Ask another operator.' });
    }
    refuseUnconfirmed(person, personId, wanted.confirmation);
    const { erasedReports } = await readRetention(tx);
    if (erasedReports !== wanted.reports) {
      throw new HttpProblem('VERSION_CONFLICT', {
        detail: 'Somebody changed the data retention meanwhile. Look at it, then repeat it.',
      });
    }

    const { firstName, lastName } = person;
    const erasure: Erasure = {
      personId,
      pseudonym: `erased person ${randomBytes(3).toString('hex')}`,
      emails: await addressesOf(tx, personId, person.email),
      fullName: firstName === '' || lastName === '' ? '' : `${firstName} ${lastName}`,
      reports: erasedReports,
      doneAt: null,
    };
    const counts = await countsOf(tx, personId);
    await keepAnAdministrator(change, async () => {
      await forgetRightsOf(change, personId);
      await emptyPerson(change, personId);
    });
    await endSessionsOf(change, personId, 'erased');
    await removeBelongings(change, personId);
    if (person.issuer === embeddedIssuer) await removeAccount(change, person.subject);
    for (const email of new Set([person.email, ...erasure.emails]))
      await forgetGuesses(tx, hashSecret(email));
    if (person.avatar !== null && !(await isShown(tx, person.avatar))) await removeFile(tx, person.avatar);
    await insertErasure(change, erasure);
    await recordAudit(change, actor, {
      action: 'person.erase',
      subject: personId,
      after: { name: erasure.pseudonym, ...counts, reportsKept: erasedReports === 'keep' },
    });
    return erasure;
  }

  /** Can be repeated at any time. Each step is a change of its own, so that other changes never wait long. */
  async function goThrough(erasure: Erasure): Promise<void> {
    const { personId } = erasure;
    await database.change(async (change) => {
      await endSessionsOf(change, personId, 'erased');
      await forgetRightsOf(change, personId);
      await removeBelongings(change, personId);
      await removeMail(change.tx, erasure.emails);
      await forgetAssignee(change, erasure);
      await forgetReportSettings(change, erasure);
    });
    const fate = { fate: erasure.reports, most: reportsAtOnce };
    for (let found = reportsAtOnce; found === reportsAtOnce;)
      found = await database.change((change) => steps.forgetReports(change, erasure, fate));
    for (let found = messagesAtOnce; found === messagesAtOnce;)
      found = await database.change((change) => forgetMessages(change, erasure, messagesAtOnce));
    for (let found = filesAtOnce; found === filesAtOnce;)
      found = await database.change(({ tx }) => forgetFiles(tx, personId));
    await forgetInErrors(erasure);
    await database.change((change) => replaceNames(change, erasure));
    for (let after: string | null = ''; after !== null;) {
      const place: { after: string; most: number } = { after, most: deliveriesAtOnce };
      after = await database.change((change) => replaceInDeliveries(change, erasure, place));
    }
    for (let after: string | null = ''; after !== null;) {
      const place: { after: string; most: number } = { after, most: auditAtOnce };
      after = await database.change((change) => steps.erasePersonFromAudit(change, erasure, place));
    }
    await database.transaction((tx) => noteDone(tx, personId, parts.clock.now()));
  }

  async function forgetInErrors({ personId, emails }: Erasure): Promise<void> {
    const hashOf = await createPersonHash(database);
    await forgetPerson(database, [personId, ...emails].map(hashOf), emails);
  }

  async function forgetFiles(tx: Writer, personId: string): Promise<number> {
    const found = await filesOf(tx, personId, filesAtOnce);
    for (const fileId of found) {
      // Such as another person's picture, which an operator set.
      if (await isShown(tx, fileId)) await giveUpFile(tx, fileId);
      else await removeFile(tx, fileId);
    }
    return found.length;
  }

  return {
    async erase(actor, personId, wanted) {
      const erasure = await database.change((change) => begin(change, actor, personId, wanted));
      const { pseudonym } = erasure;
      try {
        await goThrough(erasure);
      } catch (error) {
        // They are gone all the same, and the rest is tried again.
        parts.onFailure(error);
        return { pseudonym, finished: false };
      }
      return { pseudonym, finished: true };
    },

    async resume() {
      for (const erasure of await readErasures(database.read)) {
        const { personId, doneAt } = erasure;
        if (doneAt !== null && parts.clock.now() - doneAt < lastLookAfterMs) continue;
        await goThrough(erasure);
        if (doneAt === null) continue;
        await database.change(async (change) => {
          if (!(await hasBelongings(change.tx, personId))) await removePerson(change, personId);
        });
      }
    },
  };
}

/** What is typed to confirm it. */
export function confirmationFor(
  { email, firstName, lastName }: Pick<PersonToErase, 'email' | 'firstName' | 'lastName'>,
  personId: string,
): string {
  return email || `${firstName} ${lastName}`.trim() || personId;
}

function refuseUnconfirmed(person: PersonToErase, personId: string, typed: string): void {
  const plain = (text: string) => text.normalize('NFC').trim().toLowerCase();
  if (plain(typed) === plain(confirmationFor(person, personId))) return;
  throw new HttpProblem('INVALID_BODY', {
    detail: 'Nothing was erased.',
    errors: [
      { pointer: '/confirmation', code: 'mismatch', message: 'is not what stands for this person here' },
    ],
  });
}

/** How much there is, in counts that reveal no content. */
export async function countsOf(
  read: Reader,
  personId: string,
): Promise<{ reports: number; pictures: number; files: number }> {
  const pictures = read
    .selectFrom('report_picture')
    .innerJoin('report', 'report.id', 'report_picture.report_id')
    .where('report.reporter_id', '=', personId);
  return {
    reports: await countRows(read.selectFrom('report').where('reporter_id', '=', personId)),
    pictures: await countRows(pictures),
    files: await countRows(
      read
        .selectFrom('file')
        .where('owner', '=', personId)
        .where('id', 'not in', pictures.select('report_picture.file_id')),
    ),
  };
}
