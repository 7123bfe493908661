import { createApiToken, listApiTokens, longestTokenLife } from '#features/api-tokens/contract/api-tokens.ts';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useId, useState } from 'react';
import { base } from '#web/platform/base.ts';
import { useApi, useFormats, useServerClock } from '#web/platform/contexts.tsx';
import { problemsOf, type ProblemWords } from '#web/platform/forms/problems-of.ts';
import { useVersionedForm } from '#web/platform/forms/versioned-form.ts';
import { Button } from '#web/ui/button.tsx';
import { CopyText } from '#web/ui/copy-button.tsx';
import { Dialog, LeaveButton } from '#web/ui/dialog.tsx';
import { SelectField, TextField } from '#web/ui/field.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { RetryNotice, Skeleton } from '#web/ui/states.tsx';
import { Checkbox, SearchInput } from '#web/ui/text-input.tsx';
import { reservedRightPrefix } from '#features/permissions/contract/permissions.ts';
import { getPermissions } from '#features/permissions/contract/own-access.ts';
import { routeQuery } from '#web/platform/calls/route-query.ts';
import { useRightsWords } from '#web/platform/rights-words.ts';

export const apiTokensKey = ['api-tokens'] as const;

export const apiTokensQuery = {
  ...routeQuery([...apiTokensKey, 'list'], listApiTokens, {}),
  refetchInterval: 30_000,
};

/**
 * The rights that a token may get: the person's own, without those that flags give and those that have no
 * effect yet.
 */
const ownRightsQuery = queryOptions({
  ...routeQuery([...apiTokensKey, 'own-rights'], getPermissions, { params: { userId: 'current' } }),
  select: (rights) => rights.filter((right) => !right.startsWith(reservedRightPrefix)),
});

/** A token as typed in its form. */
type TokenDraft = {
  name: string;
  rights: string[];
  days: string;
  /** The days count from this time, so that a retry sends the same expiry. */
  from: number;
};

/** The name under which the form is stored. */
export const newTokenWork = 'api-token';

/** Days that a token may live. */
const lives = ['1', '7', '30', '90', '365'] as const;

function emptyDraft(now: number): TokenDraft {
  return { name: '', rights: [], days: '30', from: now };
}

const longestTry = 3_600_000;

/** The stored form; after an hour its days count from now. Null: another release has written it. */
function readStoredDraft(draft: TokenDraft, now: number): TokenDraft | null {
  if (!draft.rights.every((right) => typeof right === 'string')) return null;
  return now - draft.from < longestTry ? draft : { ...draft, from: now };
}

const tokenWords: ProblemWords<'name' | 'rights' | 'expiresAt'> = {
  fields: {
    name: 'API_TOKENS.ERRORS.NAME',
    rights: { 'not-held': 'API_TOKENS.ERRORS.NOT_HELD', else: 'API_TOKENS.ERRORS.NO_RIGHTS' },
    expiresAt: 'API_TOKENS.ERRORS.EXPIRY',
  },
  codes: { CONFLICT: 'API_TOKENS.ERRORS.TOO_MANY' },
};

/** When a token that starts now expires. */
function endOf(days: string, now: number): number {
  return Math.floor(now) + Math.min(Number(days) * 24 * 3_600_000, longestTokenLife);
}

/** Creates a token; ends with its secret, which is shown this once. */
export function CreateTokenDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const api = useApi();
  const formats = useFormats();
  const clock = useServerClock();
  const rights = useQuery(ownRightsQuery);
  const form = useVersionedForm({
    saved: { values: emptyDraft(clock.now()) },
    storedAs: newTokenWork,
    readStored: (draft) => readStoredDraft(draft, clock.now()),
    save: ({ name, days, rights: chosen, from }, _version, _extra, creation) =>
      api.call(createApiToken, { body: { name, rights: chosen, expiresAt: endOf(days, from) } }, creation),
    lists: apiTokensKey,
  });
  const { values: draft, result: created } = form;
  const problems = problemsOf(t, form.error, tokenWords);

  if (created !== undefined) {
    return (
      <Dialog
        title={t('API_TOKENS.SECRET.TITLE')}
        onClose={onClose}
        footer={<LeaveButton>{t('API_TOKENS.SECRET.DONE')}</LeaveButton>}
      >
        <TokenSecret secret={created.secret} rights={created.token.rights} />
      </Dialog>
    );
  }
  return (
    <FormDialog
      title={t('API_TOKENS.CREATE')}
      form={form}
      problem={problems.general}
      action={t('API_TOKENS.CREATE_ACTION')}
      onClose={onClose}
    >
      <TextField
        label={t('API_TOKENS.NAME')}
        hint={t('API_TOKENS.NAME_HINT')}
        required
        error={problems.name}
        autoComplete="off"
        maxLength={100}
        {...form.field('name')}
      />
      <SelectField
        label={t('API_TOKENS.LIFE')}
        hint={t('API_TOKENS.LIFE_UNTIL', { when: formats.dateTime(endOf(draft.days, draft.from)) })}
        error={problems.expiresAt}
        {...form.field('days')}
        options={lives.map((days) => ({
          value: days as string,
          label: t('API_TOKENS.DAYS', { count: Number(days) }),
        }))}
      />
      <RightsChoice
        rights={rights.data}
        failed={rights.isError ? { onRetry: () => void rights.refetch(), busy: rights.isFetching } : null}
        chosen={draft.rights}
        onChosen={(chosen) => form.set({ rights: chosen })}
        problem={problems.rights}
      />
    </FormDialog>
  );
}

