import {
  addView,
  changeView,
  listViews,
  removeView,
  sharedViews,
  type View,
  type ViewedList,
  type ViewQuery,
  viewRights,
} from '#features/views/contract/views.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { routeQuery } from '#web/platform/calls/route-query.ts';
import { useApi, useCan } from '#web/platform/contexts.tsx';
import { problemsOf } from '#web/platform/forms/problems-of.ts';
import { useVersionedForm } from '#web/platform/forms/versioned-form.ts';
import { IconButton } from '#web/ui/button.tsx';
import { ConfirmAction } from '#web/ui/confirm-action.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { TextField } from '#web/ui/field.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Menu, type MenuChoice } from '#web/ui/menu.tsx';
import { notify } from '#web/ui/notifications/notifications.ts';
import { Tag } from '#web/ui/tag.tsx';
import { Checkbox } from '#web/ui/text-input.tsx';
import { useAddressFilter, useRemoval } from '#web/platform/lists/list-state.ts';
import './views.css';

type Doing = 'saving' | 'managing' | { renaming: View } | { removing: View } | null;

type ViewMenuProps = {
  list: ViewedList;
  /** The address parameters that a view stores: search, filters and order. */
  fields: readonly string[];
};

/** The person's own views of a list and the shared ones; a view is a named search, filters and order. */
export function ViewMenu({ list, fields }: ViewMenuProps) {
  const { t } = useTranslation();
  const [address, setAddress] = useAddressFilter(fields);
  const views =
    useQuery({
      ...routeQuery(keyOf(list), listViews, { query: { list } }),
      staleTime: 60_000,
    }).data ?? [];
  const [doing, setDoing] = useState<Doing>(null);
  const shown = Object.fromEntries(Object.entries(address).filter(([, value]) => value !== ''));
  const current = views.find(({ query }) => sorted(query) === sorted(shown));
  const blank = Object.fromEntries(fields.map((name) => [name, '']));
  const choice = (label: string, some: readonly View[]): MenuChoice[] =>
    some.length === 0
      ? []
      : [
          {
            label,
            isPrivate: true,
            options: some.map((one) => ({
              label: one.name,
              checked: one === current,
              onSelect: () => setAddress({ ...blank, ...one.query }),
            })),
          },
        ];
  const stop = () => setDoing(null);
  return (
    <>
      <Menu
        label={current === undefined ? t('VIEWS.TITLE') : t('VIEWS.CURRENT', { name: current.name })}
        align="start"
        isPrivate={current !== undefined}
        button={
          <>
            <Icon name="list" />
            <span className="view-name cut">{current?.name ?? t('VIEWS.TITLE')}</span>
            <Icon name="chevron-down" />
          </>
        }
        items={[
          ...choice(
            t('VIEWS.OWN'),
            views.filter(({ shared }) => !shared),
          ),
          ...choice(
            t('VIEWS.SHARED'),
            views.filter(({ shared }) => shared),
          ),
          { label: t('VIEWS.ADD'), icon: 'plus', onSelect: () => setDoing('saving') },
          ...(views.length === 0
            ? []
            : [{ label: t('VIEWS.MANAGE'), icon: 'edit' as const, onSelect: () => setDoing('managing') }]),
        ]}
      />
      {doing === 'saving' ? <NameDialog list={list} query={shown} onClose={stop} /> : null}
      {doing === 'managing' ? (
        <ManageDialog list={list} views={views} onDo={setDoing} onClose={stop} />
      ) : null}
      {doing !== null && typeof doing === 'object' && 'renaming' in doing ? (
        <NameDialog
          list={list}
          view={doing.renaming}
          query={doing.renaming.query}
          onClose={() => setDoing('managing')}
        />
      ) : null}
      {doing !== null && typeof doing === 'object' && 'removing' in doing ? (
        <RemoveDialog list={list} view={doing.removing} onClose={() => setDoing('managing')} />
      ) : null}
    </>
  );
}

