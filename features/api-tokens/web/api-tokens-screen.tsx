import {
  type ApiToken,
  type ApiTokenState,
  revokeApiToken,
  endsSoon,
} from '#features/api-tokens/contract/api-tokens.ts';
import type { PeopleNames } from '#features/people/contract/names.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { catalogueKey } from '#web/platform/i18n/isolated.ts';
import { HistoryLink } from '#web/platform/lists/history-link.tsx';
import { listState, useAddressFilter, useAskedAction, useRemoval } from '#web/platform/lists/list-state.ts';
import { useApi, useFormats, useServerClock } from '#web/platform/contexts.tsx';
import { useHasStoredWork } from '#web/platform/forms/stored-work.ts';
import { namedActor } from '#web/platform/named-person.ts';
import { Button } from '#web/ui/button.tsx';
import { ConfirmAction } from '#web/ui/confirm-action.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { FilterBar, ListFrame } from '#web/ui/list-frame.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { ScreenHead } from '#web/ui/screen-head.tsx';
import { useTableView } from '#features/views/web/table-view.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { Tag, type TagKind } from '#web/ui/tag.tsx';
import { Checkbox } from '#web/ui/text-input.tsx';
import { Time } from '#web/ui/time.tsx';
import { useRightsWords } from '#web/platform/rights-words.ts';
import { apiTokensKey, apiTokensQuery, CreateTokenDialog, newTokenWork } from './create-token-dialog.tsx';

/** API tokens for scripts: create, see which are used, revoke. */
export function ApiTokensScreen() {
  const { t } = useTranslation();
  const [address, setAddress] = useAddressFilter(['search', 'ended', 'token']);
  const [creating, setCreating] = useState(useHasStoredWork(newTokenWork));
  useAskedAction('new', true, () => setCreating(true));
  const tokens = useQuery(apiTokensQuery);
  const all = tokens.data?.tokens ?? [];
  const isEmpty = tokens.data !== undefined && all.length === 0;
  const names = tokens.data?.names ?? {};
  const ended = address.ended !== '';
  const living = all.filter(isLiving);
  const wanted = address.search.trim().toLocaleLowerCase();
  const found = (ended ? all : living).filter(
    ({ name, createdBy }) =>
      wanted === '' ||
      `${name} ${createdBy.name} ${names[createdBy.name] ?? ''}`.toLocaleLowerCase().includes(wanted),
  );
  const opened = all.find(({ id }) => id === address.token);
  const create = (
    <Button tone="primary" icon="plus" onClick={() => setCreating(true)}>
      {t('API_TOKENS.CREATE')}
    </Button>
  );

  return (
    <>
      <ScreenHead title={t('API_TOKENS.TITLE')} lead={t('API_TOKENS.LEAD')}>
        {isEmpty ? null : create}
      </ScreenHead>

      {isEmpty ? null : (
        <FilterBar
          count={tokens.data === undefined ? '' : t('API_TOKENS.WORKING', { count: living.length })}
          search={{
            label: t('API_TOKENS.SEARCH'),
            value: address.search,
            maxLength: 100,
            onValue: (search) => setAddress({ search }),
          }}
          chosen={[address.ended]}
          onClear={() => setAddress({ ended: '' })}
          foldsAt={800}
        >
          <Checkbox
            label={t('API_TOKENS.ENDED')}
            checked={ended}
            onChecked={(checked) => setAddress({ ended: checked ? 'yes' : '' })}
          />
        </FilterBar>
      )}

      <ListFrame
        texts="API_TOKENS"
        {...listState(t, tokens)}
        skeletonRows={4}
        count={found.length}
        empty={{ icon: 'key', action: create }}
        onClear={isEmpty ? undefined : () => setAddress({ search: '', ended: 'yes' })}
      >
        <TokensTable tokens={found} names={names} onOpen={({ id }) => setAddress({ token: id })} />
      </ListFrame>

      {creating ? <CreateTokenDialog onClose={() => setCreating(false)} /> : null}
      {opened === undefined ? null : (
        <TokenDialog key={opened.id} token={opened} names={names} onClose={() => setAddress({ token: '' })} />
      )}
    </>
  );
}

function isLiving({ state }: ApiToken): boolean {
  return state === 'active' || state === 'suspended';
}

type TokensTableProps = {
  tokens: readonly ApiToken[];
  names: PeopleNames;
  onOpen: (token: ApiToken) => void;
};

function TokensTable({ tokens, names, onOpen }: TokensTableProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const clock = useServerClock();
  const words = useRightsWords();
  const columns: Column<ApiToken>[] = [
    {
      key: 'name',
      header: t('API_TOKENS.NAME'),
      role: 'primary',
      cell: ({ name, rights }) => (
        <>
          <strong className="breaks" dir="auto">
            {name}
          </strong>
          <small className="muted line">
            {rights.length > 3
              ? t('API_TOKENS.RIGHTS_COUNT', { count: rights.length })
              : formats.list(rights.map(words.right))}
          </small>
        </>
      ),
    },
    {
      key: 'state',
      header: t('API_TOKENS.STATE'),
      role: 'beside',
      tight: true,
      cell: (token) => <TokenTag token={token} />,
    },
    {
      key: 'by',
      header: t('API_TOKENS.CREATED_BY'),
      narrow: 'labelled',
      cell: (token) => <CreatedBy token={token} names={names} />,
    },
    {
      key: 'used',
      header: t('API_TOKENS.LAST_USED'),
      tight: true,
      narrow: 'labelled',
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
      narrow: 'labelled',
      cell: ({ expiresAt, revokedAt }) => (
        <Time at={revokedAt ?? expiresAt} formats={formats} now={clock.now} />
      ),
    },
  ];
  return (
    <Table
      caption={t('API_TOKENS.TITLE')}
      {...useTableView('api-tokens', columns)}
      rows={tokens}
      rowKey={({ id }) => id}
      open={{ act: onOpen }}
    />
  );
}

