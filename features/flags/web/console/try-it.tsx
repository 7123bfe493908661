import type { FlagRule } from '#features/flags/contract/flags.ts';
import { timesOf } from '#features/flags/contract/schedules.ts';
import type { Trial } from '#features/flags/contract/trials.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { readProblemText } from '#web/platform/calls/problem-text.ts';
import { isProblem } from '#web/platform/calls/problem-error.ts';
import { useCan, useFormats, useServerClock } from '#web/platform/contexts.tsx';
import { catalogueKey } from '#web/platform/i18n/isolated.ts';
import { useTypedSearch } from '#web/platform/lists/typed-search.ts';
import { initials, namedPerson } from '#web/platform/named-person.ts';
import { Button, IconButton } from '#web/ui/button.tsx';
import { Face } from '#web/ui/face.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { OptionList } from '#web/ui/option-list.tsx';
import { Popover } from '#web/ui/popover.tsx';
import { SuggestInput } from '#web/ui/suggest-input.tsx';
import { Select, TextInput } from '#web/ui/text-input.tsx';
import { foundPeopleQuery, type TrialSubject } from './flags-query.ts';
import { attributesIn, attributeText, knownAttributes, useAttributeOptions } from './known-values.ts';
import { percent, shortValue } from './describe-rule.ts';

type AttributeRow = { name: string; value: string };
type Person = { id: string; name: string; email: string };

/** The inputs of a trial: a person, or attributes that are made up; and the time, null for now. */
export type TrialForm = { person: Person | null; rows: readonly AttributeRow[]; at: number | null };

export const emptyTrialForm: TrialForm = { person: null, rows: [{ name: 'id', value: '' }], at: null };

export function trialSubjectOf({ person, rows, at }: TrialForm): TrialSubject {
  return {
    for: person === null ? { attributes: attributesIn(rows) } : { personId: person.id },
    ...(at === null ? {} : { at }),
  };
}

/** Whether a person or an attribute is entered. Without one, no rule is marked as the one that decides. */
export function isFilled({ person, rows }: TrialForm): boolean {
  return person !== null || rows.some(({ value }) => value !== '');
}

type TryItProps = {
  form: TrialForm;
  onForm: (form: TrialForm) => void;
  trial: { data: Trial | undefined; error: Error | null; isFetching: boolean };
  enabled: boolean;
  /** The rules of the flag; attributes that they ask about are offered first. */
  rules: readonly FlagRule[];
};

/** Evaluates the flag as edited on this page, and shows the outcome of each rule. */
export function TryIt({ form, onForm, trial, enabled, rules }: TryItProps) {
  const { t } = useTranslation();
  const mayPick = useCan()('PEOPLE_READ');
  const { person } = form;
  return (
    <section className="try stack panel pad-4" aria-labelledby="try-it">
      <h2 id="try-it">{t('FLAGS.TRY.TITLE')}</h2>
      <p className="muted">{t('FLAGS.TRY.LEAD')}</p>
      {mayPick ? (
        <PersonPicker person={person} onPerson={(picked) => onForm({ ...form, person: picked })} />
      ) : null}
      {person === null ? (
        <Attributes rows={form.rows} rules={rules} onRows={(rows) => onForm({ ...form, rows })} />
      ) : trial.data === undefined ? null : (
        <PersonAttributes
          attributes={trial.data.attributes}
          onEdit={(rows) => onForm({ ...form, person: null, rows })}
        />
      )}
      <AtTime rules={rules} at={form.at} onAt={(at) => onForm({ ...form, at })} />
      <div aria-live="polite" aria-busy={trial.isFetching}>
        {isFilled(form) || form.at !== null ? <Outcome trial={trial} /> : null}
      </div>
      {enabled ? null : <p className="muted">{t('FLAGS.TRY.OFF')}</p>}
    </section>
  );
}

type AtTimeProps = Pick<TryItProps, 'rules'> & { at: number | null; onAt: (at: number | null) => void };

