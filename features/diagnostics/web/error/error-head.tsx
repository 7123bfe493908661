import type { FullError } from '#features/diagnostics/contract/diagnostics.ts';
import { useTranslation } from 'react-i18next';
import { useCan } from '#web/platform/contexts.tsx';
import { catalogueKey } from '#web/platform/i18n/catalogue-key.ts';
import { Button } from '#web/ui/button.tsx';
import { Menu, type MenuAction } from '#web/ui/menu.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { useErrorChange } from '../error-changes.ts';
import { ErrorTags } from '../error-tags.tsx';

type ErrorHeadProps = { error: FullError; now: number; onDelete: () => void };

/** What it is, where it stands, and what can be done with it. */
export function ErrorHead({ error, now, onDelete }: ErrorHeadProps) {
  const { t } = useTranslation();
  const mayWrite = useCan()('DIAGNOSTICS_WRITE');
  const { kind, message, place, level, status, resolvedAfter } = error;
  return (
    <header className="error-head">
      <div className="error-head-text stack gap-1">
        <h1 tabIndex={-1} dir="auto">
          {kind}
        </h1>
        <p className="error-head-message" dir="auto">
          {message}
        </p>
        <p className="error-head-tags row wrap">
          <Tag kind={status === 'resolved' ? 'ok' : 'plain'}>
            {t(`DIAGNOSTICS.IS.${catalogueKey(status)}`)}
          </Tag>
          <ErrorTags error={error} now={now} />
          {level === 'error' ? null : <Tag>{t(`DIAGNOSTICS.LEVELS.${catalogueKey(level)}`)}</Tag>}
          <code>{place}</code>
        </p>
        {status === 'resolved' && resolvedAfter !== null ? (
          <p className="muted">{t('DIAGNOSTICS.RESOLVED_AFTER', { release: resolvedAfter })}</p>
        ) : null}
      </div>
      {mayWrite ? <Actions error={error} onDelete={onDelete} /> : null}
    </header>
  );
}

function Actions({ error, onDelete }: Omit<ErrorHeadProps, 'now'>) {
  const { t } = useTranslation();
  const change = useErrorChange();
  const run = (what: Parameters<typeof change.mutate>[0]['change']) =>
    change.mutate({ change: what, errors: [error] });
  const isOpen = error.status === 'open';
  const others: MenuAction[] = [
    ...(isOpen && error.lastRelease !== null
      ? [
          {
            label: t('DIAGNOSTICS.ACTIONS.RESOLVE_IN_NEXT_RELEASE'),
            icon: 'check' as const,
            onSelect: () => run('resolve-in-next-release'),
          },
        ]
      : []),
    ...(isOpen
      ? [
          {
            label: t('DIAGNOSTICS.ACTIONS.IGNORE'),
            icon: 'eye-off' as const,
            onSelect: () => run('ignore'),
          },
        ]
      : []),
    { label: t('DIAGNOSTICS.ACTIONS.DELETE_ASK'), icon: 'trash', danger: true, onSelect: onDelete },
  ];
  return (
    <div className="button-row">
      {isOpen ? (
        <Button tone="primary" icon="check" busy={change.isPending} onClick={() => run('resolve')}>
          {t('DIAGNOSTICS.ACTIONS.RESOLVE')}
        </Button>
      ) : (
        <Button busy={change.isPending} onClick={() => run('reopen')}>
          {t('DIAGNOSTICS.ACTIONS.REOPEN')}
        </Button>
      )}
      <Menu
        label={t('DIAGNOSTICS.ACTIONS.OTHERS')}
        button={
          <>
            {t('DIAGNOSTICS.ACTIONS.OTHERS')}
            <Icon name="chevron-down" />
          </>
        }
        items={others}
      />
    </div>
  );
}
