import type { CatalogueRight } from '#features/permissions/contract/administration.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useApi } from '#web/platform/contexts.tsx';
import { useFormats } from '#web/platform/i18n/formats-context.tsx';
import { rolesQuery, useRightsWords } from '#web/platform/rights-words.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { Notice } from '#web/ui/notice.tsx';

/** The roles that hold a right, and a link to the people who have it. */
export function RightUse({ right }: { right: string }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const words = useRightsWords();
  const roles = useQuery(rolesQuery(useApi())).data?.roles;
  const holding = roles?.filter(({ rights }) => rights.includes(right)).map(({ role }) => words.role(role));
  return (
    <div className="stack gap-2 breaks">
      {holding === undefined ? null : (
        <p>
          {holding.length === 0
            ? t('ROLES_AND_RIGHTS.RIGHT.IN_NO_ROLE')
            : t('ROLES_AND_RIGHTS.TOUCHED.IN_ROLES', { count: holding.length, roles: formats.list(holding) })}
        </p>
      )}
      <p>
        <Link to="/people" search={{ right }}>
          {t('ROLES_AND_RIGHTS.RIGHT.WHO_HAS_IT')}
        </Link>
      </p>
    </div>
  );
}

/** Shows a right read-only: a built-in one, or to people who may not edit. */
export function RightLookDialog({ right, onClose }: { right: CatalogueRight; onClose: () => void }) {
  const { t } = useTranslation();
  const words = useRightsWords();
  return (
    <Dialog title={words.right(right.right)} onClose={onClose}>
      {right.builtIn ? <Notice severity="info">{t('ROLES_AND_RIGHTS.RIGHT.IS_BUILT_IN')}</Notice> : null}
      {words.rightHint(right.right) === '' ? null : <p>{words.rightHint(right.right)}</p>}
      <dl className="facts">
        <dt>{t('ROLES_AND_RIGHTS.RIGHT.NAME')}</dt>
        <dd>
          <code>{right.right}</code>
        </dd>
        <dt>{t('ROLES_AND_RIGHTS.RIGHT.AREA')}</dt>
        <dd>{words.area(right)}</dd>
      </dl>
      <RightUse right={right.right} />
    </Dialog>
  );
}