const keyOf = (list: ViewedList) => [sharedViews(list).list] as const;

/** The query as JSON with its fields sorted, so that equal queries give equal texts. */
function sorted(query: ViewQuery): string {
  return JSON.stringify(Object.entries(query).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** @param props `view`: the view to rename; without it, a new view is saved */
function NameDialog(props: { list: ViewedList; view?: View; query: ViewQuery; onClose: () => void }) {
  const { list, view, query, onClose } = props;
  const { t } = useTranslation();
  const api = useApi();
  const mayShare = useCan()(viewRights[list].share);
  const form = useVersionedForm({
    saved: {
      values: { name: view?.name ?? '', shared: false },
      ...(view === undefined ? {} : { version: view.version }),
    },
    save: ({ name, shared }, version, _extra, creation) =>
      view === undefined
        ? api.call(addView, { body: { list, name, query, shared } }, creation)
        : api.call(changeView, { params: { viewId: view.id }, body: { name, query, version } }),
    lists: keyOf(list),
    onSaved({ name }) {
      if (view === undefined) notify({ kind: 'success', title: t('VIEWS.DONE', { name }) });
      onClose();
    },
  });
  const words = { fields: { name: 'VIEWS.NAME_REFUSED' }, codes: { CONFLICT: 'VIEWS.TOO_MANY' } };
  const problems = problemsOf(t, form.error, words, form.edited);
  return (
    <FormDialog
      title={view === undefined ? t('VIEWS.ADD_TITLE') : t('VIEWS.RENAME', { name: view.name })}
      form={form}
      problem={problems.general}
      action={t(view === undefined ? 'VIEWS.ADD_ACTION' : 'VIEWS.RENAME_ACTION')}
      onClose={onClose}
    >
      <TextField label={t('VIEWS.NAME')} error={problems.name} maxLength={100} {...form.field('name')} />
      {mayShare && view === undefined ? (
        <Checkbox label={t('VIEWS.SHARE')} hint={t('VIEWS.SHARE_HINT')} {...form.check('shared')} />
      ) : null}
    </FormDialog>
  );
}

type ManageDialogProps = {
  list: ViewedList;
  views: readonly View[];
  onDo: (next: Doing) => void;
  onClose: () => void;
};

/** Lists the views, to rename or remove each one. */
function ManageDialog({ list, views, onDo, onClose }: ManageDialogProps) {
  const { t } = useTranslation();
  const mayShare = useCan()(viewRights[list].share);
  return (
    <Dialog title={t('VIEWS.MANAGE')} onClose={onClose}>
      {views.length === 0 ? <p className="muted">{t('VIEWS.NONE')}</p> : null}
      <ul className="view-list">
        {views.map((view) => (
          <li key={view.id}>
            <span dir="auto">{view.name}</span>
            {view.shared ? <Tag icon="people">{t('VIEWS.SHARED_TAG')}</Tag> : null}
            {view.shared && !mayShare ? null : (
              <span className="row wrap">
                <IconButton
                  small
                  icon="edit"
                  label={t('VIEWS.RENAME', { name: view.name })}
                  onClick={() => onDo({ renaming: view })}
                />
                <IconButton
                  small
                  icon="trash"
                  label={t('VIEWS.REMOVE', { name: view.name })}
                  onClick={() => onDo({ removing: view })}
                />
              </span>
            )}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

function RemoveDialog({ list, view, onClose }: { list: ViewedList; view: View; onClose: () => void }) {
  const { t } = useTranslation();
  const api = useApi();
  return (
    <ConfirmAction
      title={t('VIEWS.REMOVE_QUESTION', { name: view.name })}
      confirmLabel={t('EDITING.REMOVE')}
      {...useRemoval(keyOf(list), onClose)}
      action={() => api.call(removeView, { params: { viewId: view.id } })}
    >
      <p>{t(view.shared ? 'VIEWS.REMOVE_SHARED' : 'VIEWS.REMOVE_OWN')}</p>
    </ConfirmAction>
  );
}
