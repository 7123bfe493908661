import {
  type CatalogueRight,
  addRight,
  changeRight,
  removeRight,
} from '#features/permissions/contract/administration.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { problemsOf } from '#web/platform/forms/problems-of.ts';
import { HistoryLink } from '#web/platform/lists/history-link.tsx';
import { listState } from '#web/platform/lists/list-state.ts';
import { useApi, useFormats } from '#web/platform/contexts.tsx';
import { catalogueQuery, useRightsWords, rolesQuery } from '#web/platform/rights-words.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { TextField } from '#web/ui/field.tsx';
import { SuggestField } from '#web/ui/suggest-input.tsx';
import { ListFrame } from '#web/ui/list-frame.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { FoundRights } from '../matrix/matrix-panel.tsx';
import { EditDialog, RemoveDialog, useRightsForm } from '../edit-dialog.tsx';
import { rightWords } from '../problem-words.ts';

/** The catalogue of rights: built-in ones, and own ones to add, edit and remove. */
export function RightsPanel({ mayWrite }: { mayWrite: boolean }) {
  const { t } = useTranslation();
  const api = useApi();
  const words = useRightsWords();
  const [editing, setEditing] = useState<CatalogueRight | 'new' | null>(null);
  const [removing, setRemoving] = useState<CatalogueRight | null>(null);
  const catalogue = useQuery(catalogueQuery);
  // Own ones first: they are what changes here.
  const rights = (catalogue.data?.rights ?? []).toSorted((one, other) => +one.builtIn - +other.builtIn);
  const columns: Column<CatalogueRight>[] = [
    {
      key: 'right',
      header: t('ROLES_AND_RIGHTS.RIGHT.LABEL'),
      role: 'primary',
      cell: ({ right }) => (
        <>
          <strong>{words.right(right)}</strong>
          <small className="muted line breaks">{words.rightHint(right)}</small>
        </>
      ),
    },
    {
      key: 'name',
      header: t('ROLES_AND_RIGHTS.RIGHT.NAME'),
      cell: ({ right }) => <code className="line breaks">{right}</code>,
    },
    {
      key: 'area',
      header: t('ROLES_AND_RIGHTS.RIGHT.AREA'),
      narrow: 'hidden',
      cell: (one) => words.area(one),
    },
    {
      key: 'kind',
      header: t('ROLES_AND_RIGHTS.ROLE.KIND'),
      role: 'beside',
      tight: true,
      cell: ({ builtIn }) => (builtIn ? null : <Tag>{t('ROLES_AND_RIGHTS.OWN')}</Tag>),
    },
  ];
  return (
    <ListFrame texts="ROLES_AND_RIGHTS" {...listState(t, catalogue)} detail={undefined} skeletonRows={6}>
      <div className="panel-head gap-2-4 row wrap between">
        <p className="muted">{t('ROLES_AND_RIGHTS.RIGHT.ABOUT')}</p>
        {mayWrite ? (
          <Button tone="primary" icon="plus" onClick={() => setEditing('new')}>
            {t('ROLES_AND_RIGHTS.RIGHT.ADD')}
          </Button>
        ) : null}
      </div>
      <FoundRights rights={rights} first={100} about={t('ROLES_AND_RIGHTS.RIGHT.ABOUT')}>
        {(shown) => (
          <Table
            caption={t('ROLES_AND_RIGHTS.PARTS.RIGHTS')}
            columns={columns}
            rows={shown}
            rowKey={({ right }) => right}
            open={{ act: setEditing }}
          />
        )}
      </FoundRights>
      {editing === null ? null : editing !== 'new' && (editing.builtIn || !mayWrite) ? (
        <RightLookDialog right={editing} onClose={() => setEditing(null)} />
      ) : (
        <RightDialog
          right={editing === 'new' ? null : editing}
          areas={[...new Set(rights.filter((one) => !one.builtIn).map(({ area }) => area))]}
          onRemove={(right) => {
            setEditing(null);
            setRemoving(right);
          }}
          onClose={() => setEditing(null)}
        />
      )}
      {removing === null ? null : (
        <RemoveDialog
          // With the key, since its label may be that of a built-in right.
          name={`${words.right(removing.right)} (${removing.right})`}
          effect={t('ROLES_AND_RIGHTS.RIGHT.REMOVE_EFFECT', { right: removing.right })}
          change={{ change: 'remove-right', right: removing.right }}
          remove={() => api.call(removeRight, { params: { right: removing.right } })}
          onClose={() => setRemoving(null)}
        />
      )}
    </ListFrame>
  );
}

