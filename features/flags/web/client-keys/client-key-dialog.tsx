import { type ManagedClientKey, renameClientKey, revokeClientKey } from '#features/flags/contract/flags.ts';
import type { KeyHealth } from '#features/flags/contract/usage.ts';
import type { PeopleNames } from '#features/people/contract/names.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi, useFormats } from '#web/platform/contexts.tsx';
import { HistoryLink } from '#web/platform/lists/history-link.tsx';
import { catalogueKey } from '#web/platform/i18n/isolated.ts';
import { problemsOf, type ProblemWords } from '#web/platform/forms/problems-of.ts';
import { useVersionedForm } from '#web/platform/forms/versioned-form.ts';
import { namedActor } from '#web/platform/named-person.ts';
import { Button } from '#web/ui/button.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { ConfirmAction } from '#web/ui/confirm-action.tsx';
import { TextField } from '#web/ui/field.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { notifyUndoable } from '#web/ui/notifications/undoable.ts';
import { Checkbox } from '#web/ui/text-input.tsx';
import { SdkCode } from '../sdk-code.tsx';
import { useRemoval } from '#web/platform/lists/list-state.ts';

export const managedKeysKey = ['managed-client-keys'] as const;

export const clientKeyWords: ProblemWords<'name'> = {
  fields: { name: 'CLIENT_KEYS.ERRORS.NAME' },
  codes: { CONFLICT: 'CLIENT_KEYS.ERRORS.CONFLICT' },
};

type ClientKeyDialogProps = {
  clientKey: ManagedClientKey;
  health: KeyHealth | undefined;
  names: PeopleNames;
  apiHost: string;
  onClose: () => void;
};

/** One client key: what it is for, how an SDK uses it, and its revocation. */
export function ClientKeyDialog({ clientKey, health, names, apiHost, onClose }: ClientKeyDialogProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const api = useApi();
  const queries = useQueryClient();
  const { key, kind, decryptionKey, builtIn, createdAt, createdBy, revokedAt, revokedBy, connected } =
    clientKey;
  const [revoking, setRevoking] = useState(false);
  const rename = useVersionedForm({
    saved: {
      values: valuesOf(clientKey),
      version: clientKey.version,
    },
    save: (values, version) =>
      api.call(renameClientKey, { params: { clientKey: key }, body: { ...values, version } }),
    async onSaved(_saved, _sent, undo) {
      notifyUndoable(t, {
        key: `client-key ${key}`,
        title: t('CLIENT_KEYS.SAVED'),
        undo,
        problem: (error) => problemsOf(t, error, clientKeyWords).general,
      });
      await queries.invalidateQueries({ queryKey: managedKeysKey });
    },
    next: (key) => ({ values: valuesOf(key), version: key.version }),
    reload: managedKeysKey,
    gone: revokedAt !== null,
  });
  const problems = problemsOf(t, rename.error, clientKeyWords);

  return (
    <>
      <FormDialog
        kind="wide"
        title={clientKey.name}
        form={{ ...rename, gone: rename.gone && rename.typed }}
        problem={problems.general}
        onSubmit={() => {
          if (rename.typed) rename.save();
        }}
        action={revokedAt === null || rename.typed ? t('EDITING.SAVE') : null}
        onClose={onClose}
        cancel={rename.typed}
        start={
          builtIn || revokedAt !== null ? undefined : (
            <Button tone="danger" onClick={() => setRevoking(true)}>
              {t('CLIENT_KEYS.REVOKE')}
            </Button>
          )
        }
      >
        <dl className="facts">
          <dt>{t('CLIENT_KEYS.KEY')}</dt>
          <dd className="row">
            <code className="breaks">{key}</code>
            <CopyButton bare text={key} label={t('CLIENT_KEYS.COPY_KEY')} />
          </dd>
          {decryptionKey === null ? null : (
            <>
              <dt>{t('CLIENT_KEYS.DECRYPTION_KEY')}</dt>
              <dd className="row">
                <code className="breaks">{decryptionKey}</code>
                <CopyButton bare text={decryptionKey} label={t('CLIENT_KEYS.COPY_DECRYPTION_KEY')} />
              </dd>
            </>
          )}
          <dt>{t('CLIENT_KEYS.KIND')}</dt>
          <dd>
            {t(`CLIENT_KEYS.KINDS.${catalogueKey(kind)}.LABEL`)}
            <small className="muted line breaks">
              {builtIn ? t('CLIENT_KEYS.BUILT_IN') : t(`CLIENT_KEYS.KINDS.${catalogueKey(kind)}.HINT`)}
            </small>
          </dd>
          <dt>{t('CLIENT_KEYS.CREATED')}</dt>
          <dd>
            {createdBy === null
              ? t('CLIENT_KEYS.AT_FIRST_START', { when: formats.dateTime(createdAt) })
              : t('CLIENT_KEYS.CREATED_BY', {
                  when: formats.dateTime(createdAt),
                  who: namedActor(t, createdBy, names),
                })}
          </dd>
          {revokedAt === null ? (
            <>
              <dt>{t('CLIENT_KEYS.CONNECTED')}</dt>
              <dd>{formats.number(connected)}</dd>
            </>
          ) : (
            <>
              <dt>{t('CLIENT_KEYS.IS_REVOKED')}</dt>
              <dd>
                {t('CLIENT_KEYS.CREATED_BY', {
                  when: formats.dateTime(revokedAt),
                  who: namedActor(t, revokedBy ?? '', names),
                })}
              </dd>
            </>
          )}
          {health === undefined ? null : <HealthFacts health={health} />}
        </dl>
        <HistoryLink subject={key} />
        {revokedAt === null || rename.typed ? (
          <>
            <TextField
              label={t('CLIENT_KEYS.NAME')}
              error={problems.name}
              autoComplete="off"
              maxLength={100}
              {...rename.field('name')}
            />
            {kind === 'plain' ? (
              <>
                <Checkbox
                  label={t('CLIENT_KEYS.OLDER')}
                  hint={t('CLIENT_KEYS.OLDER_HINT')}
                  {...rename.check('olderSdks')}
                />
                <Checkbox
                  label={t('CLIENT_KEYS.ENCRYPTED')}
                  hint={t('CLIENT_KEYS.ENCRYPTED_HINT')}
                  {...rename.check('encrypted')}
                />
              </>
            ) : null}
            {kind === 'remote-eval' ? (
              <Checkbox
                label={t('CLIENT_KEYS.STICKY')}
                hint={t('CLIENT_KEYS.STICKY_HINT')}
                {...rename.check('stickyBuckets')}
              />
            ) : null}
          </>
        ) : null}
        {revokedAt === null ? (
          <SdkCode
            title={t('CLIENT_KEYS.USE')}
            copy={t('CLIENT_KEYS.COPY_CODE')}
            apiHost={apiHost}
            clientKey={clientKey}
          />
        ) : null}
      </FormDialog>
      {revoking ? (
        <RevokeDialog clientKey={clientKey} onClose={() => setRevoking(false)} onRevoked={onClose} />
      ) : null}
    </>
  );
}

