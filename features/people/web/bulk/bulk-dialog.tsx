import {
  type ChangeOfPeople,
  changePeople,
  mostPeopleAtOnce,
  type Person,
} from '#features/people/contract/people.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { problemText } from '#web/platform/calls/problem-text.ts';
import { useApi, useCurrentUser, useFormats } from '#web/platform/contexts.tsx';
import { catalogueKey } from '#web/platform/i18n/isolated.ts';
import { useRightsWords } from '#web/platform/rights-words.ts';
import { ConfirmAction } from '#web/ui/confirm-action.tsx';
import { Field } from '#web/ui/field.tsx';
import { notify } from '#web/ui/notifications/notifications.ts';
import { notifyUndoable } from '#web/ui/notifications/undoable.ts';
import { Select } from '#web/ui/text-input.tsx';
import { peopleKey } from '../people-queries.ts';
import { personName } from '#web/platform/named-person.ts';
import { effectOf, type BulkTask } from './bulk-effect.ts';

type BulkDialogProps = {
  task: BulkTask;
  people: readonly Person[];
  onClose: () => void;
  onDone: () => void;
};

/** Shows what a change of many people will do and to whom, and does it. */
export function BulkDialog({ task, people, onClose, onDone }: BulkDialogProps) {
  const { t } = useTranslation();
  const words = useRightsWords();
  const me = useCurrentUser()?.id ?? null;
  const change = useChange();
  const [role, setRole] = useState(() => firstRole(task, people, words.roles));
  const wanted: ChangeOfPeople =
    task === 'give-role' || task === 'take-role' ? { change: task, role } : { change: task };
  const effect = effectOf(people, wanted, me);
  const text = `PEOPLE.BULK.${catalogueKey(task)}`;
  const count = effect.changed.length;
  return (
    <ConfirmAction
      title={t(`${text}.TITLE`)}
      confirmLabel={t(`${text}.ACTION`)}
      tone={task === 'block' || task === 'sign-out' ? 'danger' : 'primary'}
      hold={count === 0 ? 'refused' : undefined}
      action={() => change(wanted, effect.changed)}
      problem={(error) => problemText(t, error)}
      onDone={onDone}
      onCancel={onClose}
    >
      {task === 'give-role' || task === 'take-role' ? (
        <Field label={t('PEOPLE.BULK.ROLE')} hint={words.roleHint(role)}>
          {({ id, 'aria-describedby': describedBy }) => (
            <Select
              id={id}
              aria-describedby={describedBy}
              value={role}
              onValue={setRole}
              options={words.roles.map((one) => ({ value: one.role, label: words.role(one.role) }))}
            />
          )}
        </Field>
      ) : null}
      <p>{t(`${text}.TEXT`, { count, role: words.role(role) })}</p>
      <Names people={effect.changed} />
      {effect.already.length === 0 ? null : (
        <p className="muted">
          {t(`${text}.ALREADY`, { count: effect.already.length, role: words.role(role) })}
        </p>
      )}
      {effect.withoutYou ? <p className="muted">{t('PEOPLE.PERSON.BLOCK_SELF')}</p> : null}
      {task === 'sign-out' && people.some(({ id }) => id === me) ? (
        <p className="muted">{t('PEOPLE.SIGN_OUT.YOU')}</p>
      ) : null}
    </ConfirmAction>
  );
}

/** The role that is chosen at first; to take a role away, one that a selected person has. */
function firstRole(task: BulkTask, people: readonly Person[], roles: readonly { role: string }[]): string {
  const given = people.flatMap((person) => person.roles);
  const fits = roles.filter(({ role }) =>
    task === 'take-role' ? given.includes(role) : !people.every((person) => person.roles.includes(role)),
  );
  return (fits.at(-1) ?? roles.at(-1))?.role ?? '';
}

/** Names that are shown; the others are counted. */
const mostNames = 8;

function Names({ people }: { people: readonly Person[] }) {
  const { t } = useTranslation();
  if (people.length === 0) return null;
  const others = people.length - mostNames;
  return (
    <ul className="people-bulk-names row wrap gap-1-2">
      {people.slice(0, mostNames).map((person) => (
        <li key={person.id} dir="auto">
          {personName(t, person)}
        </li>
      ))}
      {others > 0 ? <li className="muted">{t('PEOPLE.BULK.OTHERS', { count: others })}</li> : null}
    </ul>
  );
}

/** The change that undoes another one; an ended session stays ended. */
const opposites: Partial<Record<BulkTask, BulkTask>> = {
  'give-role': 'take-role',
  'take-role': 'give-role',
  block: 'unblock',
  unblock: 'block',
};

type Refused = readonly { personId: string; code: string }[];

/** Changes the people in as many calls as it takes, and reports the outcome, also of the calls before a failed one. */
function useChange() {
  const { t } = useTranslation();
  const formats = useFormats();
  const api = useApi();
  const queries = useQueryClient();
  async function send(wanted: ChangeOfPeople, people: readonly Person[]) {
    const refused: Refused[number][] = [];
    let sent = 0;
    let error: Error | null = null;
    try {
      while (sent < people.length) {
        const ids = people.slice(sent, sent + mostPeopleAtOnce).map(({ id }) => id);
        refused.push(...(await api.call(changePeople, { body: { people: ids, wanted } })).refused);
        sent += ids.length;
      }
    } catch (failure) {
      error = failure as Error;
    }
    await queries.invalidateQueries({ queryKey: peopleKey });
    const changed = people
      .slice(0, sent)
      .filter(({ id }) => !refused.some(({ personId }) => personId === id));
    return { changed, refused, error };
  }
  function reportRefused(refused: Refused, people: readonly Person[]) {
    if (refused.length === 0) return;
    const last = refused.some(({ code }) => code === 'LAST_ADMINISTRATOR');
    const names = refused.map(({ personId }) => people.find(({ id }) => id === personId));
    notify({
      kind: 'warning',
      title: t('PEOPLE.BULK.REFUSED', { count: refused.length }),
      content: [
        formats.list(names.flatMap((person) => (person === undefined ? [] : [personName(t, person)]))),
        ...(last ? [t('PEOPLE.PERSON.LAST_ADMINISTRATOR')] : []),
      ].join(' · '),
    });
  }
  return async (wanted: ChangeOfPeople, people: readonly Person[]): Promise<void> => {
    const { changed, refused, error } = await send(wanted, people);
    const opposite = opposites[wanted.change];
    if (changed.length > 0)
      notifyUndoable(t, {
        title: t('PEOPLE.BULK.DONE', { count: changed.length }),
        undo:
          opposite === undefined
            ? null
            : async () => {
                const undone = await send({ ...wanted, change: opposite } as ChangeOfPeople, changed);
                reportRefused(undone.refused, changed);
                if (undone.error !== null) throw undone.error;
              },
        problem: (failure) => problemText(t, failure),
      });
    reportRefused(refused, people);
    if (error !== null) throw error;
  };
}
