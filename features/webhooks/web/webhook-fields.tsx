import {
  isSigned,
  previewWebhook,
  type Webhook,
  webhookArea,
  type WebhookArea,
  type WebhookEvent,
  type WebhookLanguage,
  webhookShape,
  type WebhookShape,
} from '#features/webhooks/contract/webhooks.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { routeQuery } from '#web/platform/calls/route-query.ts';
import type { Problems, ProblemWords } from '#web/platform/forms/problems-of.ts';
import { catalogueKey } from '#web/platform/i18n/isolated.ts';
import { languages } from '#web/platform/i18n/language.ts';
import { PasswordField, SelectField, TextField } from '#web/ui/field.tsx';
import { Notice, Problem } from '#web/ui/notice.tsx';
import { Skeleton } from '#web/ui/states.tsx';
import { Checkbox } from '#web/ui/text-input.tsx';

type WebhookFieldsProps = {
  draft: WebhookDraft;
  onDraft: (change: Partial<WebhookDraft>) => void;
  problems: Problems<'url' | 'description' | 'key' | 'areas'>;
  /** Left out: the shape stays as it is. */
  shape?: { secret: string; onSecret: (secret: string) => void };
};

/** Where PagerDuty takes events of all accounts except those in Europe. */
const pagerDutyUrl = 'https://events.pagerduty.com/v2/enqueue';

export function WebhookFields({ draft, onDraft, problems, shape }: WebhookFieldsProps) {
  const { t } = useTranslation();
  const choose = (next: WebhookShape) => {
    const untouched = draft.url === '' || draft.url === pagerDutyUrl;
    onDraft({
      shape: next,
      ...(untouched ? { url: next === 'pagerduty' ? pagerDutyUrl : '' } : {}),
    });
  };
  return (
    <>
      {shape === undefined ? null : (
        <SelectField
          label={t('WEBHOOKS.SHAPE')}
          hint={t(`WEBHOOKS.SHAPES.${catalogueKey(draft.shape)}.HINT`)}
          value={draft.shape}
          onValue={choose}
          options={webhookShape.options.map((value) => ({
            value,
            label: t(`WEBHOOKS.SHAPES.${catalogueKey(value)}.NAME`),
          }))}
        />
      )}
      <TextField
        label={t('WEBHOOKS.URL')}
        hint={t('WEBHOOKS.URL_HINT')}
        required
        error={problems.url}
        data-autofocus=""
        type="url"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        maxLength={2000}
        value={draft.url}
        onValue={(url) => onDraft({ url })}
      />
      {draft.shape === 'pagerduty' && shape !== undefined ? (
        <PasswordField
          label={t('WEBHOOKS.KEY')}
          hint={t('WEBHOOKS.KEY_HINT')}
          required
          error={problems.key}
          autoComplete="off"
          maxLength={200}
          showLabel={t('WEBHOOKS.KEY_SHOW')}
          hideLabel={t('WEBHOOKS.KEY_HIDE')}
          value={shape.secret}
          onValue={shape.onSecret}
        />
      ) : null}
      <TextField
        label={t('WEBHOOKS.DESCRIPTION')}
        hint={t('WEBHOOKS.DESCRIPTION_HINT')}
        error={problems.description}
        autoComplete="off"
        maxLength={200}
        value={draft.description}
        onValue={(description) => onDraft({ description })}
      />
      <fieldset className="choice">
        <legend>{t('WEBHOOKS.REPORTS')}</legend>
        {webhookArea.options.map((area) => (
          <Checkbox
            key={area}
            label={t(`WEBHOOKS.AREAS.${catalogueKey(area)}.LABEL`)}
            hint={t(`WEBHOOKS.AREAS.${catalogueKey(area)}.HINT`)}
            checked={draft.areas.includes(area)}
            onChecked={(checked) =>
              onDraft({
                areas: webhookArea.options.filter((one) =>
                  one === area ? checked : draft.areas.includes(one),
                ),
              })
            }
          />
        ))}
        <Problem>{problems.areas ?? null}</Problem>
      </fieldset>
      {draft.shape === 'standard' ? null : (
        <SelectField
          label={t('WEBHOOKS.LANGUAGE')}
          hint={t('WEBHOOKS.LANGUAGE_HINT')}
          value={draft.language}
          onValue={(language) => onDraft({ language })}
          options={languages.map(({ language: value, label }) => ({ value, label }))}
        />
      )}
      {shape === undefined ? null : <Preview draft={draft} />}
    </>
  );
}

