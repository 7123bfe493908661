import {
  type ClientKeyKind,
  type ManagedClientKey,
  addClientKey,
  clientKeyKind,
  listManagedClientKeys,
} from '#features/flags/contract/flags.ts';
import type { KeyHealth } from '#features/flags/contract/usage.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { routeQuery } from '#web/platform/calls/route-query.ts';
import { problemsOf } from '#web/platform/forms/problems-of.ts';
import { useVersionedForm } from '#web/platform/forms/versioned-form.ts';
import { listState, useAddressFilter } from '#web/platform/lists/list-state.ts';
import { useApi, useFormats } from '#web/platform/contexts.tsx';
import { catalogueKey } from '#web/platform/i18n/isolated.ts';
import { Button } from '#web/ui/button.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { SelectField, TextField } from '#web/ui/field.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { FilterBar, ListFrame } from '#web/ui/list-frame.tsx';
import { ScreenHead } from '#web/ui/screen-head.tsx';
import { useTableView } from '#features/views/web/table-view.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { Time } from '#web/ui/time.tsx';
import { Checkbox } from '#web/ui/text-input.tsx';
import { ClientKeyDialog, clientKeyWords, managedKeysKey } from './client-key-dialog.tsx';

/** The keys with which SDKs read flags: create, copy, rename, revoke. */
export function ClientKeysScreen() {
  const { t } = useTranslation();
  const [address, setAddress] = useAddressFilter(['search', 'revoked', 'key']);
  const [adding, setAdding] = useState(false);
  const keys = useQuery({
    ...routeQuery(managedKeysKey, listManagedClientKeys, {}),
    refetchInterval: 15_000,
  });
  const all = keys.data?.clientKeys ?? [];
  const wanted = address.search.trim().toLocaleLowerCase();
  const found = all.filter(
    ({ key, name, revokedAt }) =>
      (revokedAt === null || address.revoked !== '') &&
      (wanted === '' || `${key} ${name}`.toLocaleLowerCase().includes(wanted)),
  );
  const opened = all.find(({ key }) => key === address.key);

  return (
    <>
      <ScreenHead title={t('CLIENT_KEYS.TITLE')} lead={t('CLIENT_KEYS.LEAD')}>
        <Button tone="primary" icon="plus" onClick={() => setAdding(true)}>
          {t('CLIENT_KEYS.ADD')}
        </Button>
      </ScreenHead>

      <FilterBar
        count={keys.data === undefined ? '' : t('CLIENT_KEYS.COUNT', { count: found.length })}
        search={{
          label: t('CLIENT_KEYS.SEARCH'),
          value: address.search,
          maxLength: 100,
          onValue: (search) => setAddress({ search }),
        }}
        chosen={[address.revoked]}
        onClear={() => setAddress({ revoked: '' })}
        foldsAt={800}
      >
        <Checkbox
          label={t('CLIENT_KEYS.ALSO_REVOKED')}
          checked={address.revoked !== ''}
          onChecked={(checked) => setAddress({ revoked: checked ? 'yes' : '' })}
        />
      </FilterBar>

      <ListFrame
        texts="CLIENT_KEYS"
        {...listState(t, keys)}
        skeletonRows={4}
        count={found.length}
        onClear={() => setAddress({ search: '', revoked: 'yes' })}
      >
        <KeysTable keys={found} health={keys.data?.health ?? []} onOpen={({ key }) => setAddress({ key })} />
      </ListFrame>

      {adding ? (
        <AddClientKeyDialog
          onClose={() => setAdding(false)}
          onAdded={(key) => {
            setAdding(false);
            setAddress({ key });
          }}
        />
      ) : null}
      {opened === undefined || keys.data === undefined ? null : (
        <ClientKeyDialog
          key={opened.key}
          clientKey={opened}
          health={keys.data.health.find(({ key }) => key === opened.key)}
          names={keys.data.names}
          apiHost={keys.data.apiHost}
          onClose={() => setAddress({ key: '' })}
        />
      )}
    </>
  );
}

type KeysTableProps = {
  keys: readonly ManagedClientKey[];
  health: readonly KeyHealth[];
  onOpen: (key: ManagedClientKey) => void;
};

