import { randomBytes } from 'node:crypto';
import type { ErasedReports } from '#features/erasure/contract/erasure.ts';
import type { Core } from '#server/core.ts';
import type { Change, Reader, Writer } from '#server/platform/database/database.ts';
import type { Fates } from '#server/platform/database/schema.ts';
import { countRows } from '#server/platform/database/sql.ts';
import { HttpProblem, orNotFound } from '#server/platform/http/http-problem.ts';
import { hashSecret } from '#server/platform/keys/ids.ts';
import { erasePersonFromAudit, recordAudit, type Actor } from '#features/audit/server/audit.store.ts';
import { erasePersonFromErrorWork } from '#features/diagnostics/server/error-work.ts';
import { erasePersonFromErrors } from '#features/diagnostics/server/erase-from-errors.ts';
import { createPersonHash } from '#features/diagnostics/server/intake/person-hash.ts';
import {
  erasePersonFromAssignees,
  erasePersonFromMessages,
  erasePersonFromReports,
  erasePersonFromReportSettings,
} from '#features/feedback/server/erase-from-reports.ts';
import { isShown, removeFile } from '#features/files/server/files.store.ts';
import { erasePersonFromSegments } from '#features/flags/server/segments.store.ts';
import { erasePersonFromStickyBuckets } from '#features/flags/server/sticky-buckets.store.ts';
import { embeddedIssuer } from '#features/identity-provider/server/accounts.ts';
import { clearAttempts } from '#features/identity-provider/server/accounts.store.ts';
import { requireAdministrator } from '#features/permissions/server/last-administrator.ts';
import { deleteRightsOf } from '#features/permissions/server/permissions.store.ts';
import { endSessionsOf } from '#features/session/server/session.store.ts';
import { eraseViews } from '#features/views/server/views.store.ts';
import * as store from './erasure.store.ts';
import { readRetention } from './retention.ts';

export type ErasingParts = Pick<Core, 'database' | 'clock'> & {
  fates: Fates;
  /** Called with each failure that will be retried. */
  onFailure(error: unknown): void;
  /** Steps that a test interrupts. */
  steps?: Partial<{
    erasePersonFromReports: typeof erasePersonFromReports;
    erasePersonFromAudit: typeof erasePersonFromAudit;
  }>;
};

export type Erasing = {
  /**
   * Erases a person: once this answers, no one can sign in as them. If it answers that it has finished, nothing
   * names the person except what arrived at that very time; the final sweep ten minutes later removes that.
   *
   * @param wanted what was typed to confirm it, and the fate of the reports that the operator was shown
   * @throws HttpProblem NOT_FOUND, CONFLICT, LAST_ADMINISTRATOR, INVALID_BODY
   */
  erase(
    actor: Actor,
    personId: string,
    wanted: { confirmation: string; reports: ErasedReports },
  ): Promise<{ pseudonym: string; finished: boolean }>;
  /** Continues interrupted erasures, and runs the final sweep of those whose time has come. */
  resume(): Promise<void>;
};

/** Longer than any request that was authorized before the erasure can last. */
export const finalSweepAfterMs = 10 * 60_000;

const reportsAtOnce = 50;
const messagesAtOnce = 100;
const filesAtOnce = 100;
const deliveriesAtOnce = 200;
/** Audit entries, whose texts are searched. */
const auditAtOnce = 200;

