import { wallTimeAt } from '#contract/rules/wall-time.ts';
import {
  type SavedFilter,
  type SavedQuery,
  addSavedFilter,
  changeSavedFilter,
  listSavedFilters,
  removeSavedFilter,
  sharedFilters,
} from '#features/feedback/contract/saved-filters.ts';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Api } from '#web/platform/calls/call.ts';
import { useApi, useCan } from '#web/platform/contexts.tsx';
import { problemsOf } from '#web/platform/forms/problems-of.ts';
import { useVersionedForm } from '#web/platform/forms/versioned-form.ts';
import { useFormats } from '#web/platform/i18n/formats-context.tsx';
import { useRemoval } from '#web/platform/lists/removal.ts';
import { IconButton } from '#web/ui/button.tsx';
import { ConfirmAction } from '#web/ui/confirm-action.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { TextField } from '#web/ui/field.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { type MenuAction, Menu, type MenuChoice } from '#web/ui/menu.tsx';
import { notify } from '#web/ui/notifications/notifications.ts';
import { Tag } from '#web/ui/tag.tsx';
import { Checkbox } from '#web/ui/text-input.tsx';
import { filterQuery, type InboxFilter, noFilter } from './inbox-filter.ts';
import type { Inbox } from './use-inbox.ts';

const savedKey = [sharedFilters.list] as const;

function savedFiltersQuery(api: Api) {
  return queryOptions({
    queryKey: savedKey,
    queryFn: ({ signal }) => api.call(listSavedFilters, {}, { signal }),
    staleTime: 60_000,
  });
}

type Doing = 'saving' | 'managing' | { renaming: SavedFilter } | { removing: SavedFilter } | null;

/** Filters that were saved under a name: the own ones, and those that operators share. */
export function SavedFilters({ inbox }: { inbox: Inbox }) {
  const { t } = useTranslation();
  const { timeZone } = useFormats();
  const saved = useQuery(savedFiltersQuery(useApi())).data ?? [];
  const [doing, setDoing] = useState<Doing>(null);
  const now = JSON.stringify(savedOfFilter(inbox.filter, timeZone));
  const current = saved.find(({ filter }) => JSON.stringify(sorted(filter)) === now);
  const choice = (label: string, filters: readonly SavedFilter[]): MenuChoice[] =>
    filters.length === 0
      ? []
      : [
          {
            label,
            isPrivate: true,
            options: filters.map((one) => ({
              label: one.name,
              checked: one === current,
              onSelect: () => inbox.setWholeFilter(filterOfSaved(one.filter, timeZone)),
            })),
          },
        ];
  const items: (MenuAction | MenuChoice)[] = [
    ...choice(
      t('REPORTS.SAVED.OWN'),
      saved.filter(({ shared }) => !shared),
    ),
    ...choice(
      t('REPORTS.SAVED.SHARED'),
      saved.filter(({ shared }) => shared),
    ),
    { label: t('REPORTS.SAVED.ADD'), icon: 'plus', onSelect: () => setDoing('saving') },
    ...(saved.length === 0
      ? []
      : [{ label: t('REPORTS.SAVED.MANAGE'), icon: 'edit' as const, onSelect: () => setDoing('managing') }]),
  ];
  return (
    <>
      <Menu
        label={
          current === undefined
            ? t('REPORTS.SAVED.TITLE')
            : t('REPORTS.SAVED.CURRENT', { name: current.name })
        }
        align="start"
        isPrivate={current !== undefined}
        button={
          <>
            <Icon name="list" />
            <span className="inbox-saved-name cut">{current?.name ?? t('REPORTS.SAVED.TITLE')}</span>
            <Icon name="chevron-down" size={12} />
          </>
        }
        items={items}
      />
      {doing === 'saving' ? <SaveFilterDialog inbox={inbox} onClose={() => setDoing(null)} /> : null}
      {doing === 'managing' ? (
        <ManageDialog saved={saved} onDo={setDoing} onClose={() => setDoing(null)} />
      ) : null}
      {doing !== null && typeof doing === 'object' && 'renaming' in doing ? (
        <RenameDialog filter={doing.renaming} onClose={() => setDoing('managing')} />
      ) : null}
      {doing !== null && typeof doing === 'object' && 'removing' in doing ? (
        <RemoveDialog filter={doing.removing} onClose={() => setDoing('managing')} />
      ) : null}
    </>
  );
}

