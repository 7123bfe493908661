import { deleteFlag, type Flag, type FlagDetails, type FlagType } from '#features/flags/contract/flags.ts';
import { useTranslation } from 'react-i18next';
import { catalogueKey } from '#web/platform/i18n/isolated.ts';
import { useApi, useFormats, useServerClock } from '#web/platform/contexts.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { ScreenActions } from '#web/ui/screen-head.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { Switch } from '#web/ui/text-input.tsx';
import { Time } from '#web/ui/time.tsx';
import { isProblem } from '#web/platform/calls/problem-error.ts';
import { ConfirmAction, ConfirmDialog } from '#web/ui/confirm-action.tsx';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { describeServedValues } from './describe-rule.ts';
import { flagProblems, servedValuesOf } from './flag-words.ts';
import { AffectedFlags, affectedBy, askingFor, TypeUses } from './flag-uses.tsx';
import { flagQuery, flagsKey } from './flags-query.ts';

type FlagHeadProps = {
  flag: FlagDetails;
  gone: boolean;
  mayWrite: boolean;
  onSwitch: () => void;
  onConnect: () => void;
  onArchive: () => void;
};

/** The head of a flag's page: key, switch, the values served now, and the actions for the whole flag. */
export function FlagHead({ flag, gone, mayWrite, onSwitch, onConnect, onArchive }: FlagHeadProps) {
  const { t } = useTranslation();
  const clock = useServerClock();
  const formats = useFormats();
  const { locale } = formats;
  return (
    <header className="flag-head grid top gap-2-6">
      <div className="row wrap gap-2-3 shrinks">
        <h1 className="heading" tabIndex={-1}>
          <code>{flag.key}</code>
        </h1>
        <CopyButton bare text={flag.key} label={t('FLAGS.COPY')} />
        <Switch
          label={t('FLAGS.SWITCH_LABEL', { key: flag.key })}
          labelHidden
          checked={flag.enabled}
          disabled={!mayWrite || gone}
          onChecked={onSwitch}
        />
        <Tag kind={flag.enabled ? 'ok' : 'plain'}>{flag.enabled ? t('FLAGS.ON') : t('FLAGS.OFF')}</Tag>
        {flag.enabled ? (
          <span className="muted flag-serves breaks">
            {describeServedValues(servedValuesOf(flag, clock.now()), { t, locale })}
          </span>
        ) : null}
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
      <p className="flag-meta row wrap baseline gap-1-4 muted breaks">
        {flag.description === '' ? null : <span dir="auto">{flag.description}</span>}
        <span className="narrow-unseen">{t(`FLAGS.TYPES.${catalogueKey(flag.type)}`)}</span>
        <span className="narrow-unseen">
          {t('FLAGS.CHANGED')} <Time at={flag.changedAt} formats={formats} />
        </span>
        <span className="flag-tags row wrap gap-1 narrow-unseen">
          {flag.tags.map((tag) => (
            <Tag key={tag}>{tag}</Tag>
          ))}
        </span>
      </p>
    </header>
  );
}

type ArchiveFlagDialogProps = {
  flag: Flag;
  connected: number;
  /** True: archiving the flag loses what is typed in the form. */
  unsaved: boolean;
  onClose: () => void;
  onArchived: () => void;
};

/**
 * Asks before a flag is archived; clients then use the value in their code. While other flags depend on the flag,
 * archiving is refused and the dialog names them.
 */
export function ArchiveFlagDialog(props: ArchiveFlagDialogProps) {
  const { flag, connected, unsaved, onClose, onArchived } = props;
  const { t } = useTranslation();
  const api = useApi();
  const queries = useQueryClient();
  const details = useQuery(flagQuery(flag.key));
  const isNeeded = details.data !== undefined && askingFor(details.data).length > 0;

  async function archive(): Promise<void> {
    const call = { params: { flagKey: flag.key }, query: { version: flag.version } };
    await api.call(deleteFlag, call).catch(async (error: unknown) => {
      if (isProblem(error, 'FLAG_IN_USE')) await details.refetch();
      throw error;
    });
  }

  return (
    <ConfirmAction
      title={t('FLAGS.ARCHIVE.QUESTION', { key: flag.key })}
      confirmLabel={t('FLAGS.ARCHIVE.ACTION')}
      tone="danger"
      hold={details.isPending ? 'loading' : isNeeded ? 'refused' : undefined}
      action={archive}
      problem={(error) => flagProblems(t, error).general}
      done={t('FLAGS.ARCHIVE.DONE', { key: flag.key })}
      onDone={() => {
        onArchived();
        void queries.invalidateQueries({ queryKey: flagsKey });
      }}
      onCancel={onClose}
    >
      <div className="stack breaks">
        {isNeeded ? null : (
          <p>
            {t('FLAGS.CONNECTED_SENTENCE', { count: connected })} {t('FLAGS.ARCHIVE.EFFECT')}
          </p>
        )}
        {unsaved && !isNeeded ? <p>{t('FLAGS.ARCHIVE.UNSAVED')}</p> : null}
        <AffectedFlags details={details} sentence="ARCHIVE" />
      </div>
    </ConfirmAction>
  );
}

type TypeChangeDialogProps = {
  flag: Flag;
  type: FlagType;
  busy: boolean;
  error: string | null;
  /** @param affected the keys of the affected flags that the dialog showed */
  onConfirm: (affected: string[]) => void;
  onCancel: () => void;
};

/** Asks before a flag that is on gets another type, and lists the affected clients and flags. */
export function TypeChangeDialog({ flag, type, busy, error, onConfirm, onCancel }: TypeChangeDialogProps) {
  const { t } = useTranslation();
  const details = useQuery(flagQuery(flag.key));
  const words = {
    key: flag.key,
    from: t(`FLAGS.RETYPE.TYPES.${catalogueKey(flag.type)}`),
    to: t(`FLAGS.RETYPE.TYPES.${catalogueKey(type)}`),
  };
  return (
    <ConfirmDialog
      title={t('FLAGS.RETYPE.QUESTION', words)}
      confirmLabel={t('FLAGS.RETYPE.ACTION')}
      cancelLabel={t('FLAGS.RETYPE.CANCEL')}
      tone="danger"
      busy={busy}
      hold={details.isPending ? 'loading' : details.data === undefined ? 'refused' : undefined}
      error={error}
      onConfirm={() => {
        if (details.data !== undefined) onConfirm(affectedBy(details.data));
      }}
      onCancel={onCancel}
    >
      <div className="stack breaks">
        <p>{t('FLAGS.RETYPE.EFFECT', words)}</p>
        <AffectedFlags details={details} sentence="TYPE" />
        <TypeUses details={details} />
      </div>
    </ConfirmDialog>
  );
}
