import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './button.tsx';
import type { MenuAction } from './menu.tsx';
import { MoreMenu } from './more-menu.tsx';
import { useNarrow } from './narrow.ts';

type ScreenActionsProps = {
  /** Those that a narrow window offers in one menu. */
  others: readonly MenuAction[];
  /** The main action; left out: there is none. */
  children?: ReactNode;
};

/** The actions in the head of a screen, the main one last. */
export function ScreenActions({ others, children }: ScreenActionsProps) {
  const { t } = useTranslation();
  const isNarrow = useNarrow(1000);
  return (
    <div className="screen-actions">
      {isNarrow ? (
        <MoreMenu inHead label={t('COMMON.MORE_ACTIONS')} items={others} />
      ) : (
        others.map(({ label, icon, disabled, onSelect }) => (
          <Button
            key={label}
            {...(icon === undefined ? {} : { icon })}
            disabled={disabled}
            onClick={onSelect}
          >
            {label}
          </Button>
        ))
      )}
      {children}
    </div>
  );
}
