import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '#web/platform/contexts.tsx';
import { Select } from '#web/ui/text-input.tsx';
import { reportOrder } from '#features/feedback/contract/inbox.ts';
import { catalogueKey } from '#web/platform/i18n/catalogue-key.ts';
import type { Inbox } from './use-inbox.ts';

/** Above the list: the box that selects every row that is shown, how many there are, and the order. */
export function InboxListHead({ inbox }: { inbox: Inbox }) {
  const { t } = useTranslation();
  const mayWrite = useCan()('REPORTS_WRITE');
  const { rows, selected, filter } = inbox;
  const box = useRef<HTMLInputElement>(null);
  const some = selected.length > 0 && selected.length < rows.length;
  useEffect(() => {
    if (box.current !== null) box.current.indeterminate = some;
  }, [some]);
  const total = inbox.answer.data?.pages[0]?.total;
  if (rows.length === 0) return null;
  return (
    <div className="inbox-list-head">
      {mayWrite ? (
        <label className="inbox-select-all">
          <input
            ref={box}
            type="checkbox"
            aria-label={t('REPORTS.SELECT.ALL')}
            title={t('REPORTS.SELECT.ALL')}
            checked={selected.length === rows.length}
            onChange={inbox.toggleAll}
          />
        </label>
      ) : null}
      <span role="status">{total === undefined ? '' : t('REPORTS.TOTAL', { count: total })}</span>
      <Select
        aria-label={t('REPORTS.ORDER')}
        value={filter.order}
        onValue={(order) => inbox.setFilter({ order: order === 'newest' ? '' : order })}
        options={reportOrder.options.map((value) => ({
          value: value as string,
          label: t(`REPORTS.ORDERS.${catalogueKey(value)}`),
        }))}
      />
    </div>
  );
}
