import { type Application, listApplications } from '#features/gateway/contract/gateway.ts';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { routeQuery } from '#web/platform/calls/route-query.ts';
import { useFormats } from '#web/platform/contexts.tsx';
import { waitIn } from '#web/platform/i18n/formats.ts';
import { listState } from '#web/platform/lists/list-state.ts';
import { useRightsWords } from '#web/platform/rights-words.ts';
import { ListFrame } from '#web/ui/list-frame.tsx';
import { ScreenHead } from '#web/ui/screen-head.tsx';
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
        <ul className="stack gap-4 above-5" aria-label={t('GATEWAY.CAPTION')}>
          {all.map((application) => (
            <li key={application.name} className="gateway-application panel pad-4 stack gap-4">
              <h2 className="heading" dir="auto">
                {application.name}
              </h2>
              <Facts application={application} />
              <Rules rules={application.rules} />
            </li>
          ))}
        </ul>
        {streams === 0 ? null : <p className="above-4 muted">{t('GATEWAY.STREAMS', { count: streams })}</p>}
      </ListFrame>
    </>
  );
}

function Facts({ application }: { application: Application }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { host, path, url, stripPath, keepHost, audience, timeoutSeconds } = application;
  return (
    <dl className="stack gap-2">
      <Fact name="PLACE">
        <code>{host === null ? path : `${host}${path}`}</code> {host === null ? t('GATEWAY.ANY_HOST') : null}
      </Fact>
      <Fact name="URL">
        <code>{url}</code>
      </Fact>
      <Fact name="HOST">{t(keepHost ? 'GATEWAY.HOST_KEPT' : 'GATEWAY.HOST_SET')}</Fact>
      <Fact name="PATHS">{stripPath ? t('GATEWAY.PREFIX_CUT', { prefix: path }) : ''}</Fact>
      <Fact name="TIMEOUT">{waitIn(formats, timeoutSeconds * 1_000)}</Fact>
      <Fact name="AUDIENCE">{audience}</Fact>
      <Fact name="IDENTITY_HEADERS">{Object.keys(application.identityHeaders).join(', ')}</Fact>
      <Fact name="CLIENT_HEADERS">{application.clientHeaders.join(', ')}</Fact>
    </dl>
  );
}

/** Not shown where it is empty. */
function Fact({ name, children }: { name: string; children: ReactNode }) {
  const { t } = useTranslation();
  return children === '' ? null : (
    <div>
      <dt className="muted">{t(`GATEWAY.${name}`)}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Rules({ rules }: Pick<Application, 'rules'>) {
  const { t } = useTranslation();
  const words = useRightsWords();
  return (
    <section>
      <h3>{t('GATEWAY.RULES')}</h3>
      <ul className="gateway-rules divided">
        {rules.map(({ path, access, right, rightIsKnown, whileClosed, ...rule }) => (
          <li key={path}>
            <code className="breaks muted">{path}</code>
            <div>
              {t(`GATEWAY.${access.toUpperCase().replaceAll('-', '_')}`)}
              {right === null ? null : ` ${t('GATEWAY.WITH_RIGHT', { right: words.right(right) })}`}{' '}
              {rightIsKnown ? null : <Tag kind="medium">{t('GATEWAY.UNKNOWN_RIGHT')}</Tag>}
              <p className="muted small">
                {[
                  whileClosed ? t('GATEWAY.WHILE_CLOSED') : '',
                  rule.postReads ? t('GATEWAY.POST_READS') : '',
                  rule.passPreflight ? t('GATEWAY.PASS_PREFLIGHT') : '',
                  access.endsWith('token')
                    ? t(rule.askPassword ? 'GATEWAY.TOKEN_ASKED' : 'GATEWAY.TOKEN_SENT', {
                        header: rule.tokenHeader,
                      })
                    : '',
                ].join(' ')}
              </p>
            </div>
          </li>
        ))}
        <li>
          <span className="muted">{t('GATEWAY.ALL_ELSE')}</span>
          <span>{t('GATEWAY.SESSION')}</span>
        </li>
      </ul>
    </section>
  );
}

/** The applications behind the gateway, and how many streams are open. */
const applicationsQuery = {
  ...routeQuery(['applications'], listApplications, {}),
  refetchInterval: 15_000,
};
