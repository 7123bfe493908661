import type { Flag } from '#features/flags/contract/flags.ts';
import type { FlagUseSummary } from '#features/flags/contract/usage.ts';
import { useTableView } from '#features/views/web/table-view.tsx';
import { ViewMenu } from '#features/views/web/view-menu.tsx';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { base } from '#web/platform/base.ts';
import { catalogueKey } from '#web/platform/i18n/isolated.ts';
import { listState, useAddressFilter, useAskedAction } from '#web/platform/lists/list-state.ts';
import { useCan, useFormats, useServerClock } from '#web/platform/contexts.tsx';
import { useHasStoredWork } from '#web/platform/forms/stored-work.ts';
import { Button } from '#web/ui/button.tsx';
import { FilterBar, ListFrame } from '#web/ui/list-frame.tsx';
import { ScreenActions, ScreenHead } from '#web/ui/screen-head.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { Select, Switch } from '#web/ui/text-input.tsx';
import { Time } from '#web/ui/time.tsx';
import { ArchivedFlags } from './archived-flags.tsx';
import { ConnectDialog } from './connect-dialog.tsx';
import { describeServedValues } from './describe-rule.ts';
import { ExchangeDialog } from './exchange-dialog.tsx';
import { newFlagWork } from './flag-form.ts';
import { findFlags, flagOrders, sortFlags, tagsOf, type FlagFilter } from './flag-search.ts';
import { flagsQuery } from './flags-query.ts';
import { NewFlagDialog } from './new-flag-dialog.tsx';
import { servedValuesOf } from './flag-words.ts';
import { useFlagSwitch } from './switch-flag.tsx';
import './flags-screen.css';

const filterNames = ['search', 'enabled', 'tag', 'sort'] as const;

/** The list of all flags: find, create, switch, connect an SDK. Each flag has a page of its own. */
export function FlagsScreen() {
  const { t } = useTranslation();
  const mayWrite = useCan()('FLAGS_WRITE');
  const [address, setAddress] = useAddressFilter(filterNames);
  const navigate = useNavigate();
  const [doing, setDoing] = useState<'nothing' | 'create' | 'connect' | 'exchange'>(
    useHasStoredWork(newFlagWork) && mayWrite ? 'create' : 'nothing',
  );
  useAskedAction('new', mayWrite, () => setDoing('create'));
  const flags = useQuery(flagsQuery);
  const { press, question } = useFlagSwitch(flags.data?.connected ?? 0);
  const enabled: FlagFilter['enabled'] =
    address.enabled === 'on' || address.enabled === 'off' ? address.enabled : '';
  const isArchive = address.enabled === 'archived';
  const all = flags.data?.flags ?? [];
  const archived = flags.data?.archived ?? 0;
  const order = flagOrders.find((one) => one === address.sort) ?? 'key';
  const found = sortFlags(findFlags(all, { search: address.search, enabled, tag: address.tag }), order);
  const tags = tagsOf(all);
  const openPage = (flagKey: string) => void navigate({ to: `/flags/${encodeURIComponent(flagKey)}` });
  const stop = () => setDoing('nothing');
  const create = (
    <Button tone="primary" icon="plus" onClick={() => setDoing('create')}>
      {t('FLAGS.NEW')}
    </Button>
  );

  const inEmpty = (
    <>
      {mayWrite ? create : null}
      {archived === 0 ? null : (
        <Button onClick={() => setAddress({ enabled: 'archived' })}>
          {t('FLAGS.ARCHIVE.SHOW', { count: archived })}
        </Button>
      )}
    </>
  );

  return (
    <>
      <ScreenHead title={t('FLAGS.TITLE')} lead={t('FLAGS.LEAD')}>
        <ScreenActions
          more={t('FLAGS.MORE_ACTIONS')}
          others={[
            { label: t('FLAGS.CONNECT.OPEN'), icon: 'key', onSelect: () => setDoing('connect') },
            { label: t('FLAGS.EXCHANGE.TITLE'), icon: 'download', onSelect: () => setDoing('exchange') },
          ]}
        >
          {mayWrite ? create : null}
        </ScreenActions>
      </ScreenHead>

      <FilterBar
        count={
          flags.data === undefined || isArchive
            ? ''
            : `${t('FLAGS.TOTAL', { count: found.length })} · ${t('FLAGS.CONNECTED', { count: flags.data.connected })}`
        }
        search={{
          label: t('FLAGS.SEARCH'),
          value: address.search,
          maxLength: 200,
          onValue: (search) => setAddress({ search }),
        }}
        chosen={[isArchive ? 'archived' : enabled, address.tag]}
        onClear={() => setAddress({ enabled: '', tag: '' })}
        foldsAt={1000}
      >
        <Select
          aria-label={t('FLAGS.ENABLED')}
          value={isArchive ? 'archived' : enabled}
          onValue={(value) => setAddress({ enabled: value })}
          options={[
            { value: '', label: t('FLAGS.ON_AND_OFF') },
            { value: 'on', label: t('FLAGS.ON') },
            { value: 'off', label: t('FLAGS.OFF') },
            { value: 'archived', label: t('FLAGS.ARCHIVE.LIST') },
          ]}
        />
        <Select
          aria-label={t('FLAGS.TAG')}
          disabled={tags.length === 0 && address.tag === ''}
          value={address.tag}
          onValue={(tag) => setAddress({ tag })}
          options={[
            { value: '', label: t('FLAGS.ALL_TAGS') },
            ...(tags.includes(address.tag) || address.tag === '' ? tags : [...tags, address.tag]).map(
              (tag) => ({ value: tag, label: tag }),
            ),
          ]}
        />
        <Select
          aria-label={t('FLAGS.SORT.LABEL')}
          value={order}
          onValue={(sort) => setAddress({ sort: sort === 'key' ? '' : sort })}
          options={flagOrders.map((value) => ({
            value,
            label: t(`FLAGS.SORT.${value.toUpperCase()}`),
          }))}
        />
        <ViewMenu list="flags" fields={filterNames} />
      </FilterBar>

      {isArchive ? (
        <ArchivedFlags
          search={address.search}
          tag={address.tag}
          onClear={() => setAddress({ search: '', tag: '' })}
        />
      ) : (
        <ListFrame
          texts="FLAGS"
          {...listState(t, flags)}
          skeletonRows={8}
          count={found.length}
          empty={{ icon: 'flag', action: inEmpty }}
          onClear={all.length === 0 ? undefined : () => setAddress({ search: '', enabled: '', tag: '' })}
        >
          <FlagsTable
            flags={found}
            use={flags.data?.use ?? []}
            proposed={flags.data?.proposed ?? []}
            mayWrite={mayWrite}
            onOpen={({ key }) => openPage(key)}
            onSwitch={(flag) => void press(flag)}
          />
        </ListFrame>
      )}

      {doing === 'create' ? <NewFlagDialog onClose={stop} onCreated={openPage} /> : null}
      {doing === 'connect' ? <ConnectDialog onClose={stop} /> : null}
      {doing === 'exchange' ? <ExchangeDialog onClose={stop} /> : null}
      {question}
    </>
  );
}

