import { resolve } from 'node:path';
import {
  planRelink,
  relink,
  type RelinkBy,
  type RelinkPlan,
} from '#features/outside-provider/server/relink.ts';
import { embeddedIssuer } from '#features/identity-provider/server/accounts.ts';
import { fates } from '../features.ts';
import { recordAudit } from '#features/audit/server/audit.store.ts';
import { confirmationFor, createErasing } from '#features/erasure/server/erase-person.ts';
import { readPerson } from '#features/erasure/server/erasure.store.ts';
import { exportPerson } from '#features/erasure/server/export-person.ts';
import { readRetention } from '#features/erasure/server/retention.ts';
import { zipStream } from '../platform/files/zip-stream.ts';
import type { Command, Values } from './command.ts';
import { Failure, UsageError } from './failure.ts';
import { choiceIn, lineIn, textFrom } from './values.ts';
import { writeNewFile } from './new-file.ts';
import { personOf, whichPerson, whoIn } from './which-person.ts';

export const peopleExport: Command = {
  summary: 'Writes everything that is kept about a person to a ZIP file',
  about:
    'Profile, rights, reports with their pictures, files and what the audit records, without passwords and secrets.',
  startsData: false,
  options: {
    ...whichPerson,
    to: { value: 'FILE', help: 'The file to write, which must not be there yet', required: true },
  },
  prepare(values) {
    const who = whoIn(values);
    const file = resolve(lineIn(values, 'to', 1, 4096));
    return async ({ database, clock, files: store, actor }) => {
      const { id: personId } = await personOf(database.read, who);
      const missing: string[] = [];
      const entries = exportPerson(
        { read: database.read, store, onMissing: (name) => missing.push(name) },
        personId,
        { forThemself: false },
      );
      await writeNewFile(file, zipStream(entries, new Date(clock.now())));
      await database.change((change) =>
        recordAudit(change, actor, { action: 'person.export', subject: personId }),
      );
      return {
        result: file,
        notes:
          missing.length === 0
            ? [`Everything about ${who.typed} is in this file; only you can read it.`]
            : [
                `What could be read about ${who.typed} is in this file; only you can read it.`,
                'These files are stored, but could not be read, and are not in it:',
                ...missing.map((name) => `  ${name}`),
              ],
        json: { id: personId, file, missing },
        failed: missing.length > 0,
      };
    };
  },
};

export const peopleErase: Command = {
  summary: 'Erases a person permanently',
  about: [
    'Takes account, profile, rights, sessions and files, and replaces the name by a pseudonym in what others need. What becomes',
    'of reports, the setting in the console says. The last administrator cannot be erased.',
  ].join('\n'),
  startsData: false,
  options: {
    ...whichPerson,
    confirm: {
      value: 'ADDRESS|ID',
      help: 'The same once more, since this cannot be undone',
      required: true,
    },
  },
  prepare(values) {
    const who = whoIn(values);
    if (whoIn({ [who.by]: values['confirm'] }).typed !== who.typed)
      throw new UsageError(`--confirm is not what stands at --${who.by}. Nothing was erased.`);
    return async ({ database, clock, actor }) => {
      const { id: personId } = await personOf(database.read, who);
      const person = await readPerson(database.read, personId);
      if (person === null) throw new Failure(`Nobody has the id ${personId}.`);
      const { erasedReports } = await readRetention(database.read);
      const erasing = createErasing({ database, clock, fates, onFailure: () => {} });
      const { pseudonym, finished } = await erasing.erase(actor, personId, {
        confirmation: confirmationFor(person, personId),
        reports: erasedReports,
      });
      return {
        result: pseudonym,
        notes: [
          `What ${who.typed} did stands under "${pseudonym}" from now on.`,
          ...(finished ? [] : ['It was interrupted; a running server finishes it within ten minutes.']),
        ],
        json: { id: personId, pseudonym, finished },
      };
    };
  },
};

