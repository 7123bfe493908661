import { getProfile, updateProfile, type Profile } from '#features/profile/contract/profile.ts';
import { feature } from '#server/feature.ts';
import type { Reader, Change } from '#server/platform/database/database.ts';
import { HttpProblem, invalid, orNotFound, refuseStale } from '#server/platform/http/http-problem.ts';
import {
  type FileReader,
  fileOf,
  isShown,
  removeFile,
  type StoredFile,
} from '#features/files/server/files.store.ts';
import type { FieldProblem } from '#contract/problem.ts';
import { presentTimeZone } from '#contract/time-zones.ts';
import type { BodyOf } from '#contract/route.ts';
import type { Caller } from '#server/platform/http/access-check.ts';
import { recordAudit } from '#features/audit/server/audit.store.ts';
import { profileOf, writeProfile } from './profile.store.ts';

export const profileFeature = feature({
  create(core, { files }) {
    files.addReader(readsAvatar);
    return {
      routes(serve) {
        serve(getProfile, async ({ params }) =>
          orNotFound(await profileOf(core.database.read, params.userId), 'There is no such person.'),
        );
        serve(updateProfile, ({ params, body, caller }) =>
          core.database.change((change) => changeProfile(change, caller, params.userId, body)),
        );
      },
    };
  },
  fates: {
    profile: {
      own: [
        'person_id',
        'first_name',
        'last_name',
        'name_key',
        'phone',
        'organisation',
        'job_title',
        'locale',
        'time_zone',
        'avatar',
      ],
    },
  },
});

/** Who may read a person's profile may read their picture (PRO-1). */
const readsAvatar: FileReader = async (read, file, caller, rights) => {
  const shownBy = await personShowing(read, file.id);
  return shownBy.length > 0 && (rights.has('PEOPLE_READ') || shownBy.includes(caller.id));
};

async function personShowing(read: Reader, fileId: string): Promise<string[]> {
  const rows = await read.selectFrom('profile').select('person_id').where('avatar', '=', fileId).execute();
  return rows.map((row) => row.person_id);
}

type WantedProfile = BodyOf<typeof updateProfile>;

const replaced = [
  'firstName',
  'lastName',
  'phone',
  'organisation',
  'jobTitle',
  'locale',
  'timeZone',
  'avatar',
] as const;

/**
 * Replaces a person's own profile data and answers what is stored. Equal data changes nothing, the version
 * included. The audit has what is done to others and what scripts do, not what people do to their own.
 *
 * @throws HttpProblem NOT_FOUND, VERSION_CONFLICT, or INVALID_BODY for a picture that cannot be theirs
 */
async function changeProfile(
  change: Change,
  caller: Caller,
  personId: string,
  sent: WantedProfile,
): Promise<Profile> {
  const wanted = { ...sent, timeZone: sent.timeZone === null ? null : presentTimeZone(sent.timeZone) };
  const before = orNotFound(await profileOf(change.tx, personId), 'There is no such person.');
  refuseStale(before, wanted.version, 'This profile was changed meanwhile. Look again, then repeat it.');
  refuseReadOnly(before, wanted);
  if (replaced.every((field) => before[field] === wanted[field])) return before;
  const owners = [personId, caller.id];
  if (wanted.avatar !== null && wanted.avatar !== before.avatar) {
    const file = await fileOf(change.tx, wanted.avatar);
    refuseAvatar(file !== null && owners.includes(file.owner ?? '') ? file : null);
  }
  await writeProfile(change, before, wanted);
  if (before.avatar !== null && before.avatar !== wanted.avatar) {
    const file = await fileOf(change.tx, before.avatar);
    const isOwn = file !== null && owners.includes(file.owner ?? '');
    if (isOwn && !(await isShown(change.tx, file.id))) await removeFile(change.tx, file.id);
  }
  const after = { ...before, ...picked(wanted), version: before.version + 1 };
  if (caller.id !== personId) {
    await recordAudit(change, caller, {
      action: 'profile.update',
      subject: personId,
      before: picked(before),
      after: picked(after),
    });
  }
  return after;
}

function picked(profile: Pick<Profile, (typeof replaced)[number]>) {
  const { firstName, lastName, phone, organisation, jobTitle, locale, timeZone, avatar } = profile;
  return { firstName, lastName, phone, organisation, jobTitle, locale, timeZone, avatar };
}

function refuseReadOnly(before: Profile, wanted: WantedProfile): void {
  const errors = (['id', 'email', 'createdAt'] as const)
    .filter((field) => wanted[field] !== undefined && wanted[field] !== before[field])
    .map((field): FieldProblem => ({
      pointer: `/${field}`,
      code: 'read_only',
      message: 'cannot be changed here',
    }));
  if (errors.length > 0) throw new HttpProblem('INVALID_BODY', { errors });
}

/** The limits of a picture: many are shown small on one page, so only small files, of types shown everywhere. */
const avatarLimits = { bytes: 2 * 1024 * 1024, side: 4096 };
const avatarTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];

function refuseAvatar(file: StoredFile | null): void {
  const wrong = avatarFault(file);
  if (wrong !== null) throw invalid('/avatar', wrong.code, wrong.message);
}

function avatarFault(file: StoredFile | null): Omit<FieldProblem, 'pointer'> | null {
  if (file === null) return { code: 'invalid', message: 'is no file of this person or of yours' };
  if (!avatarTypes.includes(file.contentType))
    return { code: 'type', message: 'must be a PNG, JPEG, WebP or GIF' };
  if (file.size > avatarLimits.bytes)
    return { code: 'too_big', message: `must have at most ${avatarLimits.bytes} bytes` };
  if (Math.max(file.width ?? 0, file.height ?? 0) > avatarLimits.side)
    return { code: 'too_big', message: `must have at most ${avatarLimits.side} pixels on a side` };
  return null;
}
