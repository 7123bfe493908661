import { revokeApiToken, type ApiToken } from '#features/api-tokens/contract/api-tokens.ts';
import type { PeopleNames } from '#features/people/contract/names.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '#web/platform/contexts.tsx';
import { HistoryLink } from '#web/platform/lists/history-link.tsx';
import { useFormats } from '#web/platform/i18n/formats-context.tsx';
import { problemText } from '#web/platform/calls/problem-text.ts';
import { namedActor } from '#web/platform/named-person.ts';
import { Button } from '#web/ui/button.tsx';
import { ConfirmAction } from '#web/ui/confirm-action.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { apiTokensKey } from './api-tokens-queries.ts';
import { CreatedBy } from './created-by.tsx';
import { rightName } from './right-name.ts';
import { TokenTag } from './token-tag.tsx';

type TokenDialogProps = { token: ApiToken; names: PeopleNames; onClose: () => void };

/** One token: its rights, creator, last use and end. */
export function TokenDialog({ token, names, onClose }: TokenDialogProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const [revoking, setRevoking] = useState(false);
  const { name, state, rights, inForce, revokedAt, revokedBy, lastUsedAt, expiresAt, createdAt } = token;
  const living = state === 'active' || state === 'suspended';
  const lost = state === 'active' ? rights.filter((right) => !inForce.includes(right)) : [];
  const named = (those: readonly string[]) => formats.list(those.map((right) => rightName(t, right)));
  return (
    <>
      <Dialog
        open
        title={name}
        closeLabel={t('COMMON.CLOSE')}
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
          <TokenTag state={state} />
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
  const queries = useQueryClient();
  return (
    <ConfirmAction
      title={t('API_TOKENS.REVOKE_QUESTION', { name })}
      confirmLabel={t('API_TOKENS.REVOKE')}
      tone="danger"
      action={() => api.call(revokeApiToken, { params: { tokenId: id } })}
      problem={(error) => problemText(t, error)}
      done={t('API_TOKENS.REVOKED', { name })}
      onDone={() => {
        onRevoked();
        void queries.invalidateQueries({ queryKey: apiTokensKey });
      }}
      onCancel={onClose}
    >
      <p>{t('API_TOKENS.REVOKE_EFFECT')}</p>
    </ConfirmAction>
  );
}
