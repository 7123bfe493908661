import { type Application, listApplications } from '#features/gateway/contract/gateway.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { routeQuery } from '#web/platform/calls/route-query.ts';
import { listState } from '#web/platform/lists/list-state.ts';
import { ListFrame } from '#web/ui/list-frame.tsx';
import { ScreenHead } from '#web/ui/screen-head.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { Tag } from '#web/ui/tag.tsx';
import './gateway.css';

/** The applications behind the gateway and their rules, as the configuration of the server holds them. */
export function GatewayScreen() {
  const { t } = useTranslation();
  const applications = useQuery(applicationsQuery);
  const all = applications.data?.applications ?? [];
  const streams = applications.data?.openStreams ?? 0;
  return (
    <>
      <ScreenHead title={t('GATEWAY.TITLE')} lead={`${t('GATEWAY.LEAD')} ${t('GATEWAY.FROM_FILE')}`} />
      <ListFrame
        texts="GATEWAY"
        {...listState(t, applications)}
        skeletonRows={2}
        count={all.length}
        empty={{ icon: 'external' }}
      >
        <div className="gateway-list above-5">
          <ApplicationsTable applications={all} />
        </div>
        <p className="above-4 muted">{t('GATEWAY.STREAMS', { count: streams })}</p>
      </ListFrame>
    </>
  );
}

function ApplicationsTable({ applications }: { applications: readonly Application[] }) {
  const { t } = useTranslation();
  const columns: Column<Application>[] = [
    {
      key: 'name',
      header: t('GATEWAY.NAME'),
      role: 'primary',
      cell: ({ name, audience, timeoutSeconds }) => (
        <div>
          <strong dir="auto">{name}</strong>
          <span className="muted small line">{t('GATEWAY.AUDIENCE', { audience })}</span>
          <span className="muted small line">{t('GATEWAY.TIMEOUT', { count: timeoutSeconds })}</span>
        </div>
      ),
    },
    {
      key: 'place',
      header: t('GATEWAY.PLACE'),
      narrow: 'labelled',
      cell: ({ host, path, stripPath }) => (
        <div>
          <code>{host === null ? path : `${host}${path}`}</code>
          {host === null ? <span className="muted small line">{t('GATEWAY.ANY_HOST')}</span> : null}
          {stripPath ? (
            <span className="muted small line">{t('GATEWAY.PREFIX_CUT', { prefix: path })}</span>
          ) : null}
        </div>
      ),
    },
    {
      key: 'url',
      header: t('GATEWAY.URL'),
      narrow: 'labelled',
      cell: ({ url, keepHost, identityHeaders, clientHeaders }) => (
        <div>
          <code>{url}</code>
          <span className="muted small line">{t(keepHost ? 'GATEWAY.HOST_KEPT' : 'GATEWAY.HOST_SET')}</span>
          <Headers text="GATEWAY.IDENTITY_HEADERS" names={Object.keys(identityHeaders)} />
          <Headers text="GATEWAY.CLIENT_HEADERS" names={clientHeaders} />
        </div>
      ),
    },
    {
      key: 'rules',
      header: t('GATEWAY.RULES'),
      narrow: 'labelled',
      cell: ({ rules }) => <Rules rules={rules} />,
    },
  ];
  return (
    <Table caption={t('GATEWAY.CAPTION')} columns={columns} rows={applications} rowKey={({ name }) => name} />
  );
}

function Headers({ text, names }: { text: string; names: readonly string[] }) {
  const { t } = useTranslation();
  return names.length === 0 ? null : (
    <span className="muted small line">{t(text, { headers: names.join(', ') })}</span>
  );
}

function Rules({ rules }: Pick<Application, 'rules'>) {
  const { t } = useTranslation();
  return (
    <ul className="gateway-rules stack">
      {rules.map(({ path, access, right, rightIsKnown, whileClosed, ...rule }) => (
        <li key={path}>
          <code>{path}</code>
          <span>
            {t(`GATEWAY.${access.toUpperCase().replaceAll('-', '_')}`)}
            {right === null ? null : ` ${t('GATEWAY.WITH_RIGHT', { right })}`}{' '}
            {rightIsKnown ? null : <Tag kind="medium">{t('GATEWAY.UNKNOWN_RIGHT')}</Tag>}{' '}
            {whileClosed ? <Tag kind="info">{t('GATEWAY.WHILE_CLOSED')}</Tag> : null}{' '}
            {rule.postReads ? <Tag kind="info">{t('GATEWAY.POST_READS')}</Tag> : null}{' '}
            {rule.passPreflight ? <Tag kind="info">{t('GATEWAY.PASS_PREFLIGHT')}</Tag> : null}
            {access.endsWith('token') ? (
              <span className="muted small line">
                {t(rule.askPassword ? 'GATEWAY.TOKEN_ASKED' : 'GATEWAY.TOKEN_SENT', {
                  header: rule.tokenHeader,
                })}
              </span>
            ) : null}
          </span>
        </li>
      ))}
      <li className="muted">
        <span>{t('GATEWAY.ALL_ELSE')}</span>
        <span>{t('GATEWAY.SESSION')}</span>
      </li>
    </ul>
  );
}

/** The applications behind the gateway, and how many streams are open. */
const applicationsQuery = {
  ...routeQuery(['applications'], listApplications, {}),
  refetchInterval: 15_000,
};
