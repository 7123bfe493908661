import { erasePersonFromAudit, recordAudit } from './features/audit/audit.store.ts';
import { createErasing, type Erasing, type ErasingParts } from './features/erasure/erase-person.ts';
import { forgetReports } from './features/feedback/forget-reports.ts';
import { isReportPicture } from './features/feedback/pictures-of-reports.ts';
import type { FileUse } from './features/files/files.routes.ts';
import { removeFile } from './features/files/files.store.ts';
import { embeddedIssuer } from './features/identity-provider/accounts.ts';
import { forgetGuesses } from './features/identity-provider/accounts.store.ts';
import { keepAnAdministrator } from './features/people/last-administrator.ts';
import { forgetRightsOf } from './features/permissions/permissions.store.ts';
import { isAvatar } from './features/profile/avatar.ts';
import { endSessionsOf } from './features/session/session.store.ts';
import { hashSecret } from './platform/ids.ts';

/** Each feature that shows files says which ones must stay. */
export const isShown: FileUse = async (read, fileId) =>
  (await isAvatar(read, fileId)) || (await isReportPicture(read, fileId));

/** Erasing people, put together of every feature that keeps something about them: for the server and for the command line. */
export function createErasingOf(where: ErasingPlace): Erasing {
  return createErasing(createErasingPartsOf(where));
}

type ErasingPlace = Pick<ErasingParts, 'database' | 'clock' | 'onFailure'>;

/** What each feature does for it. */
export function createErasingPartsOf({ database, clock, onFailure }: ErasingPlace): ErasingParts {
  return {
    database,
    clock,
    keepAnAdministrator,
    forgetRightsOf,
    endSessionsOf,
    embeddedIssuer,
    forgetGuessesAt: (tx, email) => forgetGuesses(tx, hashSecret(email)),
    forgetReports,
    isShown,
    removeFile,
    erasePersonFromAudit,
    recordAudit,
    onFailure,
  };
}