/** In one order of its fields, so that equal filters are equal texts. */
function sorted(filter: object): object {
  return Object.fromEntries(Object.entries(filter).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

const words = { fields: { name: 'REPORTS.SAVED.NAME_REFUSED' } };

function SaveFilterDialog({ inbox, onClose }: { inbox: Inbox; onClose: () => void }) {
  const { t } = useTranslation();
  const api = useApi();
  const queries = useQueryClient();
  const { timeZone } = useFormats();
  const mayShare = useCan()('REPORTS_WRITE');
  const form = useVersionedForm({
    saved: { values: { name: '', shared: false } },
    save: (values, _version, _extra, creation) =>
      api.call(
        addSavedFilter,
        { body: { ...values, filter: savedOfFilter(inbox.filter, timeZone) } },
        creation,
      ),
    async onSaved({ name }) {
      await queries.invalidateQueries({ queryKey: savedKey });
      notify({ kind: 'success', title: t('REPORTS.SAVED.DONE', { name }) });
      onClose();
    },
  });
  const problems = problemsOf(
    t,
    form.error,
    { ...words, codes: { CONFLICT: 'REPORTS.SAVED.TOO_MANY' } },
    form.edited,
  );
  return (
    <FormDialog
      title={t('REPORTS.SAVED.ADD_TITLE')}
      form={form}
      problem={problems.general}
      action={t('REPORTS.SAVED.ADD_ACTION')}
      onSubmit={form.save}
      onClose={onClose}
    >
      <TextField
        label={t('REPORTS.SAVED.NAME')}
        error={problems.name}
        maxLength={100}
        value={form.values.name}
        onValue={(name) => form.set({ name })}
      />
      {mayShare ? (
        <Checkbox
          label={t('REPORTS.SAVED.SHARE')}
          hint={t('REPORTS.SAVED.SHARE_HINT')}
          checked={form.values.shared}
          onChecked={(shared) => form.set({ shared })}
        />
      ) : null}
    </FormDialog>
  );
}

type ManageDialogProps = { saved: readonly SavedFilter[]; onDo: (next: Doing) => void; onClose: () => void };

/** Every saved filter, to rename and to remove. */
function ManageDialog({ saved, onDo, onClose }: ManageDialogProps) {
  const { t } = useTranslation();
  const mayShare = useCan()('REPORTS_WRITE');
  return (
    <Dialog title={t('REPORTS.SAVED.MANAGE')} onClose={onClose}>
      {saved.length === 0 ? <p className="muted">{t('REPORTS.SAVED.NONE')}</p> : null}
      <ul className="inbox-saved-list">
        {saved.map((filter) => (
          <li key={filter.id}>
            <span dir="auto">{filter.name}</span>
            {filter.shared ? <Tag icon="people">{t('REPORTS.SAVED.SHARED_TAG')}</Tag> : null}
            {filter.shared && !mayShare ? null : (
              <span className="button-row">
                <IconButton
                  small
                  icon="edit"
                  label={t('REPORTS.SAVED.RENAME', { name: filter.name })}
                  onClick={() => onDo({ renaming: filter })}
                />
                <IconButton
                  small
                  icon="trash"
                  label={t('REPORTS.SAVED.REMOVE', { name: filter.name })}
                  onClick={() => onDo({ removing: filter })}
                />
              </span>
            )}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

function RenameDialog({ filter, onClose }: { filter: SavedFilter; onClose: () => void }) {
  const { t } = useTranslation();
  const api = useApi();
  const queries = useQueryClient();
  const form = useVersionedForm({
    saved: { values: { name: filter.name }, version: filter.version },
    save: ({ name }, version) =>
      api.call(changeSavedFilter, {
        params: { filterId: filter.id },
        body: { name, filter: filter.filter, version },
      }),
    async onSaved() {
      await queries.invalidateQueries({ queryKey: savedKey });
      onClose();
    },
    reload: savedKey,
  });
  const problems = problemsOf(t, form.error, words, form.edited);
  return (
    <FormDialog
      title={t('REPORTS.SAVED.RENAME', { name: filter.name })}
      form={form}
      problem={problems.general}
      action={t('REPORTS.SAVED.RENAME_ACTION')}
      onSubmit={form.save}
      onClose={onClose}
    >
      <TextField
        label={t('REPORTS.SAVED.NAME')}
        error={problems.name}
        maxLength={100}
        value={form.values.name}
        onValue={(name) => form.set({ name })}
      />
    </FormDialog>
  );
}

function RemoveDialog({ filter, onClose }: { filter: SavedFilter; onClose: () => void }) {
  const { t } = useTranslation();
  const api = useApi();
  const { name } = filter;
  return (
    <ConfirmAction
      title={t('REPORTS.SAVED.REMOVE_QUESTION', { name })}
      confirmLabel={t('REPORTS.SAVED.REMOVE_ACTION')}
      {...useRemoval(savedKey, onClose)}
      action={() => api.call(removeSavedFilter, { params: { filterId: filter.id } })}
    >
      <p>{t(filter.shared ? 'REPORTS.SAVED.REMOVE_SHARED' : 'REPORTS.SAVED.REMOVE_OWN')}</p>
    </ConfirmAction>
  );
}

/** A filter of the inbox as it is saved: without what is empty, in the order of the names. */
function savedOfFilter(filter: InboxFilter, timeZone: string): SavedQuery {
  const { search, order, ...others } = filterQuery(filter, timeZone);
  const saved: SavedQuery = {
    ...others,
    ...(search === '' ? {} : { search }),
    ...(order === 'newest' ? {} : { order }),
  };
  return Object.fromEntries(Object.entries(saved).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** A saved filter as an address. Its times become days in the time zone of the current person. */
function filterOfSaved(saved: SavedQuery, timeZone: string): InboxFilter {
  const day = (at: number | undefined) =>
    at === undefined ? '' : (wallTimeAt(at, timeZone)?.slice(0, 10) ?? '');
  const { tab = '', search = '', status = '', assignee = '', label = '', pictures = '', order = '' } = saved;
  return {
    ...noFilter,
    tab,
    search,
    status,
    assignee,
    label,
    pictures,
    order,
    last: saved.lastWord ?? '',
    from: day(saved.from),
    until: day(saved.until),
  };
}