type FlagsTableProps = {
  flags: readonly Flag[];
  use: readonly FlagUseSummary[];
  /** The keys of flags with a proposed change that waits. */
  proposed: readonly string[];
  mayWrite: boolean;
  onOpen: (flag: Flag) => void;
  onSwitch: (flag: Flag) => void;
};

/** The number of tags to show; further tags are only counted. */
const mostTags = 3;

/** When a flag was last read, or otherwise what is known about its use. */
function LastRead({ use }: { use: FlagUseSummary | undefined }) {
  const { t } = useTranslation();
  const formats = useFormats();
  if (use === undefined) return null;
  if (use.safeToRemove) return <Tag>{t('FLAGS.USE.SAFE')}</Tag>;
  if (use.lastRead !== null) return <Time at={use.lastRead} formats={formats} />;
  if (use.verdict === 'not-known') return null;
  return <small className="muted">{t(`FLAGS.USE.VERDICTS.${catalogueKey(use.verdict)}`)}</small>;
}

/** One row for each flag, with its switch. */
function FlagsTable({ flags, use, proposed, mayWrite, onOpen, onSwitch }: FlagsTableProps) {
  const { t } = useTranslation();
  const clock = useServerClock();
  const formats = useFormats();
  const { locale } = formats;
  const useOf = new Map(use.map((one) => [one.key, one]));
  const columns: Column<Flag>[] = [
    {
      key: 'enabled',
      header: t('FLAGS.ENABLED'),
      role: 'beside',
      tight: true,
      cell: (flag) => (
        <Switch
          label={t('FLAGS.SWITCH_LABEL', { key: flag.key })}
          labelHidden
          checked={flag.enabled}
          disabled={!mayWrite}
          onChecked={() => onSwitch(flag)}
        />
      ),
    },
    {
      key: 'key',
      header: t('FLAGS.KEY'),
      role: 'primary',
      cell: (flag) => (
        <>
          <code className="strong">{flag.key}</code>{' '}
          {flag.killSwitch ? <Tag>{t('FLAGS.KILL_SWITCH')}</Tag> : null}
          {proposed.includes(flag.key) ? <Tag kind="info">{t('FLAGS.REVIEW.TAG')}</Tag> : null}
          {flag.description === '' ? null : (
            <small className="flag-description muted line" dir="auto">
              {flag.description}
            </small>
          )}
        </>
      ),
    },
    {
      key: 'serves',
      header: t('FLAGS.SERVES.TITLE'),
      cell: (flag) =>
        flag.enabled ? (
          <span className="flag-serves breaks" dir="auto">
            {describeServedValues(servedValuesOf(flag, clock.now()), { t, locale })}
          </span>
        ) : (
          <span className="muted">{t('FLAGS.SERVES.OFF')}</span>
        ),
    },
    {
      key: 'tags',
      header: t('FLAGS.TAGS'),
      narrow: 'hidden',
      cell: (flag) => (
        <span className="flag-tags row wrap gap-1">
          {flag.tags.slice(0, mostTags).map((tag) => (
            <Tag key={tag}>{tag}</Tag>
          ))}
          {flag.tags.length > mostTags ? (
            <small className="muted" title={flag.tags.slice(mostTags).join(', ')}>
              {`+${flag.tags.length - mostTags}`}
            </small>
          ) : null}
        </span>
      ),
    },
    ...(use.some(({ verdict }) => verdict !== 'not-known')
      ? [
          {
            key: 'use',
            header: t('FLAGS.USE.LAST'),
            tight: true,
            narrow: 'hidden' as const,
            cell: ({ key }: Flag) => <LastRead use={useOf.get(key)} />,
          },
        ]
      : []),
    {
      key: 'changed',
      header: t('FLAGS.CHANGED'),
      tight: true,
      align: 'end',
      narrow: 'hidden',
      cell: (flag) => <Time at={flag.changedAt} formats={formats} />,
    },
  ];
  return (
    <div className="flags-table">
      <Table
        caption={t('FLAGS.TITLE')}
        {...useTableView('flags', columns)}
        rows={flags}
        rowKey={(flag) => flag.key}
        open={{ act: onOpen, href: ({ key }) => `${base}/flags/${encodeURIComponent(key)}` }}
      />
    </div>
  );
}