/** Roughly as a chat shows it: the title, the lines, the link. */
function Card({ text }: { text: string }) {
  const [title, ...lines] = text.split('\n');
  return (
    <div className="panel webhook-card pad-3 stack gap-1 breaks">
      <strong>{title}</strong>
      {lines.map((line) => (
        <span key={line} className="small">
          {line}
        </span>
      ))}
    </div>
  );
}

/** What would be sent for three events in the chosen shape. */
function Preview({ draft: { shape, language } }: { draft: WebhookDraft }) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState(0);
  const examples = useQuery({
    ...routeQuery(['webhook-preview', shape, language], previewWebhook, { query: { shape, language } }),
    staleTime: Infinity,
  });
  const shown = examples.data?.examples;
  return (
    <details className="section-divided">
      <summary>{t('WEBHOOKS.PREVIEW.TITLE')}</summary>
      {shown === undefined ? (
        examples.isError ? (
          <Notice severity="medium">{t('WEBHOOKS.PREVIEW.FAILED')}</Notice>
        ) : (
          <Skeleton label={t('COMMON.LOADING')} kind="rows" count={3} />
        )
      ) : (
        <div className="stack gap-2 above-2">
          <SelectField
            label={t('WEBHOOKS.PREVIEW.EVENT')}
            value={String(chosen)}
            onValue={(index) => setChosen(Number(index))}
            options={shown.map(({ event }, index) => ({
              value: String(index),
              label: t(`WEBHOOKS.EVENTS.${eventKey(event)}`),
            }))}
          />
          {shape === 'standard' || shape === 'text' ? null : <Card text={shown[chosen]?.text ?? ''} />}
          <pre className="code-block" aria-label={t('WEBHOOKS.LOG.BODY')}>
            {readable(shown[chosen]?.body ?? '')}
          </pre>
          {isSigned(shape) ? null : <p className="muted small">{t('WEBHOOKS.PREVIEW.UNSIGNED')}</p>}
        </div>
      )}
    </details>
  );
}

const gone = 410;

/** Whether it was switched off by its receiver: the last answer was 410 Gone. */
export function isGone({ enabled, lastDelivery }: Pick<Webhook, 'enabled' | 'lastDelivery'>): boolean {
  return !enabled && lastDelivery?.status === gone;
}

/** The name of a webhook: its description, else its address. */
export function webhookName({ url, description }: Pick<Webhook, 'url' | 'description'>): string {
  return description === '' ? (URL.parse(url)?.host ?? url) : description;
}

/** A webhook as typed in its form; the key of PagerDuty is not part of it, so that no browser stores it. */
export type WebhookDraft = {
  url: string;
  description: string;
  shape: WebhookShape;
  language: WebhookLanguage;
  areas: readonly WebhookArea[];
};

/** The name under which the form of a new one is stored. */
export const newWebhookWork = 'webhook';

export function emptyDraft(language: WebhookLanguage): WebhookDraft {
  return { url: '', description: '', shape: 'standard', language, areas: webhookArea.options };
}

export function draftOf({ url, description, shape, language, areas }: Webhook): WebhookDraft {
  return { url, description, shape, language, areas };
}

export const webhookWords: ProblemWords<'url' | 'description' | 'key' | 'areas'> = {
  fields: {
    url: {
      scheme: 'WEBHOOKS.ERRORS.URL.SCHEME',
      credentials: 'WEBHOOKS.ERRORS.URL.CREDENTIALS',
      'forbidden-address': 'WEBHOOKS.ERRORS.URL.FORBIDDEN_ADDRESS',
      too_big: 'WEBHOOKS.ERRORS.URL.TOO_BIG',
      else: 'WEBHOOKS.ERRORS.URL.FORMAT',
    },
    description: 'WEBHOOKS.ERRORS.DESCRIPTION',
    key: 'WEBHOOKS.ERRORS.KEY',
    areas: 'WEBHOOKS.ERRORS.AREAS',
  },
  codes: { VERSION_CONFLICT: 'WEBHOOKS.ERRORS.CONFLICT', CONFLICT: 'WEBHOOKS.ERRORS.TOO_MANY' },
};

/** The text key of an event's name. */
export function eventKey(event: WebhookEvent): string {
  return catalogueKey(event.replaceAll('.', '_'));
}

/** JSON with line breaks; anything else unchanged. */
export function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