type RightDialogProps = {
  /** Null: a new one. */
  right: CatalogueRight | null;
  /** Suggested. */
  areas: readonly string[];
  onRemove: (right: CatalogueRight) => void;
  onClose: () => void;
};

/** An own right: its key, which code asks for, and its name and description. */
function RightDialog({ right, areas, onRemove, onClose }: RightDialogProps) {
  const { t } = useTranslation();
  const api = useApi();
  const form = useRightsForm({
    saved:
      right === null
        ? { values: { right: '', label: '', description: '', area: '' } }
        : {
            values: {
              right: right.right,
              label: right.label,
              description: right.description,
              area: right.area,
            },
            version: right.version,
          },
    save({ right: name, ...texts }, version, _extra, creation) {
      return right === null
        ? api.call(addRight, { body: { right: name, ...texts } }, creation)
        : api.call(changeRight, { params: { right: name }, body: { ...texts, version } });
    },
    nameOf: (saved) => saved.label,
    onSaved: onClose,
  });
  const { values } = form;
  const problems = problemsOf(t, form.error, rightWords);
  return (
    <EditDialog
      title={right === null ? t('ROLES_AND_RIGHTS.RIGHT.ADD') : right.right}
      action={t('ROLES_AND_RIGHTS.RIGHT.CREATE')}
      form={form}
      problem={problems.general}
      onRemove={right === null ? null : () => onRemove(right)}
      onClose={onClose}
    >
      {right === null ? (
        <TextField
          label={t('ROLES_AND_RIGHTS.RIGHT.NAME')}
          required
          hint={t('ROLES_AND_RIGHTS.RIGHT.NAME_HINT')}
          error={problems.right}
          maxLength={64}
          autoComplete="off"
          spellCheck={false}
          value={values.right}
          onValue={(text) => form.set({ right: text.toUpperCase().replaceAll(/[\s-]+/g, '_') })}
        />
      ) : null}
      <TextField
        label={t('ROLES_AND_RIGHTS.RIGHT.LABEL')}
        required
        error={problems.label}
        maxLength={100}
        {...form.field('label')}
      />
      <TextField
        label={t('ROLES_AND_RIGHTS.DESCRIPTION')}
        error={problems.description}
        maxLength={300}
        {...form.field('description')}
      />
      <SuggestField
        label={t('ROLES_AND_RIGHTS.RIGHT.AREA')}
        required
        hint={t('ROLES_AND_RIGHTS.RIGHT.AREA_HINT')}
        error={problems.area}
        maxLength={60}
        {...form.field('area')}
        options={areas.map((one) => ({ key: one, label: one }))}
      />
      {right === null ? null : (
        <>
          <RightUse right={right.right} />
          <HistoryLink subject={right.right} />
        </>
      )}
    </EditDialog>
  );
}

/** The roles that hold a right, and a link to the people who have it. */
function RightUse({ right }: { right: string }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const words = useRightsWords();
  const roles = useQuery(rolesQuery).data?.roles;
  const holding = roles?.filter(({ rights }) => rights.includes(right)).map(({ role }) => words.role(role));
  return (
    <div className="stack gap-2 breaks">
      {holding === undefined ? null : (
        <p>
          {holding.length === 0
            ? t('ROLES_AND_RIGHTS.RIGHT.IN_NO_ROLE')
            : t('ROLES_AND_RIGHTS.TOUCHED.IN_ROLES', { count: holding.length, roles: formats.list(holding) })}
        </p>
      )}
      <p>
        <Link to="/people" search={{ right }}>
          {t('ROLES_AND_RIGHTS.RIGHT.WHO_HAS_IT')}
        </Link>
      </p>
    </div>
  );
}

/** Shows a right read-only: a built-in one, or to people who may not edit. */
function RightLookDialog({ right, onClose }: { right: CatalogueRight; onClose: () => void }) {
  const { t } = useTranslation();
  const words = useRightsWords();
  return (
    <Dialog title={words.right(right.right)} onClose={onClose}>
      {right.builtIn ? <Notice severity="info">{t('ROLES_AND_RIGHTS.RIGHT.IS_BUILT_IN')}</Notice> : null}
      {words.rightHint(right.right) === '' ? null : <p>{words.rightHint(right.right)}</p>}
      <dl className="facts">
        <dt>{t('ROLES_AND_RIGHTS.RIGHT.NAME')}</dt>
        <dd>
          <code>{right.right}</code>
        </dd>
        <dt>{t('ROLES_AND_RIGHTS.RIGHT.AREA')}</dt>
        <dd>{words.area(right)}</dd>
      </dl>
      <RightUse right={right.right} />
    </Dialog>
  );
}
