import type { FlagDetails } from '#features/flags/contract/flags.ts';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { catalogueKey } from '#web/platform/i18n/catalogue-key.ts';

/** The clients that receive the flag, and the flags that depend on it. */
export function FlagClients({ flag: { clients, usedBy } }: { flag: FlagDetails }) {
  const { t } = useTranslation();
  const connected = clients.filter((client) => client.connected > 0);
  const total = connected.reduce((sum, client) => sum + client.connected, 0);
  return (
    <section className="flag-card" aria-labelledby="flag-clients">
      <h2 id="flag-clients">{t('FLAGS.CLIENTS')}</h2>
      <p className="muted">{t('FLAGS.CONNECTED', { count: total })}</p>
      {connected.length === 0 ? null : (
        <ul className="flag-clients">
          {connected.map(({ key, name, kind, connected: count }) => (
            <li key={key}>
              <span>{name === '' ? key : name}</span>
              <small className="muted">
                {`${t(`FLAGS.CONNECT.KINDS.${catalogueKey(kind)}.LABEL`)} · ${count}`}
              </small>
            </li>
          ))}
        </ul>
      )}
      {usedBy.length === 0 ? null : (
        <>
          <h3>{t('FLAGS.DEPENDENT')}</h3>
          <ul className="flag-clients">
            {usedBy.map(({ key, enabled }) => (
              <li key={key}>
                <Link to={`/flags/${encodeURIComponent(key)}`}>
                  <code>{key}</code>
                </Link>
                <small className="muted">{enabled ? t('FLAGS.ON') : t('FLAGS.OFF')}</small>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
