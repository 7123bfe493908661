import type { Flag } from '#features/flags/contract/flags.ts';
import { useTranslation } from 'react-i18next';
import { base } from '#web/platform/base.ts';
import { useFormats } from '#web/platform/i18n/formats-context.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { Switch } from '#web/ui/text-input.tsx';
import { Time } from '#web/ui/time.tsx';
import { describeServedValues } from './describe-rule.ts';
import { servedValuesOf } from './served-values.ts';

type FlagsTableProps = {
  flags: readonly Flag[];
  mayWrite: boolean;
  onOpen: (flag: Flag) => void;
  onSwitch: (flag: Flag) => void;
};

/** More of them are counted. */
const mostTags = 3;

/** One row for each flag; its switch asks for confirmation. */
export function FlagsTable({ flags, mayWrite, onOpen, onSwitch }: FlagsTableProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { locale } = formats;
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
          <code className="flag-key">{flag.key}</code>
          {flag.description === '' ? null : (
            <small className="muted flag-description" dir="auto">
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
          <span className="flag-serves" dir="auto">
            {describeServedValues(servedValuesOf(flag), { t, locale })}
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
        <span className="flag-tags">
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
        columns={columns}
        rows={flags}
        rowKey={(flag) => flag.key}
        open={{ act: onOpen, href: ({ key }) => `${base}/flags/${encodeURIComponent(key)}` }}
      />
    </div>
  );
}