/** The values of the form that edits a client key. */
function valuesOf({ name, olderSdks, stickyBuckets, decryptionKey }: ManagedClientKey) {
  return { name, olderSdks, stickyBuckets, encrypted: decryptionKey !== null };
}

function HealthFacts({ health }: { health: KeyHealth }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { lastRead, refused, lastRefused, unkept, unknownFlags, sdks } = health;
  return (
    <>
      <dt>{t('CLIENT_KEYS.LAST_READ')}</dt>
      <dd>{lastRead === null ? t('CLIENT_KEYS.NOT_READ') : formats.dateTime(lastRead)}</dd>
      <dt>{t('CLIENT_KEYS.SDKS')}</dt>
      <dd>{sdks.length === 0 ? t('CLIENT_KEYS.NO_SDKS') : formats.list(sdks)}</dd>
      {lastRefused === null ? null : (
        <>
          <dt>{t('CLIENT_KEYS.LAST_REFUSED')}</dt>
          <dd>
            {t('CLIENT_KEYS.REFUSED_AT', {
              refused: t('CLIENT_KEYS.REFUSED', { count: refused, number: formats.number(refused) }),
              when: formats.dateTime(lastRefused),
            })}
          </dd>
        </>
      )}
      {unkept === 0 ? null : (
        <>
          <dt>{t('CLIENT_KEYS.UNKEPT')}</dt>
          <dd>{formats.number(unkept)}</dd>
        </>
      )}
      {unknownFlags === 0 ? null : (
        <>
          <dt>{t('CLIENT_KEYS.UNKNOWN_FLAGS')}</dt>
          <dd>{t('CLIENT_KEYS.UNKNOWN', { count: unknownFlags, number: formats.number(unknownFlags) })}</dd>
        </>
      )}
    </>
  );
}

type RevokeDialogProps = { clientKey: ManagedClientKey; onClose: () => void; onRevoked: () => void };

/** Asks before a key is revoked; its clients then use the values in their code. */
function RevokeDialog({ clientKey: { key, name, connected }, onClose, onRevoked }: RevokeDialogProps) {
  const { t } = useTranslation();
  const api = useApi();
  return (
    <ConfirmAction
      title={t('CLIENT_KEYS.REVOKE_QUESTION', { name })}
      confirmLabel={t('CLIENT_KEYS.REVOKE')}
      {...useRemoval(managedKeysKey, onClose, onRevoked)}
      action={() => api.call(revokeClientKey, { params: { clientKey: key } })}
      done={t('CLIENT_KEYS.REVOKED', { name })}
    >
      <p>{t('CLIENT_KEYS.REVOKE_EFFECT')}</p>
      <p>{t('CLIENT_KEYS.STREAMS', { count: connected })}</p>
    </ConfirmAction>
  );
}
