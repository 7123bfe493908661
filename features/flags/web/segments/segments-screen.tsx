import type { ListedSegment } from '#features/flags/contract/segments.ts';
import { useTableView } from '#features/views/web/table-view.tsx';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { base } from '#web/platform/base.ts';
import { useCan, useFormats } from '#web/platform/contexts.tsx';
import { listState, useAddressFilter } from '#web/platform/lists/list-state.ts';
import { Button } from '#web/ui/button.tsx';
import { FilterBar, ListFrame } from '#web/ui/list-frame.tsx';
import { ScreenHead } from '#web/ui/screen-head.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { Time } from '#web/ui/time.tsx';
import { segmentsQuery } from '../console/flags-query.ts';
import { NewSegmentDialog } from './new-segment-dialog.tsx';

/** All segments. Each has a page of its own. */
export function SegmentsScreen() {
  const { t } = useTranslation();
  const mayWrite = useCan()('FLAGS_WRITE');
  const navigate = useNavigate();
  const [address, setAddress] = useAddressFilter(['search']);
  const [creating, setCreating] = useState(false);
  const segments = useQuery(segmentsQuery);
  const all = segments.data?.segments ?? [];
  const isEmpty = segments.data?.segments.length === 0;
  const wanted = address.search.trim().toLocaleLowerCase();
  const found = all.filter(({ id, name, description }) =>
    `${id} ${name} ${description}`.toLocaleLowerCase().includes(wanted),
  );
  const openPage = (id: string) => void navigate({ to: `/segments/${id}` });
  const create = (
    <Button tone="primary" icon="plus" onClick={() => setCreating(true)}>
      {t('SEGMENTS.NEW')}
    </Button>
  );
  return (
    <>
      <ScreenHead title={t('SEGMENTS.TITLE')} lead={t('SEGMENTS.LEAD')}>
        {mayWrite && !isEmpty ? create : null}
      </ScreenHead>
      {isEmpty ? null : (
        <FilterBar
          count={segments.data === undefined ? '' : t('SEGMENTS.TOTAL', { count: found.length })}
          search={{
            label: t('SEGMENTS.SEARCH'),
            value: address.search,
            maxLength: 200,
            onValue: (search) => setAddress({ search }),
          }}
        />
      )}
      <ListFrame
        texts="SEGMENTS"
        {...listState(t, segments)}
        skeletonRows={4}
        count={found.length}
        empty={{ icon: 'people', action: mayWrite ? create : undefined }}
        onClear={isEmpty ? undefined : () => setAddress({ search: '' })}
      >
        <SegmentsTable segments={found} onOpen={({ id }) => openPage(id)} />
      </ListFrame>
      {creating ? <NewSegmentDialog onClose={() => setCreating(false)} onCreated={openPage} /> : null}
    </>
  );
}

type SegmentsTableProps = {
  segments: readonly ListedSegment[];
  onOpen: (segment: ListedSegment) => void;
};

function SegmentsTable({ segments, onOpen }: SegmentsTableProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const columns: Column<ListedSegment>[] = [
    {
      key: 'name',
      header: t('SEGMENTS.NAME'),
      role: 'primary',
      cell: ({ name, description }) => (
        <>
          <strong className="breaks" dir="auto">
            {name}
          </strong>
          {description === '' ? null : (
            <small className="muted line" dir="auto">
              {description}
            </small>
          )}
        </>
      ),
    },
    {
      key: 'kind',
      header: t('SEGMENTS.KIND'),
      role: 'beside',
      cell: ({ kind, attribute, size }) =>
        kind === 'list'
          ? t('SEGMENTS.LIST_OF', { attribute, size: formats.number(size) })
          : t('SEGMENTS.KINDS.CONDITION'),
    },
    {
      key: 'flags',
      header: t('SEGMENTS.USED_BY'),
      tight: true,
      narrow: 'labelled',
      cell: ({ flags }) => t('SEGMENTS.FLAGS', { count: flags }),
    },
    {
      key: 'changed',
      header: t('FLAGS.CHANGED'),
      tight: true,
      align: 'end',
      narrow: 'hidden',
      cell: ({ changedAt }) => <Time at={changedAt} formats={formats} />,
    },
  ];
  return (
    <Table
      caption={t('SEGMENTS.TITLE')}
      {...useTableView('segments', columns)}
      rows={segments}
      rowKey={({ id }) => id}
      open={{ act: onOpen, href: ({ id }) => `${base}/segments/${id}` }}
    />
  );
}