/** Chooses now, or a later time at which a rule begins, grows or ends; empty if there is no such time. */
function AtTime({ rules, at, onAt }: AtTimeProps) {
  const { t } = useTranslation();
  const { dateTime } = useFormats();
  const now = useServerClock().now();
  const times = rules
    .flatMap((rule, index) => [...new Set(timesOf(rule))].map((time) => ({ time, number: index + 1 })))
    .filter(({ time }) => time > now && time < Infinity);
  if (times.length === 0 && at === null) return null;
  const distinct = [...new Set([...times.map(({ time }) => time), ...(at === null ? [] : [at])])];
  return (
    <Select
      aria-label={t('FLAGS.TRY.AT')}
      value={at === null ? '' : String(at)}
      onValue={(value) => onAt(value === '' ? null : Number(value))}
      options={[
        { value: '', label: t('FLAGS.TRY.NOW') },
        ...distinct
          .toSorted((one, other) => one - other)
          .map((time) => ({
            value: String(time),
            label: [
              dateTime(time),
              ...times
                .filter((one) => one.time === time)
                .map(({ number }) => t('FLAGS.RULE.NUMBER', { number })),
            ].join(' · '),
          })),
      ]}
    />
  );
}

function Outcome({ trial: { data, error } }: Pick<TryItProps, 'trial'>) {
  const { t } = useTranslation();
  const { locale } = useFormats();
  if (error !== null)
    return (
      <p className="muted">
        {isProblem(error, 'INVALID_BODY') ? t('FLAGS.TRY.REFUSED') : readProblemText(t, error)}
      </p>
    );
  if (data === undefined) return null;
  return (
    <>
      <p className="prose breaks">
        <span className="muted">{t('FLAGS.TRY.GETS')}</span>{' '}
        <code className="strong">{shortValue(data.value)}</code>
      </p>
      <ol className="try-steps stack gap-2 above-2">
        {data.steps.map(({ rule, outcome, bucket }) => (
          <li key={rule} data-decides={rule === data.rule}>
            <Icon name={rule === data.rule ? 'check' : 'close'} size={14} />
            <span>{t('FLAGS.RULE.NUMBER', { number: rule + 1 })}</span>
            <small className="muted">
              {t(`FLAGS.TRY.OUTCOMES.${catalogueKey(outcome)}`)}
              {bucket === null ? null : ` (${t('FLAGS.TRY.BUCKET', { place: percent(bucket, locale) })})`}
            </small>
          </li>
        ))}
        {data.rule === null ? (
          <li data-decides="true">
            <Icon name="check" size={14} />
            <span>{data.steps.length === 0 ? t('FLAGS.SAY.EVERYONE') : t('FLAGS.SAY.REST')}</span>
            <small className="muted">{t('FLAGS.TRY.OUTCOMES.DECIDES')}</small>
          </li>
        ) : null}
      </ol>
    </>
  );
}

type PersonPickerProps = { person: Person | null; onPerson: (person: Person | null) => void };

function PersonPicker({ person, onPerson }: PersonPickerProps) {
  const { t } = useTranslation();
  return (
    <div className="row gap-1">
      <Popover
        label={person === null ? t('FLAGS.TRY.PICK') : t('FLAGS.TRY.PICKED', { name: person.name })}
        buttonClassName="button try-person"
        isPrivate={person !== null}
        button={
          <>
            {person === null ? (
              <Icon name="person" />
            ) : (
              <Face letters={initials(person.name)} of={person.name} size="small" />
            )}
            <span>{person?.name ?? t('FLAGS.TRY.PICK')}</span>
            <Icon name="chevron-down" size={12} />
          </>
        }
      >
        {(close) => (
          <People
            onPick={(picked) => {
              onPerson(picked);
              close();
            }}
          />
        )}
      </Popover>
      {person === null ? null : (
        <IconButton icon="close" small label={t('FLAGS.TRY.UNPICK')} onClick={() => onPerson(null)} />
      )}
    </div>
  );
}

