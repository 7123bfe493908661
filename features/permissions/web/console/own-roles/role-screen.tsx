import {
  changeRole,
  removeRole,
  type RoleDefinition,
} from '#features/permissions/contract/administration.ts';
import { listPeople } from '#features/people/contract/people.ts';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { routeQuery } from '#web/platform/calls/route-query.ts';
import { detailOf, listState } from '#web/platform/lists/list-state.ts';
import { useOpenedRow } from '#web/platform/lists/opened-row.ts';
import { useApi, useCan, useFormats } from '#web/platform/contexts.tsx';
import { problemsOf } from '#web/platform/forms/problems-of.ts';
import { HistoryLink } from '#web/platform/lists/history-link.tsx';
import { initials, namedPerson } from '#web/platform/named-person.ts';
import { rolesQuery, useRightsWords } from '#web/platform/rights-words.ts';
import { Button } from '#web/ui/button.tsx';
import { Face } from '#web/ui/face.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { DetailPage } from '#web/app/detail-page.tsx';
import { ListFrame } from '#web/ui/list-frame.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { roleWords } from '../problem-words.ts';
import { RemoveDialog, useRightsForm } from '../edit-dialog.tsx';
import { mappingsQuery } from '../groups/groups-panel.tsx';
import { RightChoice } from './right-choice.tsx';
import { RoleDialog } from './role-dialog.tsx';
import { RoleSaveBar } from './role-save-bar.tsx';
import '../roles.css';

/** One role: its name, its rights, who has it and which groups give it. */
export function RoleScreen() {
  const { t } = useTranslation();
  const { role: key = '' }: { role?: string } = useParams({ strict: false });
  const roles = useQuery(rolesQuery);
  const words = useRightsWords();
  const mayWrite = useCan()('PEOPLE_WRITE');
  const opened = useOpenedRow(roles.data?.roles, key, (one) => one.role);
  const gone = opened?.gone ?? false;
  const { thing: role, frame } = detailOf(t, roles, () => (gone && !mayWrite ? undefined : opened?.row));
  return (
    <DetailPage
      up="/roles"
      upTitle={t('ROLES_AND_RIGHTS.TITLE')}
      heading={words.role(key)}
      texts="ROLES_AND_RIGHTS.ROLE"
      values={{ key }}
      {...frame}
    >
      {role === undefined ? null : <RolePage key={role.role} role={role} gone={gone} />}
    </DetailPage>
  );
}

/** @param gone another operator has removed it */
function RolePage({ role, gone }: { role: RoleDefinition; gone: boolean }) {
  const { t } = useTranslation();
  const api = useApi();
  const navigate = useNavigate();
  const words = useRightsWords();
  const mayWrite = useCan()('PEOPLE_WRITE');
  const [doing, setDoing] = useState<'copy' | 'remove' | null>(null);
  const stop = () => setDoing(null);
  return (
    <>
      <header className="row wrap between">
        <div>
          <div className="row wrap">
            <h1 dir="auto">{words.role(role.role)}</h1>
            <Tag>{t(role.builtIn ? 'ROLES_AND_RIGHTS.BUILT_IN' : 'ROLES_AND_RIGHTS.OWN')}</Tag>
          </div>
          <p className="muted" dir="auto">
            {words.roleHint(role.role)}
          </p>
        </div>
        {mayWrite ? (
          <div className="screen-actions">
            <Button icon="copy" onClick={() => setDoing('copy')}>
              {t('ROLES_AND_RIGHTS.ROLE.COPY')}
            </Button>
            {role.builtIn ? null : (
              <Button icon="trash" tone="danger" disabled={gone} onClick={() => setDoing('remove')}>
                {t('ROLES_AND_RIGHTS.REMOVE')}
              </Button>
            )}
          </div>
        ) : null}
      </header>
      <div className="role-columns stack top gap-6">
        {mayWrite && !role.builtIn ? (
          <RoleForm role={role} gone={gone} />
        ) : (
          <div className="stack">
            {role.builtIn ? <Notice severity="info">{t('ROLES_AND_RIGHTS.ROLE.IS_BUILT_IN')}</Notice> : null}
            <RightChoice chosen={role.rights} onChosen={null} />
          </div>
        )}
        <div className="stack gap-4">
          <PeopleWithRole role={role} />
          <GroupsOfRole role={role.role} />
          {role.builtIn ? null : <HistoryLink subject={role.role} />}
        </div>
      </div>
      {doing === 'copy' ? <RoleDialog from={role} onClose={stop} /> : null}
      {doing === 'remove' ? (
        <RemoveDialog
          name={words.role(role.role)}
          effect={t('ROLES_AND_RIGHTS.ROLE.REMOVE_EFFECT')}
          change={{ change: 'remove-role', role: role.role }}
          remove={async () => {
            await api.call(removeRole, { params: { role: role.role } });
            void navigate({ to: '/roles' });
          }}
          onClose={stop}
        />
      ) : null}
    </>
  );
}

