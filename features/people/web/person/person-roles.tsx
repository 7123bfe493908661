import '../people.css';
import { type Person, setRoles } from '#features/people/contract/people.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useApi } from '#web/platform/contexts.tsx';
import { problemsOf, type ProblemWords } from '#web/platform/forms/problems-of.ts';
import { useVersionedForm } from '#web/platform/forms/versioned-form.ts';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { notifyUndoable } from '#web/ui/notifications/undoable.ts';
import { peopleKey, personQuery } from '../people-queries.ts';
import { personName } from '#web/platform/named-person.ts';
import { RoleTags } from '../person-tags.tsx';
import { useRightsWords } from '#web/platform/rights-words.ts';
import { RetryNotice } from '#web/ui/states.tsx';
import { Checkbox } from '#web/ui/text-input.tsx';

const words: ProblemWords<never> = {
  fields: {},
  codes: {
    LAST_ADMINISTRATOR: 'PEOPLE.PERSON.LAST_ADMINISTRATOR',
    VERSION_CONFLICT: 'EDITING.CONFLICT',
  },
};

/** The roles of a person. */
export function PersonRoles({ person }: { person: Person }) {
  const { t } = useTranslation();
  return (
    <section className="panel shrinks" aria-labelledby="person-roles">
      <div className="person-card-head">
        <h2 id="person-roles">{t('PEOPLE.ROLES')}</h2>
      </div>
      <div className="person-card-body stack">
        <RoleTags {...person} />
      </div>
    </section>
  );
}

export function RolesDialog({ person, onClose }: { person: Person; onClose: () => void }) {
  const { t } = useTranslation();
  const api = useApi();
  const queries = useQueryClient();
  const form = useVersionedForm({
    saved: { values: { roles: person.roles }, version: person.version },
    same: (one, other) =>
      one.roles.length === other.roles.length && one.roles.every((role) => other.roles.includes(role)),
    save: (values, version) =>
      api.call(setRoles, { params: { personId: person.id }, body: { ...values, version } }),
    async onSaved(saved) {
      queries.setQueryData(personQuery(person.id).queryKey, saved);
      await queries.invalidateQueries({ queryKey: peopleKey });
      const { id: personId, version } = saved;
      notifyUndoable(t, {
        key: 'roles',
        title: t('PEOPLE.PERSON.ROLES_SAVED'),
        content: t('PEOPLE.PERSON.ROLES_SAVED_TEXT', { name: personName(t, saved) }),
        undo: () =>
          api
            .call(setRoles, { params: { personId }, body: { roles: person.roles, version } })
            .finally(() => void queries.invalidateQueries({ queryKey: peopleKey })),
        problem: (error) => problemsOf(t, error, words).general,
      });
      onClose();
    },
    follows: 'untyped',
    reload: peopleKey,
  });
  return (
    <FormDialog
      title={t('PEOPLE.PERSON.ROLES_OF', { name: personName(t, person) })}
      form={form}
      problem={problemsOf(t, form.error, words).general}
      action={t('PEOPLE.PERSON.SAVE_ROLES')}
      onSubmit={() => (form.typed ? form.save() : onClose())}
      onClose={onClose}
    >
      <RoleChoice chosen={form.values.roles} onChosen={(roles) => form.set({ roles })} disabled={form.busy} />
    </FormDialog>
  );
}

type RoleChoiceProps = {
  chosen: readonly string[];
  onChosen: (roles: string[]) => void;
  disabled?: boolean;
};

/** The roles of a person, each with what it is for. */
export function RoleChoice({ chosen, onChosen, disabled = false }: RoleChoiceProps) {
  const { t } = useTranslation();
  const words = useRightsWords();
  return (
    <fieldset className="choice" disabled={disabled}>
      <legend>{t('PEOPLE.ROLES')}</legend>
      {words.missing.roles === null ? null : (
        <RetryNotice retry={{ label: t('COMMON.RETRY'), ...words.missing.roles }}>
          {t('PEOPLE.ROLES_FAILED')}
        </RetryNotice>
      )}
      <div className="role-choice scrolls stack gap-2">
        {words.roles.map(({ role }) => (
          <Checkbox
            key={role}
            label={words.role(role)}
            hint={words.roleHint(role)}
            checked={chosen.includes(role)}
            onChecked={(checked) =>
              onChosen(
                checked
                  ? words.roles.map((one) => one.role).filter((one) => one === role || chosen.includes(one))
                  : chosen.filter((one) => one !== role),
              )
            }
          />
        ))}
      </div>
    </fieldset>
  );
}
