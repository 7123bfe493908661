import type { ApiToken } from '@portico/contract/api-tokens';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAddressFilter } from '../../platform/address-filter.ts';
import { askAgain } from '../../platform/ask-again.ts';
import { useApi, useServerClock } from '../../platform/contexts.tsx';
import { useFormats } from '../../platform/i18n/formats-context.tsx';
import { useWorkWasKept } from '../../platform/kept-work.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { Checkbox, SearchInput } from '../../ui/text-input.tsx';
import { Time } from '../../ui/time.tsx';
import { apiTokensQuery } from './api-tokens-queries.ts';
import { CreatedBy } from './created-by.tsx';
import { CreateTokenDialog } from './create-token-dialog.tsx';
import { newTokenWork } from './token-draft.ts';
import { TokenDialog } from './token-dialog.tsx';
import { TokenTag } from './token-tag.tsx';
import '../../ui/screen.css';
import './api-tokens.css';

/** What scripts come in with: create, see which are used, revoke. */
export function ApiTokensScreen() {
  const { t } = useTranslation();
  const api = useApi();
  const [address, setAddress] = useAddressFilter(['search', 'ended', 'token']);
  const [creating, setCreating] = useState(useWorkWasKept(newTokenWork));
  const tokens = useQuery(apiTokensQuery(api));
  const all = tokens.data?.tokens ?? [];
  const ended = address.ended !== '';
  const living = all.filter(isLiving);
  const wanted = address.search.trim().toLocaleLowerCase();
  const found = (ended ? all : living).filter(
    ({ name, createdBy }) =>
      wanted === '' || `${name} ${createdBy.name}`.toLocaleLowerCase().includes(wanted),
  );
  const opened = all.find(({ id }) => id === address.token);
  const create = (
    <Button tone="primary" icon="plus" onClick={() => setCreating(true)}>
      {t('API_TOKENS.CREATE')}
    </Button>
  );

  return (
    <>
      <header className="screen-head">
        <div>
          <Link to="/settings" className="screen-up">
            <Icon name="chevron-left" size={14} />
            {t('SETTINGS.TITLE')}
          </Link>
          <h1 tabIndex={-1}>{t('API_TOKENS.TITLE')}</h1>
          <p className="muted">{t('API_TOKENS.LEAD')}</p>
        </div>
        {all.length === 0 ? null : create}
      </header>

      {all.length === 0 ? null : (
        <div className="filter-bar">
          <SearchInput
            label={t('API_TOKENS.SEARCH')}
            value={address.search}
            maxLength={100}
            onValue={(search) => setAddress({ search })}
          />
          <Checkbox
            label={t('API_TOKENS.ENDED')}
            checked={ended}
            onChecked={(checked) => setAddress({ ended: checked ? 'yes' : '' })}
          />
          <span className="filter-count" role="status">
            {t('API_TOKENS.WORKING', { count: living.length })}
          </span>
        </div>
      )}

      {tokens.isPending ? (
        <Skeleton label={t('API_TOKENS.LOADING')} kind="rows" count={4} />
      ) : tokens.data === undefined ? (
        <ErrorState title={t('API_TOKENS.FAILED.TITLE')} {...askAgain(t, tokens)}>
          {t('API_TOKENS.FAILED.TEXT')}
        </ErrorState>
      ) : all.length === 0 ? (
        <EmptyState icon="key" title={t('API_TOKENS.EMPTY.TITLE')} action={create}>
          {t('API_TOKENS.EMPTY.TEXT')}
        </EmptyState>
      ) : found.length === 0 ? (
        <EmptyState
          icon="search"
          title={t('API_TOKENS.NOTHING_FOUND.TITLE')}
          action={
            <Button onClick={() => setAddress({ search: '', ended: 'yes' })}>
              {t('API_TOKENS.NOTHING_FOUND.ACTION')}
            </Button>
          }
        >
          {t('API_TOKENS.NOTHING_FOUND.TEXT')}
        </EmptyState>
      ) : (
        <TokensTable tokens={found} onOpen={({ id }) => setAddress({ token: id })} />
      )}

      {creating ? <CreateTokenDialog onClose={() => setCreating(false)} /> : null}
      {opened === undefined ? null : (
        <TokenDialog key={opened.id} token={opened} onClose={() => setAddress({ token: '' })} />
      )}
    </>
  );
}

function isLiving({ state }: ApiToken): boolean {
  return state === 'active' || state === 'suspended';
}

function TokensTable({ tokens, onOpen }: { tokens: readonly ApiToken[]; onOpen: (token: ApiToken) => void }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const clock = useServerClock();
  const columns: Column<ApiToken>[] = [
    {
      key: 'name',
      header: t('API_TOKENS.NAME'),
      role: 'primary',
      cell: ({ name, rights }) => (
        <>
          <strong className="token-name">{name}</strong>
          <small className="muted token-line">{t('API_TOKENS.RIGHTS_COUNT', { count: rights.length })}</small>
        </>
      ),
    },
    {
      key: 'state',
      header: t('API_TOKENS.STATE'),
      role: 'beside',
      tight: true,
      cell: ({ state }) => <TokenTag state={state} />,
    },
    {
      key: 'by',
      header: t('API_TOKENS.CREATED_BY'),
      cell: (token) => <CreatedBy token={token} />,
    },
    {
      key: 'used',
      header: t('API_TOKENS.LAST_USED'),
      tight: true,
      cell: ({ lastUsedAt }) =>
        lastUsedAt === null ? (
          <span className="muted">{t('API_TOKENS.NEVER')}</span>
        ) : (
          <Time at={lastUsedAt} formats={formats} now={clock.now} />
        ),
    },
    {
      key: 'expires',
      header: t('API_TOKENS.ENDS'),
      tight: true,
      cell: ({ expiresAt, revokedAt }) => (
        <Time at={revokedAt ?? expiresAt} formats={formats} now={clock.now} />
      ),
    },
  ];
  return (
    <Table
      caption={t('API_TOKENS.TITLE')}
      columns={columns}
      rows={tokens}
      rowKey={({ id }) => id}
      open={{ act: onOpen }}
    />
  );
}