function KeysTable({ keys, health, onOpen }: KeysTableProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const columns: Column<ManagedClientKey>[] = [
    {
      key: 'name',
      header: t('CLIENT_KEYS.NAME'),
      role: 'primary',
      cell: ({ key, name }) => (
        <>
          <strong className="breaks" dir="auto">
            {name}
          </strong>
          <small className="muted line breaks">
            <code>{key}</code>
          </small>
        </>
      ),
    },
    {
      key: 'kind',
      header: t('CLIENT_KEYS.KIND'),
      role: 'beside',
      tight: true,
      cell: ({ key, name, kind, revokedAt }) => (
        <span className="row between">
          <Tag>
            {revokedAt === null
              ? t(`CLIENT_KEYS.KINDS.${catalogueKey(kind)}.LABEL`)
              : t('CLIENT_KEYS.IS_REVOKED')}
          </Tag>
          <CopyButton bare text={key} label={`${t('CLIENT_KEYS.COPY_KEY')} · ${name}`} />
        </span>
      ),
    },
    {
      key: 'lastRead',
      header: t('CLIENT_KEYS.LAST_READ'),
      tight: true,
      narrow: 'labelled',
      cell: ({ key }) => <LastRead health={health.find((one) => one.key === key)} />,
    },
    {
      key: 'connected',
      header: t('CLIENT_KEYS.CONNECTED'),
      tight: true,
      align: 'end',
      narrow: 'labelled',
      cell: ({ connected }) => formats.number(connected),
    },
  ];
  return (
    <Table
      caption={t('CLIENT_KEYS.TITLE')}
      {...useTableView('client-keys', columns)}
      rows={keys}
      rowKey={({ key }) => key}
      open={{ act: onOpen }}
    />
  );
}

/** When flags were last read with a key, and how many requests were refused. */
function LastRead({ health }: { health: KeyHealth | undefined }) {
  const { t } = useTranslation();
  const formats = useFormats();
  if (health === undefined) return null;
  const { lastRead, refused } = health;
  return (
    <>
      {lastRead === null ? (
        <small className="muted">{t('CLIENT_KEYS.NOT_READ')}</small>
      ) : (
        <Time at={lastRead} formats={formats} />
      )}
      {refused === 0 ? null : (
        <small className="muted line breaks">
          {t('CLIENT_KEYS.REFUSED', { count: refused, number: formats.number(refused) })}
        </small>
      )}
    </>
  );
}

const emptyDraft: { name: string; kind: ClientKeyKind } = { name: '', kind: 'plain' };

/** Creates a client key; then the dialog of the key shows how an SDK uses it. */
function AddClientKeyDialog({ onClose, onAdded }: { onClose: () => void; onAdded: (key: string) => void }) {
  const { t } = useTranslation();
  const api = useApi();
  const form = useVersionedForm({
    saved: { values: emptyDraft },
    save: (values, _version, _extra, creation) => api.call(addClientKey, { body: values }, creation),
    lists: managedKeysKey,
    onSaved({ key }) {
      onAdded(key);
    },
  });
  const { kind } = form.values;
  const problems = problemsOf(t, form.error, clientKeyWords);
  return (
    <FormDialog
      title={t('CLIENT_KEYS.ADD')}
      form={form}
      problem={problems.general}
      action={t('CLIENT_KEYS.ADD_ACTION')}
      onClose={onClose}
    >
      <TextField
        label={t('CLIENT_KEYS.NAME')}
        hint={t('CLIENT_KEYS.NAME_HINT')}
        required
        error={problems.name}
        autoComplete="off"
        maxLength={100}
        {...form.field('name')}
      />
      <SelectField
        label={t('CLIENT_KEYS.KIND')}
        hint={t(`CLIENT_KEYS.KINDS.${catalogueKey(kind)}.HINT`)}
        {...form.field('kind')}
        options={clientKeyKind.options.map((value) => ({
          value,
          label: t(`CLIENT_KEYS.KINDS.${catalogueKey(value)}.LABEL`),
        }))}
      />
    </FormDialog>
  );
}
