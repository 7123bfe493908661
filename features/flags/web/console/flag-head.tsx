import type { FlagDetails } from '#features/flags/contract/flags.ts';
import { useTranslation } from 'react-i18next';
import { catalogueKey } from '#web/platform/i18n/catalogue-key.ts';
import { useServerClock } from '#web/platform/contexts.tsx';
import { useFormats } from '#web/platform/i18n/formats-context.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { ScreenActions } from '#web/ui/screen-actions.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { Switch } from '#web/ui/text-input.tsx';
import { Time } from '#web/ui/time.tsx';
import { describeServedValues } from './describe-rule.ts';
import { servedValuesOf } from './served-values.ts';

type FlagHeadProps = {
  flag: FlagDetails;
  gone: boolean;
  mayWrite: boolean;
  onSwitch: () => void;
  onConnect: () => void;
  onArchive: () => void;
};

/** Key, switch, what is served now, and the actions for the whole flag. */
export function FlagHead({ flag, gone, mayWrite, onSwitch, onConnect, onArchive }: FlagHeadProps) {
  const { t } = useTranslation();
  const clock = useServerClock();
  const formats = useFormats();
  const { locale } = formats;
  return (
    <header className="flag-head">
      <div className="flag-head-title row wrap">
        <h1 tabIndex={-1}>
          <code>{flag.key}</code>
        </h1>
        <CopyButton small text={flag.key} label={t('FLAGS.COPY')} />
        <Switch
          label={t('FLAGS.SWITCH_LABEL', { key: flag.key })}
          labelHidden
          checked={flag.enabled}
          disabled={!mayWrite || gone}
          onChecked={onSwitch}
        />
        <Tag kind={flag.enabled ? 'ok' : 'plain'}>{flag.enabled ? t('FLAGS.ON') : t('FLAGS.OFF')}</Tag>
        <span className="muted flag-serves breaks">
          {flag.enabled
            ? describeServedValues(servedValuesOf(flag, clock.now()), { t, locale })
            : t('FLAGS.SERVES.OFF')}
        </span>
      </div>
      <ScreenActions
        more={t('FLAGS.MORE_ACTIONS')}
        others={[
          { label: t('FLAGS.CONNECT.OPEN'), icon: 'key', onSelect: onConnect },
          ...(mayWrite
            ? [
                {
                  label: t('FLAGS.ARCHIVE.ACTION'),
                  icon: 'inbox' as const,
                  disabled: gone,
                  onSelect: onArchive,
                },
              ]
            : []),
        ]}
      />
      <p className="flag-meta row wrap muted breaks">
        {flag.description === '' ? null : <span dir="auto">{flag.description}</span>}
        <span>{t(`FLAGS.TYPES.${catalogueKey(flag.type)}`)}</span>
        <span>
          {t('FLAGS.CHANGED')} <Time at={flag.changedAt} formats={formats} />
        </span>
        <span className="flag-tags row wrap gap-1">
          {flag.tags.map((tag) => (
            <Tag key={tag}>{tag}</Tag>
          ))}
        </span>
      </p>
    </header>
  );
}