type TokenDialogProps = { token: ApiToken; names: PeopleNames; onClose: () => void };

/** One token: its rights, creator, last use and end. */
function TokenDialog({ token, names, onClose }: TokenDialogProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const [revoking, setRevoking] = useState(false);
  const { name, state, rights, inForce, revokedAt, revokedBy, lastUsedAt, expiresAt, createdAt } = token;
  const living = state === 'active' || state === 'suspended';
  const lost = state === 'active' ? rights.filter((right) => !inForce.includes(right)) : [];
  const words = useRightsWords();
  const named = (those: readonly string[]) => formats.list(those.map(words.right));
  return (
    <>
      <Dialog
        title={name}
        onClose={onClose}
        footer={
          living ? (
            <Button tone="danger" onClick={() => setRevoking(true)}>
              {t('API_TOKENS.REVOKE')}
            </Button>
          ) : undefined
        }
      >
        <div>
          <TokenTag token={token} />
        </div>
        {state === 'suspended' ? (
          <Notice severity="medium">{t('API_TOKENS.SUSPENDED')}</Notice>
        ) : lost.length === 0 ? null : (
          <Notice severity="medium">{t('API_TOKENS.LOST', { rights: named(lost) })}</Notice>
        )}
        <dl className="facts">
          <dt>{t('API_TOKENS.RIGHTS')}</dt>
          <dd>{named(rights)}</dd>
          <dt>{t('API_TOKENS.CREATED_BY')}</dt>
          <dd>
            <CreatedBy token={token} names={names} />
          </dd>
          <dt>{t('API_TOKENS.CREATED')}</dt>
          <dd>{formats.dateTime(createdAt)}</dd>
          <dt>{t('API_TOKENS.LAST_USED')}</dt>
          <dd>{lastUsedAt === null ? t('API_TOKENS.NEVER') : formats.dateTime(lastUsedAt)}</dd>
          <dt>{t('API_TOKENS.ENDS')}</dt>
          <dd>
            {revokedAt === null
              ? formats.dateTime(expiresAt)
              : t('API_TOKENS.REVOKED_BY', {
                  when: formats.dateTime(revokedAt),
                  who: namedActor(t, revokedBy ?? '', names),
                })}
          </dd>
        </dl>
        <HistoryLink subject={token.id} />
      </Dialog>
      {revoking ? (
        <RevokeDialog token={token} onClose={() => setRevoking(false)} onRevoked={onClose} />
      ) : null}
    </>
  );
}

type RevokeDialogProps = { token: ApiToken; onClose: () => void; onRevoked: () => void };

/** Asks before a token is revoked. */
function RevokeDialog({ token: { id, name }, onClose, onRevoked }: RevokeDialogProps) {
  const { t } = useTranslation();
  const api = useApi();
  return (
    <ConfirmAction
      title={t('API_TOKENS.REVOKE_QUESTION', { name })}
      confirmLabel={t('API_TOKENS.REVOKE')}
      {...useRemoval(apiTokensKey, onClose, onRevoked)}
      action={() => api.call(revokeApiToken, { params: { tokenId: id } })}
      done={t('API_TOKENS.REVOKED', { name })}
    >
      <p>{t('API_TOKENS.REVOKE_EFFECT')}</p>
    </ConfirmAction>
  );
}

/** The creator of a token. */
function CreatedBy({
  token: { createdBy },
  names,
}: {
  token: Pick<ApiToken, 'createdBy'>;
  names: PeopleNames;
}) {
  const { t } = useTranslation();
  if (createdBy.kind === 'command-line') return <>{t('API_TOKENS.BY_COMMAND_LINE')}</>;
  return (
    <span className="breaks">
      {createdBy.kind === 'token'
        ? t('API_TOKENS.BY_TOKEN', { name: createdBy.name })
        : namedActor(t, createdBy.name, names)}
    </span>
  );
}

const kinds: Record<ApiTokenState, TagKind> = {
  active: 'ok',
  suspended: 'medium',
  expired: 'plain',
  revoked: 'plain',
};

function TokenTag({ token }: { token: ApiToken }) {
  const { t } = useTranslation();
  const { state } = token;
  const now = useServerClock().now();
  if (state === 'active' && endsSoon(token, now))
    return <Tag kind="medium">{t('API_TOKENS.STATES.EXPIRING')}</Tag>;
  return <Tag kind={kinds[state]}>{t(`API_TOKENS.STATES.${catalogueKey(state)}`)}</Tag>;
}
