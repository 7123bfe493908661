import { useTranslation } from 'react-i18next';
import { Button, IconButton } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Menu } from '#web/ui/menu.tsx';
import type { BulkTask } from './bulk-effect.ts';

type BulkBarProps = {
  count: number;
  /** How many are shown. */
  total: number;
  onTask: (task: BulkTask) => void;
  onAll: () => void;
  onClear: () => void;
};

/** What can be done to the selected people; it floats above the list. Each choice asks first. */
export function BulkBar({ count, total, onTask, onAll, onClear }: BulkBarProps) {
  const { t } = useTranslation();
  return (
    <div className="people-bulk" role="toolbar" aria-label={t('PEOPLE.SELECT.TOOLS')}>
      <strong role="status">{t('PEOPLE.SELECT.COUNT', { count })}</strong>
      {count < total ? (
        <Button small tone="quiet" onClick={onAll}>
          {t('PEOPLE.SELECT.ALL_SHOWN', { count: total })}
        </Button>
      ) : null}
      <Menu
        label={t('PEOPLE.ROLES')}
        align="start"
        buttonClassName="button button-small"
        button={
          <>
            <Icon name="shield" />
            {t('PEOPLE.ROLES')}
          </>
        }
        items={[
          { label: t('PEOPLE.BULK.GIVE_ROLE.OPEN'), icon: 'plus', onSelect: () => onTask('give-role') },
          { label: t('PEOPLE.BULK.TAKE_ROLE.OPEN'), icon: 'minus', onSelect: () => onTask('take-role') },
        ]}
      />
      <Menu
        label={t('PEOPLE.PERSON.ACTIONS')}
        align="start"
        buttonClassName="button button-small"
        button={
          <>
            <Icon name="lock" />
            {t('PEOPLE.PERSON.ACTIONS')}
          </>
        }
        items={[
          { label: t('PEOPLE.BULK.SIGN_OUT.OPEN'), icon: 'sign-out', onSelect: () => onTask('sign-out') },
          { label: t('PEOPLE.BULK.UNBLOCK.OPEN'), icon: 'check', onSelect: () => onTask('unblock') },
          { label: t('PEOPLE.BULK.BLOCK.OPEN'), icon: 'lock', danger: true, onSelect: () => onTask('block') },
        ]}
      />
      <IconButton small icon="close" label={t('PEOPLE.SELECT.CLEAR')} onClick={onClear} />
    </div>
  );
}