/** Name, description and rights of an own role; what another operator saves shows at once where nothing is typed. */
function RoleForm({ role, gone }: { role: RoleDefinition; gone: boolean }) {
  const { t } = useTranslation();
  const api = useApi();
  const form = useRightsForm({
    saved: {
      values: {
        name: role.name,
        description: role.description,
        rights: role.rights,
      },
      version: role.version,
    },
    save: (values, version) =>
      api.call(changeRole, {
        params: { role: role.role },
        body: { ...values, version },
      }),
    nameOf: (saved) => saved.name,
    follows: 'untyped',
    gone,
  });
  const { rights } = form.values;
  const problems = problemsOf(t, form.error, roleWords);
  return (
    <div className="stack">
      <div className="field-row">
        <TextField
          label={t('ROLES_AND_RIGHTS.ROLE.NAME')}
          required
          error={problems.name}
          maxLength={60}
          {...form.field('name')}
        />
        <TextField
          label={t('ROLES_AND_RIGHTS.DESCRIPTION')}
          error={problems.description}
          maxLength={300}
          {...form.field('description')}
        />
      </div>
      <RightChoice chosen={rights} onChosen={(chosen) => form.set({ rights: [...chosen] })} />
      {form.typed || form.gone ? (
        <RoleSaveBar role={role} rights={rights} form={form} problem={problems.general} onSave={form.save} />
      ) : null}
    </div>
  );
}

/** How many people the page names; the list of people has them all. */
const mostPeople = 10;

function PeopleWithRole({ role: { role, people: count } }: { role: RoleDefinition }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const people = useQuery(routeQuery(['people', 'of-role', role], listPeople, { query: { role } }));
  const shown = people.data?.people.slice(0, mostPeople) ?? [];
  const total = people.data?.total ?? count;
  return (
    <section className="stack gap-2" aria-labelledby="role-people">
      <h2 id="role-people">{t('ROLES_AND_RIGHTS.ROLE.PEOPLE')}</h2>
      <ListFrame {...listState(t, people)} skeletonRows={Math.min(count, mostPeople)}>
        {total === 0 ? (
          <p className="muted">{t('ROLES_AND_RIGHTS.ROLE.NOBODY')}</p>
        ) : (
          <>
            <ul className="list panel">
              {shown.map((person) => {
                const { id, firstName, lastName, email } = person;
                const name = namedPerson(t, { id, name: `${firstName} ${lastName}`, email });
                return (
                  <li key={id} className="row">
                    <Face letters={initials(name)} of={name} />
                    <Link to="/people/$personId" params={{ personId: id }} dir="auto">
                      {name}
                    </Link>
                  </li>
                );
              })}
            </ul>
            <Link to="/people" search={{ role }}>
              {t('ROLES_AND_RIGHTS.MATRIX.PEOPLE', { count: total, shown: formats.number(total) })}
            </Link>
          </>
        )}
      </ListFrame>
    </section>
  );
}

/** The groups of the identity provider that give the role; nothing where none does. */
function GroupsOfRole({ role }: { role: string }) {
  const { t } = useTranslation();
  const mappings = useQuery(mappingsQuery).data?.mappings ?? [];
  const giving = mappings.filter(({ roles }) => roles.includes(role));
  if (giving.length === 0) return null;
  return (
    <section className="stack gap-2" aria-labelledby="role-groups">
      <h2 id="role-groups">{t('ROLES_AND_RIGHTS.PARTS.GROUPS')}</h2>
      <ul className="list panel">
        {giving.map(({ id, name, match }) => (
          <li key={id}>
            <Link to="/roles" search={{ show: 'groups' }} className="lines breaks" dir="auto">
              {match === 'prefix' ? `${name}…` : name}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
