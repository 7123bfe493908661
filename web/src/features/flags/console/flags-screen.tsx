import type { Flag } from '@portico/contract/flags';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAddressFilter } from '../../../platform/address-filter.ts';
import { askAgain } from '../../../platform/ask-again.ts';
import { useApi, useCan } from '../../../platform/contexts.tsx';
import { useWorkWasKept } from '../../../platform/kept-work.ts';
import { Button } from '../../../ui/button.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../../ui/states.tsx';
import { SearchInput, Select } from '../../../ui/text-input.tsx';
import { ConnectDialog } from './connect-dialog.tsx';
import { DeleteFlagDialog } from './delete-flag-dialog.tsx';
import { EditFlagDialog, NewFlagDialog } from './flag-dialog.tsx';
import { newFlagWork } from './flag-form.ts';
import { findFlags, type FlagFilter } from './flag-search.ts';
import { FlagsTable } from './flags-table.tsx';
import { flagsQuery } from './flags-query.ts';
import { SwitchFlagDialog } from './switch-flag-dialog.tsx';
import '../../../ui/screen.css';
import './flags-screen.css';

type Doing = { what: 'nothing' } | { what: 'create' | 'connect' } | { what: 'switch' | 'delete'; flag: Flag };

/** All flags: find, create, switch, edit, delete, connect an SDK. */
export function FlagsScreen() {
  const { t } = useTranslation();
  const api = useApi();
  const mayWrite = useCan()('FLAGS_WRITE');
  const [address, setAddress] = useAddressFilter(['search', 'enabled', 'flag']);
  const [doing, setDoing] = useState<Doing>(
    useWorkWasKept(newFlagWork) && mayWrite ? { what: 'create' } : { what: 'nothing' },
  );
  const flags = useQuery(flagsQuery(api));
  const enabled: FlagFilter['enabled'] =
    address.enabled === 'on' || address.enabled === 'off' ? address.enabled : '';
  const found = findFlags(flags.data?.flags ?? [], { search: address.search, enabled });
  const edited = flags.data?.flags.find((flag) => flag.key === address.flag);
  const stop = () => setDoing({ what: 'nothing' });
  const create = (
    <Button tone="primary" icon="plus" onClick={() => setDoing({ what: 'create' })}>
      {t('FLAGS.NEW')}
    </Button>
  );

  return (
    <>
      <header className="screen-head">
        <div>
          <h1 tabIndex={-1}>{t('FLAGS.TITLE')}</h1>
          <p className="muted">{t('FLAGS.LEAD')}</p>
        </div>
        <div className="screen-actions">
          <Button icon="key" onClick={() => setDoing({ what: 'connect' })}>
            {t('FLAGS.CONNECT.OPEN')}
          </Button>
          {mayWrite ? create : null}
        </div>
      </header>

      <div className="filter-bar">
        <SearchInput
          label={t('FLAGS.SEARCH')}
          value={address.search}
          maxLength={200}
          onValue={(search) => setAddress({ search })}
        />
        <Select
          aria-label={t('FLAGS.ENABLED')}
          value={enabled}
          onValue={(value) => setAddress({ enabled: value })}
          options={[
            { value: '', label: t('FLAGS.ON_AND_OFF') },
            { value: 'on', label: t('FLAGS.ON') },
            { value: 'off', label: t('FLAGS.OFF') },
          ]}
        />
        <span className="filter-count" role="status">
          {flags.data === undefined
            ? ''
            : `${t('FLAGS.TOTAL', { count: found.length })} · ${t('FLAGS.CONNECTED', { count: flags.data.connected })}`}
        </span>
      </div>

      {flags.isPending ? (
        <Skeleton label={t('FLAGS.LOADING')} kind="rows" count={8} />
      ) : flags.data === undefined ? (
        <ErrorState title={t('FLAGS.FAILED.TITLE')} {...askAgain(t, flags)}>
          {t('FLAGS.FAILED.TEXT')}
        </ErrorState>
      ) : flags.data.flags.length === 0 ? (
        <EmptyState icon="flag" title={t('FLAGS.EMPTY.TITLE')} action={mayWrite ? create : undefined}>
          {t('FLAGS.EMPTY.TEXT')}
        </EmptyState>
      ) : found.length === 0 ? (
        <EmptyState
          icon="search"
          title={t('FLAGS.NOTHING_FOUND.TITLE')}
          action={
            <Button onClick={() => setAddress({ search: '', enabled: '' })}>
              {t('FLAGS.NOTHING_FOUND.ACTION')}
            </Button>
          }
        >
          {t('FLAGS.NOTHING_FOUND.TEXT')}
        </EmptyState>
      ) : (
        <FlagsTable
          flags={found}
          mayWrite={mayWrite}
          onOpen={(flag) => setAddress({ flag: flag.key })}
          onSwitch={(flag) => setDoing({ what: 'switch', flag })}
        />
      )}

      {doing.what === 'create' ? <NewFlagDialog onClose={stop} /> : null}
      {doing.what === 'connect' ? <ConnectDialog onClose={stop} /> : null}
      {edited === undefined ? null : (
        <EditFlagDialog
          key={edited.key}
          flag={edited}
          mayWrite={mayWrite}
          onClose={() => setAddress({ flag: '' })}
          onDelete={() => setDoing({ what: 'delete', flag: edited })}
        />
      )}
      {doing.what === 'switch' ? (
        <SwitchFlagDialog flag={doing.flag} connected={flags.data?.connected ?? 0} onClose={stop} />
      ) : null}
      {doing.what === 'delete' ? (
        <DeleteFlagDialog
          flag={doing.flag}
          connected={flags.data?.connected ?? 0}
          onClose={stop}
          onDeleted={() => {
            stop();
            setAddress({ flag: '' });
          }}
        />
      ) : null}
    </>
  );
}
