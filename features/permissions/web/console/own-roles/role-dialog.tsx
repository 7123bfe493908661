import { addRole, changeRole, type RoleDefinition } from '#features/permissions/contract/administration.ts';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useState } from 'react';
import { useApi } from '#web/platform/contexts.tsx';
import { useFormats } from '#web/platform/i18n/formats-context.tsx';
import { HistoryLink } from '#web/platform/lists/history-link.tsx';
import { useRightsWords } from '#web/platform/rights-words.ts';
import { problemsOf } from '#web/platform/forms/problems-of.ts';
import { LeaveButton } from '#web/ui/dialog.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { RetryNotice } from '#web/ui/states.tsx';
import { Checkbox, SearchInput } from '#web/ui/text-input.tsx';
import { EditDialog } from '../edit-dialog.tsx';
import { roleWords } from '../problem-words.ts';
import { AffectedPeople, changeOf, usePreview } from '../affected-people.tsx';
import { useRightsForm } from '../use-rights-form.ts';
import { roleKeyOf } from './role-key.ts';

export type RoleTask =
  | { what: 'look'; role: RoleDefinition }
  | { what: 'edit'; role: RoleDefinition }
  /** `from`: the role to copy. */
  | { what: 'add'; from: RoleDefinition | null };

/** `key` is null until it is typed: until then it is derived from the name. */
type RoleValues = { name: string; key: string | null; description: string; rights: readonly string[] };

type RoleDialogProps = {
  task: RoleTask;
  /** Null: the person may not edit. */
  onCopy: ((role: RoleDefinition) => void) | null;
  onRemove: (role: RoleDefinition) => void;
  onClose: () => void;
};

/** One role: its name and its rights, and whom a change of them concerns. */
export function RoleDialog({ task, onCopy, onRemove, onClose }: RoleDialogProps) {
  const { t } = useTranslation();
  const api = useApi();
  const words = useRightsWords();
  const formats = useFormats();
  const role = task.what === 'add' ? null : task.role;
  const source = role ?? (task.what === 'add' ? task.from : null);
  const copyOf = task.what === 'add' ? task.from : null;
  const first: RoleValues = {
    name:
      copyOf !== null
        ? t('ROLES_AND_RIGHTS.ROLE.COPY_OF', { name: words.role(copyOf.role) })
        : (source?.name ?? ''),
    key: null,
    description: source === null ? '' : source.builtIn ? words.roleHint(source.role) : source.description,
    rights: source?.rights ?? [],
  };
  const looking = task.what === 'look';
  const form = useRightsForm({
    saved: role === null ? { values: first } : { values: first, version: role.version },
    save({ name, key, description, rights }, version, _extra, creation) {
      const body = { name, description, rights: [...rights] };
      return role === null
        ? api.call(addRole, { body: { role: key ?? roleKeyOf(name), ...body } }, creation)
        : api.call(changeRole, { params: { role: role.role }, body: { ...body, version } });
    },
    nameOf: (saved) => saved.name,
    onClose,
  });
  const { name, key, description, rights } = form.values;
  const problems = problemsOf(t, form.error, roleWords);

  return (
    <EditDialog
      kind="wide"
      title={looking || role !== null ? words.role(role?.role ?? '') : t('ROLES_AND_RIGHTS.ROLE.ADD')}
      form={form}
      problem={problems.general}
      onSave={looking ? null : form.save}
      onRemove={task.what === 'edit' ? () => onRemove(task.role) : null}
      onClose={onClose}
      cancel={task.what === 'add'}
      others={
        role === null || onCopy === null ? null : (
          <LeaveButton icon="copy" onLeave={() => onCopy(role)}>
            {t('ROLES_AND_RIGHTS.ROLE.COPY')}
          </LeaveButton>
        )
      }
    >
      {role === null ? null : (
        <div className="row gap-3 wrap">
          <Link to="/people" search={{ role: role.role }}>
            {t('ROLES_AND_RIGHTS.MATRIX.PEOPLE', { count: role.people, shown: formats.number(role.people) })}
          </Link>
          {role.builtIn ? null : <HistoryLink subject={role.role} />}
        </div>
      )}
      {looking && role !== null && !role.builtIn && role.description !== '' ? (
        <p dir="auto">{role.description}</p>
      ) : null}
      {looking && role?.builtIn === true ? (
        <Notice severity="info">{t('ROLES_AND_RIGHTS.ROLE.IS_BUILT_IN')}</Notice>
      ) : null}
      {looking ? null : (
        <>
          <div className="field-row">
            <TextField
              label={t('ROLES_AND_RIGHTS.ROLE.NAME')}
              required
              error={problems.name}
              maxLength={60}
              value={name}
              onValue={(text) => form.set({ name: text })}
            />
            {role === null ? (
              <TextField
                label={t('ROLES_AND_RIGHTS.ROLE.KEY')}
                required
                hint={t('ROLES_AND_RIGHTS.ROLE.KEY_HINT')}
                error={problems.role}
                maxLength={48}
                spellCheck={false}
                value={key ?? roleKeyOf(name)}
                onValue={(text) => form.set({ key: text })}
              />
            ) : null}
          </div>
          <TextField
            label={t('ROLES_AND_RIGHTS.DESCRIPTION')}
            error={problems.description}
            maxLength={300}
            value={description}
            onValue={(text) => form.set({ description: text })}
          />
        </>
      )}
      <RightChoice
        saved={task.what === 'edit' ? task.role.rights : rights}
        chosen={rights}
        onChosen={(chosen) => form.set({ rights: chosen })}
        readOnly={looking}
      />
      {task.what === 'edit' ? <RolePreview role={task.role.role} rights={rights} /> : null}
    </EditDialog>
  );
}

