import type { Flag } from '@portico/contract/flags';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../../platform/i18n/formats-context.tsx';
import { Table, type Column } from '../../../ui/table.tsx';
import { Tag } from '../../../ui/tag.tsx';
import { Switch } from '../../../ui/text-input.tsx';
import { Time } from '../../../ui/time.tsx';
import { valueText } from './flag-form.ts';

type FlagsTableProps = {
  flags: readonly Flag[];
  mayWrite: boolean;
  onOpen: (flag: Flag) => void;
  onSwitch: (flag: Flag) => void;
};

/** One row for each flag; its switch asks for confirmation. */
export function FlagsTable({ flags, mayWrite, onOpen, onSwitch }: FlagsTableProps) {
  const { t } = useTranslation();
  const formats = useFormats();
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
            <small className="muted flag-description">{flag.description}</small>
          )}
        </>
      ),
    },
    {
      key: 'value',
      header: t('FLAGS.VALUE'),
      cell: (flag) => <code className="flag-value">{shorten(valueText(flag.type, flag.defaultValue))}</code>,
    },
    {
      key: 'rules',
      header: t('FLAGS.RULES'),
      tight: true,
      align: 'end',
      cell: (flag) => formats.number(flag.rules.length),
    },
    {
      key: 'tags',
      header: t('FLAGS.TAGS'),
      cell: (flag) => (
        <span className="flag-tags">
          {flag.tags.map((tag) => (
            <Tag key={tag}>{tag}</Tag>
          ))}
        </span>
      ),
    },
    {
      key: 'changed',
      header: t('FLAGS.CHANGED'),
      tight: true,
      align: 'end',
      cell: (flag) => <Time at={flag.changedAt} formats={formats} />,
    },
  ];
  return (
    <Table
      caption={t('FLAGS.TITLE')}
      columns={columns}
      rows={flags}
      rowKey={(flag) => flag.key}
      open={{ act: onOpen }}
    />
  );
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}
