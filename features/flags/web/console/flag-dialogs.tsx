import { deleteFlag, type Flag, type FlagType } from '#features/flags/contract/flags.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { isProblem } from '#web/platform/calls/problem-error.ts';
import { useApi } from '#web/platform/contexts.tsx';
import { catalogueKey } from '#web/platform/i18n/catalogue-key.ts';
import { ConfirmAction } from '#web/ui/confirm-action.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { flagProblems } from './flag-words.ts';
import { AffectedFlags, affectedBy, askingFor, TypeUses } from './flag-uses.tsx';
import { flagQuery, flagsKey } from './flags-query.ts';

type ArchiveFlagDialogProps = {
  flag: Flag;
  connected: number;
  /** What is typed is lost with it. */
  unsaved: boolean;
  onClose: () => void;
  onArchived: () => void;
};

/**
 * Asks before a flag is archived: clients then use the value in their code. Refused while other flags depend
 * on it, which are named.
 */
export function ArchiveFlagDialog(props: ArchiveFlagDialogProps) {
  const { flag, connected, unsaved, onClose, onArchived } = props;
  const { t } = useTranslation();
  const api = useApi();
  const queries = useQueryClient();
  const details = useQuery(flagQuery(api, flag.key));
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
  /** @param affected the flags that were shown */
  onConfirm: (affected: string[]) => void;
  onCancel: () => void;
};

/** Asks before a flag that is on gets another type, and lists whom that concerns. */
export function TypeChangeDialog({ flag, type, busy, error, onConfirm, onCancel }: TypeChangeDialogProps) {
  const { t } = useTranslation();
  const details = useQuery(flagQuery(useApi(), flag.key));
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
