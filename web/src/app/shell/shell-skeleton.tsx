import { useTranslation } from 'react-i18next';
import { useBranding } from '../../platform/branding.ts';
import { Mark } from '../../ui/mark.tsx';
import { Skeleton } from '../../ui/states.tsx';
import { AboveAll } from './above-all.tsx';
import './shell.css';

/** Shown until the session and the rights are known; the same as in index.html. */
export function ShellSkeleton() {
  const { t } = useTranslation();
  const { product, mark } = useBranding();
  return (
    <div className="shell" aria-busy="true">
      <AboveAll />
      <div className="shell-top">
        <div className="shell-brand">
          <Mark src={mark} />
          <span>{product}</span>
        </div>
      </div>
      <div className="shell-body">
        <div className="shell-main">
          <Skeleton label={t('COMMON.LOADING')} title />
        </div>
      </div>
    </div>
  );
}