export function createErasing(parts: ErasingParts): Erasing {
  const { database } = parts;
  const steps = { erasePersonFromReports, erasePersonFromAudit, ...parts.steps };

  /** The first step, in one guarded change: after it no caller finds the person. The rest cleans up. */
  async function begin(
    change: Change,
    actor: Actor,
    personId: string,
    wanted: { confirmation: string; reports: ErasedReports },
  ): Promise<store.Erasure> {
    const { tx } = change;
    const person = orNotFound(await store.readPerson(tx, personId), 'There is no such person.');
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
    const erasure: store.Erasure = {
      personId,
      pseudonym: `erased person ${randomBytes(3).toString('hex')}`,
      emails: await store.addressesOf(tx, personId, person.email),
      fullName: firstName === '' || lastName === '' ? '' : `${firstName} ${lastName}`,
      reports: erasedReports,
      doneAt: null,
    };
    const counts = await countsOf(tx, personId);
    await requireAdministrator(change, async () => {
      await deleteRightsOf(change, personId);
      await store.clearPerson(change, personId);
    });
    await endSessionsOf(change, personId, 'erased');
    await store.removeBelongings(change, personId);
    if (person.issuer === embeddedIssuer) await store.removeAccount(change, person.subject);
    for (const email of new Set([person.email, ...erasure.emails]))
      await clearAttempts(tx, hashSecret(email));
    if (person.avatar !== null && !(await isShown(tx, person.avatar))) await removeFile(tx, person.avatar);
    await store.insertErasure(change, erasure);
    await recordAudit(change, actor, {
      action: 'person.erase',
      subject: personId,
      after: { name: erasure.pseudonym, ...counts, reportsKept: erasedReports === 'keep' },
    });
    return erasure;
  }

  /** Idempotent. Each step is a transaction of its own, so that other changes never wait long. */
  async function runSteps(erasure: store.Erasure): Promise<void> {
    const { personId } = erasure;
    await database.change(async (change) => {
      await endSessionsOf(change, personId, 'erased');
      await deleteRightsOf(change, personId);
      await store.removeBelongings(change, personId);
      await store.removeMail(change.tx, erasure.emails);
      await erasePersonFromAssignees(change, erasure);
      await erasePersonFromReportSettings(change, erasure);
      await eraseViews(change, personId);
      await erasePersonFromSegments(change, erasure);
      await erasePersonFromStickyBuckets(change.tx, erasure);
    });
    const fate = { fate: erasure.reports, most: reportsAtOnce };
    for (let found = reportsAtOnce; found === reportsAtOnce;)
      found = await database.change((change) => steps.erasePersonFromReports(change, erasure, fate));
    for (let found = messagesAtOnce; found === messagesAtOnce;)
      found = await database.change((change) => erasePersonFromMessages(change, erasure, messagesAtOnce));
    for (let found = filesAtOnce; found === filesAtOnce;)
      found = await database.change(({ tx }) => removeFilesOf(tx, personId));
    await eraseFromErrors(erasure);
    await database.change((change) => store.replaceNames(change, erasure, store.namingColumns(parts.fates)));
    for (const table of ['webhook_delivery', 'notice_event'] as const)
      for (let after: string | null = ''; after !== null;) {
        const place: { after: string; most: number } = { after, most: deliveriesAtOnce };
        after = await database.change((change) =>
          store.replaceInDeliveries(change, erasure, { table, ...place }),
        );
      }
    for (let after: string | null = ''; after !== null;) {
      const place: { after: string; most: number } = { after, most: auditAtOnce };
      after = await database.change((change) => steps.erasePersonFromAudit(change, erasure, place));
    }
    await database.transaction((tx) => store.recordErasureDone(tx, personId, parts.clock.now()));
  }

  async function eraseFromErrors({ personId, pseudonym, emails }: store.Erasure): Promise<void> {
    await database.change((change) => erasePersonFromErrorWork(change, { personId, pseudonym }));
    const hashOf = await createPersonHash(database);
    await erasePersonFromErrors(database, [personId, ...emails].map(hashOf), emails);
  }

  async function removeFilesOf(tx: Writer, personId: string): Promise<number> {
    const found = await store.filesOf(tx, personId, filesAtOnce);
    for (const fileId of found) {
      // The file may be in use elsewhere, such as an operator's upload that became another person's picture.
      if (await isShown(tx, fileId)) await store.unlinkFile(tx, fileId);
      else await removeFile(tx, fileId);
    }
    return found.length;
  }

  return {
    async erase(actor, personId, wanted) {
      const erasure = await database.change((change) => begin(change, actor, personId, wanted));
      const { pseudonym } = erasure;
      try {
        await runSteps(erasure);
      } catch (error) {
        // The person is erased; `resume` retries the remaining steps.
        parts.onFailure(error);
        return { pseudonym, finished: false };
      }
      return { pseudonym, finished: true };
    },

    async resume() {
      for (const erasure of await store.readErasures(database.read)) {
        const { personId, doneAt } = erasure;
        if (doneAt !== null && parts.clock.now() - doneAt < finalSweepAfterMs) continue;
        await runSteps(erasure);
        if (doneAt === null) continue;
        await database.change(async (change) => {
          if (!(await store.hasBelongings(change.tx, personId))) await store.removePerson(change, personId);
        });
      }
    },
  };
}

/** The text that an operator types to confirm the erasure. */
export function confirmationFor(
  { email, firstName, lastName }: Pick<store.PersonToErase, 'email' | 'firstName' | 'lastName'>,
  personId: string,
): string {
  return email || `${firstName} ${lastName}`.trim() || personId;
}

function refuseUnconfirmed(person: store.PersonToErase, personId: string, typed: string): void {
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
