import type { Person } from '#features/people/contract/people.ts';
import {
  type OwnEffect,
  type OwnRight,
  removeOwnRight,
  rightName,
  setOwnRight,
} from '#features/permissions/contract/administration.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi, useFormats, useServerClock } from '#web/platform/contexts.tsx';
import { problemsOf, type ProblemWords } from '#web/platform/forms/problems-of.ts';
import { useVersionedForm } from '#web/platform/forms/versioned-form.ts';
import { useRightsWords } from '#web/platform/rights-words.ts';
import { typedTime } from '#web/platform/time/wall-times.ts';
import { TimeField } from '#web/app/time-field.tsx';
import { Field, TextField } from '#web/ui/field.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { notifyUndoable } from '#web/ui/notifications/undoable.ts';
import { RetryNotice } from '#web/ui/states.tsx';
import { Select } from '#web/ui/text-input.tsx';
import { peopleKey } from '../people-queries.ts';
import { personName } from '#web/platform/named-person.ts';
import { RightInput } from '#features/permissions/web/right-input.tsx';

type OwnRightDialogProps = {
  person: Person;
  /** Whether another operator has erased the person. */
  gone: boolean;
  first: { right: string; effect: OwnEffect };
  own: readonly OwnRight[];
  onClose: () => void;
};

const words: ProblemWords<'expiresAt' | 'reason'> = {
  fields: { expiresAt: 'COMMON.DATE.OVER', reason: 'PEOPLE.OWN.INVALID_REASON' },
  codes: { LAST_ADMINISTRATOR: 'PEOPLE.PERSON.LAST_ADMINISTRATOR', CONFLICT: 'PEOPLE.OWN.TOO_MANY' },
};

/** Grants or denies a person a single right, for good or until a time, with the reason. */
export function OwnRightDialog({ person, gone, first, own, onClose }: OwnRightDialogProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const clock = useServerClock();
  const api = useApi();
  const queries = useQueryClient();
  const names = useRightsWords();
  const [asked, setAsked] = useState(false);
  const name = personName(t, person);
  const form = useVersionedForm({
    saved: { values: { ...first, until: '', reason: '' } },
    save: (values, _version, expiresAt: number | null) =>
      api.call(setOwnRight, {
        params: { personId: person.id, right: values.right, effect: values.effect },
        body: { expiresAt, reason: values.reason },
      }),
    lists: peopleKey,
    onSaved(_saved, sent) {
      const { right, effect } = sent;
      const title = t(effect === 'grant' ? 'PEOPLE.OWN.SAVED_GRANT' : 'PEOPLE.OWN.SAVED_DENIAL', {
        name,
        right: names.right(right),
      });
      const params = { personId: person.id, right, effect };
      const replaced = own.some((one) => one.right === right && one.effect === effect);
      notifyUndoable(t, {
        key: 'own-right',
        title,
        // What was replaced had an end and a reason of its own.
        undo: replaced
          ? null
          : () =>
              api
                .call(removeOwnRight, { params })
                .finally(() => void queries.invalidateQueries({ queryKey: peopleKey })),
        problem: (error) => problemsOf(t, error, words).general,
      });
      onClose();
    },
    gone,
  });
  const { right, effect, until } = form.values;
  const expiresAt = until === '' ? null : typedTime(until, formats.timeZone);
  const isGood = expiresAt === null || expiresAt > clock.now();
  const problems = problemsOf(t, form.error, words);

  const isKnown = names.rights.some((one) => one.right === right);
  // Without the list of own rights the server decides which exist.
  const maybe = isKnown || (names.missing.rights !== null && rightName.safeParse(right).success);
  const unknown = asked && !maybe;
  const replaces = own.some((one) => one.right === right && one.effect === effect);

  return (
    <FormDialog
      title={t('PEOPLE.OWN.DIALOG', { name })}
      form={form}
      problem={problems.general}
      action={t(effect === 'grant' ? 'PEOPLE.OWN.GRANT' : 'PEOPLE.OWN.DENY')}
      onSubmit={() => {
        setAsked(true);
        if (maybe && isGood) form.save(expiresAt);
      }}
      onClose={onClose}
    >
      {names.missing.rights === null ? null : (
        <RetryNotice retry={{ label: t('COMMON.RETRY'), ...names.missing.rights }}>
          {t('PEOPLE.OWN.RIGHTS_FAILED')}
        </RetryNotice>
      )}
      <Field
        label={t('PEOPLE.RIGHT')}
        required
        hint={isKnown ? names.right(right) : t('PEOPLE.OWN.RIGHT_HINT')}
        error={unknown ? t('PEOPLE.OWN.UNKNOWN_RIGHT') : null}
      >
        {(control) => <RightInput {...control} {...form.field('right')} />}
      </Field>
      <Field
        label={t('PEOPLE.OWN.EFFECT')}
        hint={t(effect === 'grant' ? 'PEOPLE.OWN.GRANT_HINT' : 'PEOPLE.OWN.DENY_HINT')}
      >
        {({ id, 'aria-describedby': describedBy }) => (
          <Select
            id={id}
            aria-describedby={describedBy}
            {...form.field('effect')}
            options={[
              { value: 'grant', label: t('PEOPLE.OWN.GRANT') },
              { value: 'denial', label: t('PEOPLE.OWN.DENY') },
            ]}
          />
        )}
      </Field>
      <TimeField
        label={t('PEOPLE.OWN.UNTIL')}
        zone={formats.timeZone}
        hint={t('PEOPLE.OWN.UNTIL_HINT')}
        error={asked && !isGood ? t('COMMON.DATE.OVER') : problems.expiresAt}
        {...form.field('until')}
      />
      <TextField
        label={t('PEOPLE.OWN.REASON')}
        hint={t('PEOPLE.OWN.REASON_HINT')}
        error={problems.reason}
        maxLength={300}
        {...form.field('reason')}
      />
      {replaces ? <Notice severity="info">{t('PEOPLE.OWN.REPLACES')}</Notice> : null}
    </FormDialog>
  );
}
