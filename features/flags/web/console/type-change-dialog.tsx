import type { Flag, FlagType } from '#features/flags/contract/flags.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useApi } from '#web/platform/contexts.tsx';
import { catalogueKey } from '#web/platform/i18n/catalogue-key.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { AffectedFlags, TypeUses, affectedBy } from './flag-uses.tsx';
import { flagQuery } from './flags-query.ts';

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