export const peopleRelink: Command = {
  summary: 'Lets people keep what is theirs after a change of provider',
  about: [
    'People are known by issuer and subject, which are others at another provider. By email: who signs in there for the',
    'first time with a verified address is the person who has it here. By a file: each line has the old and the new subject,',
    'separated by a comma. Do it before people sign in at the new provider. Without --apply it only shows what would happen.',
    'Whose address the old provider does not vouch for stays as they are: name them in a file, or add --unverified-too.',
  ].join('\n'),
  startsData: false,
  options: {
    from: {
      value: 'ISSUER',
      help: 'Where they signed in until now; "embedded" for the embedded provider',
      required: true,
    },
    to: { value: 'ISSUER', help: 'Where they sign in from now on, exactly as OIDC_ISSUER', required: true },
    by: { value: 'email', help: 'Find them by their verified address at their first sign-in' },
    'unverified-too': { value: null, help: 'With --by email: also people whose address is not verified' },
    map: { value: 'FILE', help: 'Or by this file of subjects' },
    apply: { value: null, help: 'Do it' },
  },
  prepare(values) {
    const from = lineIn(values, 'from', 1, 500);
    const to = lineIn(values, 'to', 1, 500);
    if (from === to) throw new UsageError('--from and --to are the same.');
    const way = wayIn(values);
    const apply = values['apply'] !== undefined;
    return async ({ database, actor, issuer }) => {
      const plan = apply
        ? await database.change(async (change) => {
            const made = await planRelink(change.tx, from, to, way);
            await relink(change, actor, made, to);
            return made;
          })
        : await planRelink(database.read, from, to, way);
      if (plan.relinked.length + plan.left.length === 0)
        throw new Failure(`Nobody signs in at ${from}. The audit, or an ID token’s "iss", shows the issuer.`);
      const warnings = warningsOf(to, issuer);
      return {
        result: written(plan, apply),
        notes: warnings,
        json: { applied: apply, from, to, warnings, ...plan },
      };
    };
  },
};

function wayIn(values: Values): RelinkBy {
  const by = choiceIn(values, 'by', ['email']);
  const file = values['map'];
  if ((by === null) === (file === undefined))
    throw new UsageError('Either --by email or --map FILE is needed.');
  const unverifiedToo = values['unverified-too'] !== undefined;
  if (file === undefined) return { by: 'email', unverifiedToo };
  if (unverifiedToo) throw new UsageError('--unverified-too belongs to --by email.');
  return { by: 'subject', subjects: subjectsIn(file) };
}

/** People are found by the issuer's exact text: one that is almost right would find no one. */
function warningsOf(to: string, issuer: string): string[] {
  if (to === issuer) return [];
  const bare = (address: string): string => address.trim().replace(/\/+$/, '').toLowerCase();
  const where =
    issuer === embeddedIssuer
      ? 'OIDC_ISSUER is not set here'
      : `OIDC_ISSUER is ${JSON.stringify(issuer)} here`;
  const almost =
    bare(to) === bare(issuer)
      ? 'They are almost the same: look at the slash at the end and at capitals. '
      : '';
  return [
    `Warning: --to is ${JSON.stringify(to)}, but ${where}. ${almost}People are found only if both are the same, letter for letter.`,
  ];
}

function subjectsIn(file: string): Map<string, string> {
  const subjects = new Map<string, string>();
  for (const [index, line] of textFrom(file).split(/\r?\n/).entries()) {
    if (line.trim() === '') continue;
    const [before = '', after = '', ...rest] = line.split(',').map((part) => part.trim());
    const isSubject = /^[^\u0000-\u001f\u007f]{1,255}$/;
    if (rest.length > 0 || !isSubject.test(before) || !isSubject.test(after))
      throw new Failure(
        `Line ${index + 1} of ${file} is not an old and a new subject, separated by a comma.`,
      );
    if (subjects.has(before) || [...subjects.values()].includes(after))
      throw new Failure(`Line ${index + 1} of ${file} names a subject for the second time.`);
    subjects.set(before, after);
  }
  return subjects;
}

const reasons: Record<RelinkPlan['left'][number]['reason'], string> = {
  'not-in-map': 'is not in the file',
  'no-email': 'has no email address',
  'email-unverified': 'has an address that is not verified',
  'email-shared': 'shares the address with another person',
  taken: 'another person has signed in there with this identity already',
};

function written({ relinked, left }: RelinkPlan, applied: boolean): string {
  const who = ({ email, subject }: { email: string; subject: string }): string =>
    email === '' ? subject : email;
  return [
    ...relinked.map((person) =>
      person.toSubject === null
        ? `${who(person)}: found by the address at the first sign-in`
        : `${who(person)}: ${person.subject} becomes ${person.toSubject}`,
    ),
    ...left.map((person) => `${who(person)}: stays, ${reasons[person.reason]}`),
    applied
      ? `Done: ${relinked.length} relinked, ${left.length} left as they are.`
      : `Nothing is changed yet. With --apply: ${relinked.length} relinked, ${left.length} left as they are.`,
  ].join('\n');
}