type RightsChoiceProps = {
  /** The rights to choose from; undefined while they load. */
  rights: readonly string[] | undefined;
  /** Set when the rights could not be loaded. */
  failed: { onRetry: () => void; busy: boolean } | null;
  chosen: readonly string[];
  onChosen: (rights: string[]) => void;
  problem: string | undefined;
};

/** Above this many rights there is a search, and only this many are shown. */
const manageable = 20;
const mostShown = 100;

/** Which of the person's own rights a token has. */
function RightsChoice({ rights, failed, chosen, onChosen, problem }: RightsChoiceProps) {
  const { t } = useTranslation();
  const [search, setSearch] = useState('');
  const words = useRightsWords();
  const id = useId();
  const wanted = search.trim().toLocaleLowerCase();
  const found = (rights ?? []).filter(
    (right) => wanted === '' || `${right} ${words.right(right)}`.toLocaleLowerCase().includes(wanted),
  );
  return (
    <fieldset className="choice" aria-describedby={problem === undefined ? undefined : id}>
      <legend>{t('API_TOKENS.RIGHTS')}</legend>
      <p className="muted">{t('API_TOKENS.RIGHTS_HINT')}</p>
      {problem === undefined ? null : (
        <span className="field-error" id={id} role="alert">
          <Icon name="alert" size={14} />
          <span>{problem}</span>
        </span>
      )}
      {rights === undefined ? (
        failed !== null ? (
          <RetryNotice retry={{ label: t('COMMON.RETRY'), ...failed }}>
            {t('API_TOKENS.RIGHTS_FAILED')}
          </RetryNotice>
        ) : (
          <Skeleton label={t('COMMON.LOADING')} count={4} />
        )
      ) : (
        <>
          {rights.length > manageable ? (
            <SearchInput label={t('API_TOKENS.SEARCH_RIGHTS')} value={search} onValue={setSearch} />
          ) : null}
          <div className="field-row top">
            {found.slice(0, mostShown).map((right) => (
              <Checkbox
                key={right}
                label={words.right(right)}
                hint={words.rightHint(right) || undefined}
                checked={chosen.includes(right)}
                onChecked={(checked) =>
                  onChosen(rights.filter((other) => (other === right ? checked : chosen.includes(other))))
                }
              />
            ))}
          </div>
          {found.length > mostShown ? (
            <p className="muted">{t('API_TOKENS.MORE_RIGHTS', { count: found.length - mostShown })}</p>
          ) : null}
          {chosen.length === 0 ? null : (
            <span>
              <Button small tone="quiet" onClick={() => onChosen([])}>
                {t('API_TOKENS.NO_RIGHTS')}
              </Button>
            </span>
          )}
        </>
      )}
    </fieldset>
  );
}

/** The secret of a new token, which is shown this once, and how a script sends it. */
function TokenSecret({ secret, rights }: { secret: string; rights: readonly string[] }) {
  const { t } = useTranslation();
  return (
    <>
      <Notice severity="ok" role="status" title={t('API_TOKENS.SECRET.READY')} />
      <p>{t('API_TOKENS.SECRET.TEXT')}</p>
      <CopyText text={secret} once label={t('API_TOKENS.SECRET.LABEL')} copy={t('API_TOKENS.SECRET.COPY')} />
      <section className="section section-divided">
        <h3>{t('API_TOKENS.SECRET.USE')}</h3>
        <pre className="code-block" aria-label={t('API_TOKENS.SECRET.USE')}>
          {`curl -H "Authorization: Bearer $TOKEN" ${window.location.origin}${base}${firstCall(rights)}`}
        </pre>
      </section>
    </>
  );
}

/** A first call to try, by right. */
const byRight = [
  ['FLAGS_READ', '/v1/flags'],
  ['PEOPLE_READ', '/v1/people'],
  ['REPORTS_READ', '/v1/reports'],
  ['AUDIT_READ', '/v1/audit'],
  ['SETTINGS_WRITE', '/v1/webhooks'],
  ['MAINTENANCE_WRITE', '/v1/maintenance'],
] as const;

/** Needs no right. */
const withoutRight = '/v1/maintenance/status';

/** The address of a call that a token with these rights may make. */
export function firstCall(rights: readonly string[]): string {
  return byRight.find(([right]) => rights.includes(right))?.[1] ?? withoutRight;
}