function People({ onPick }: { onPick: (person: Person) => void }) {
  const { t } = useTranslation();
  const [search, setSearch] = useState('');
  const [typed, type] = useTypedSearch(search, setSearch);
  const found = useQuery(foundPeopleQuery(search));
  const people = (found.data?.people ?? []).map(({ id, firstName, lastName, email }) => ({
    id,
    email,
    name: namedPerson(t, { id, name: `${firstName} ${lastName}`, email }),
  }));
  return (
    <OptionList
      label={t('FLAGS.TRY.PICK')}
      search={t('FLAGS.TRY.SEARCH')}
      typed={typed}
      onType={type}
      options={people.map(({ id, name, email }) => ({
        key: id,
        label: name,
        hint: email === name ? undefined : email,
        mark: <Face letters={initials(name)} of={name} size="small" />,
      }))}
      empty={found.isPending ? t('COMMON.LOADING') : t('FLAGS.TRY.NOBODY')}
      onPick={(id) => {
        const picked = people.find((one) => one.id === id);
        if (picked !== undefined) onPick(picked);
      }}
    />
  );
}

type PersonAttributesProps = {
  attributes: Record<string, unknown>;
  onEdit: (rows: AttributeRow[]) => void;
};

/** The attributes that Portico knows of the person; the operator can change a copy of them. */
function PersonAttributes({ attributes, onEdit }: PersonAttributesProps) {
  const { t } = useTranslation();
  const rows = Object.entries(attributes)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => ({ name, value: attributeText(value) }));
  return (
    <details>
      <summary className="muted">{t('FLAGS.TRY.ATTRIBUTES', { count: rows.length })}</summary>
      <dl className="facts small" data-private="">
        {rows.map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value === '' ? '–' : value}</dd>
          </div>
        ))}
      </dl>
      <Button small onClick={() => onEdit(rows)}>
        {t('FLAGS.TRY.CHANGE_COPY')}
      </Button>
    </details>
  );
}

type AttributesProps = Pick<TryItProps, 'rules'> & {
  rows: readonly AttributeRow[];
  onRows: (rows: AttributeRow[]) => void;
};

function Attributes({ rows, rules, onRows }: AttributesProps) {
  const { t } = useTranslation();
  const attributeOptions = useAttributeOptions();
  const set = (index: number, change: Partial<AttributeRow>) =>
    onRows(rows.map((row, at) => (at === index ? { ...row, ...change } : row)));
  return (
    <div className="stack gap-2" role="group" aria-label={t('FLAGS.TRY.MADE_UP')}>
      {rows.map(({ name, value }, index) => (
        <div className="try-row grid middle gap-1" key={index}>
          <SuggestInput
            aria-label={t('FLAGS.RULE.ATTRIBUTE')}
            placeholder={t('FLAGS.RULE.ATTRIBUTE')}
            autoCapitalize="none"
            options={attributeOptions}
            maxLength={200}
            value={name}
            onValue={(next) => set(index, { name: next })}
          />
          <TextInput
            aria-label={t('FLAGS.TRY.VALUE_OF', { name })}
            placeholder={t('FLAGS.RULE.VALUE')}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={2_000}
            value={value}
            onValue={(next) => set(index, { value: next })}
          />
          {rows.length === 1 ? null : (
            <IconButton
              icon="close"
              small
              label={t('FLAGS.TRY.REMOVE_ATTRIBUTE', { name })}
              onClick={() => onRows(rows.filter((_row, at) => at !== index))}
            />
          )}
        </div>
      ))}
      {rows.length >= 50 ? null : (
        <div>
          <Button
            small
            tone="quiet"
            icon="plus"
            onClick={() => onRows([...rows, { name: nextName(rows, rules), value: '' }])}
          >
            {t('FLAGS.TRY.ADD_ATTRIBUTE')}
          </Button>
        </div>
      )}
    </div>
  );
}

/** The first attribute that has no row yet: first of those that the rules ask about, then of the known ones. */
function nextName(rows: readonly AttributeRow[], rules: readonly FlagRule[]): string {
  const asked = rules.flatMap(({ condition }) => attributesAsked(condition));
  return (
    [...asked, ...Object.keys(knownAttributes)].find((name) => !rows.some((row) => row.name === name)) ?? ''
  );
}

function attributesAsked(condition: unknown): string[] {
  if (Array.isArray(condition)) return condition.flatMap(attributesAsked);
  if (typeof condition !== 'object' || condition === null) return [];
  return Object.entries(condition).flatMap(([name, inner]) =>
    name.startsWith('$') ? attributesAsked(inner) : [name],
  );
}