function RolePreview({ role, rights }: { role: string; rights: readonly string[] }) {
  return <AffectedPeople {...usePreview({ change: 'set-role', role, rights: [...rights] })} />;
}

/** The most that are shown at once; the search finds the others. */
const mostShown = 60;

type RightChoiceProps = {
  saved: readonly string[];
  chosen: readonly string[];
  onChosen: (rights: readonly string[]) => void;
  readOnly: boolean;
};

/** The rights of a role. The catalogue may have thousands. */
function RightChoice({ saved, chosen, onChosen, readOnly }: RightChoiceProps) {
  const { t } = useTranslation();
  const words = useRightsWords();
  const [search, setSearch] = useState('');
  const wanted = search.trim().toLowerCase();
  const held = new Set(chosen);
  const change = changeOf(saved, chosen);
  const offered = readOnly ? words.rights.filter(({ right }) => held.has(right)) : words.rights;
  const found = offered.filter((one) =>
    `${one.right}\n${words.right(one.right)}\n${words.area(one)}`.toLowerCase().includes(wanted),
  );
  const shown = found.slice(0, mostShown);
  return (
    <fieldset className="choice">
      <legend>
        {t('ROLES_AND_RIGHTS.ROLE.RIGHTS_COUNT', { count: chosen.length })}
        {change === null ? null : (
          <span className="muted small role-change">{t('ROLES_AND_RIGHTS.ROLE.CHANGE', change)}</span>
        )}
      </legend>
      {words.missing.rights === null ? null : (
        <RetryNotice retry={{ label: t('COMMON.RETRY'), ...words.missing.rights }}>
          {t('ROLES_AND_RIGHTS.RIGHT.FAILED')}
        </RetryNotice>
      )}
      {offered.length > 8 ? (
        <SearchInput
          label={t('ROLES_AND_RIGHTS.RIGHT.SEARCH')}
          value={search}
          maxLength={100}
          onValue={setSearch}
        />
      ) : null}
      {found.length === 0 ? <p className="muted">{t('ROLES_AND_RIGHTS.RIGHT.NOTHING_FOUND')}</p> : null}
      {shown.length === 0 ? null : (
        <div className="right-choice stack gap-2">
          {shown.map((one) => {
            const label = (
              <>
                {words.right(one.right)} <code>{one.right}</code>
              </>
            );
            return readOnly ? (
              <span key={one.right} dir="auto">
                {label}
              </span>
            ) : (
              <Checkbox
                key={one.right}
                label={label}
                hint={words.area(one)}
                checked={held.has(one.right)}
                onChecked={(checked) =>
                  onChosen(checked ? [...chosen, one.right] : chosen.filter((right) => right !== one.right))
                }
              />
            );
          })}
        </div>
      )}
      {found.length > shown.length ? (
        <p className="muted">{t('ROLES_AND_RIGHTS.RIGHT.OTHERS', { count: found.length - shown.length })}</p>
      ) : null}
    </fieldset>
  );
}
