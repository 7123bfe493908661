import type { ErrorStatus, ListedError } from '#features/diagnostics/contract/diagnostics.ts';
import { useTranslation } from 'react-i18next';
import { Button } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/text-input.tsx';
import { useErrorChange } from '../error-changes.ts';
import type { Selection } from './error-list.tsx';

type SelectionBarProps = {
  errors: readonly ListedError[];
  selection: Selection;
  status: ErrorStatus;
  onDelete: () => void;
};

/** Chooses all that are listed, and what is done with those that are chosen. */
export function SelectionBar({ errors, selection, status, onDelete }: SelectionBarProps) {
  const { t } = useTranslation();
  const change = useErrorChange();
  const chosen = errors.filter(({ id }) => selection.ids.has(id));
  const run = (what: Parameters<typeof change.mutate>[0]['change']) => {
    change.mutate({ change: what, errors: chosen });
    selection.set(new Set());
  };
  return (
    <div className="error-selection row wrap" role="group" aria-label={t('DIAGNOSTICS.CHOSEN.LABEL')}>
      <Checkbox
        label={
          chosen.length === 0
            ? t('DIAGNOSTICS.CHOSEN.ALL')
            : t('DIAGNOSTICS.CHOSEN.COUNT', { count: chosen.length })
        }
        checked={chosen.length > 0 && chosen.length === errors.length}
        ref={(box) => {
          if (box !== null) box.indeterminate = chosen.length > 0 && chosen.length < errors.length;
        }}
        onChecked={(all) => selection.set(new Set(all ? errors.map(({ id }) => id) : []))}
      />
      {chosen.length === 0 ? null : (
        <div className="button-row">
          {status === 'open' ? (
            <>
              <Button small icon="check" onClick={() => run('resolve')}>
                {t('DIAGNOSTICS.ACTIONS.RESOLVE')}
              </Button>
              <Button small onClick={() => run('ignore')}>
                {t('DIAGNOSTICS.ACTIONS.IGNORE')}
              </Button>
            </>
          ) : (
            <Button small onClick={() => run('reopen')}>
              {t('DIAGNOSTICS.ACTIONS.REOPEN')}
            </Button>
          )}
          <Button small tone="danger" onClick={onDelete}>
            {t('DIAGNOSTICS.ACTIONS.DELETE')}
          </Button>
        </div>
      )}
    </div>
  );
}
