import type { Person } from '@portico/contract/people';
import {
  type OwnEffect,
  type OwnRight,
  rightName,
  setOwnRight,
} from '@portico/contract/rights-administration';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi, useServerClock } from '../../../platform/contexts.tsx';
import { useFormats } from '../../../platform/i18n/formats-context.tsx';
import { isProblem } from '../../../platform/problem-error.ts';
import { problemText } from '../../../platform/problem-text.ts';
import { useRightsWords } from '../../../platform/rights-words.ts';
import { useUnsavedWork } from '../../../platform/unsaved-work.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { notify } from '../../../ui/notifications/notifications.ts';
import { Select, TextInput } from '../../../ui/text-input.tsx';
import { peopleKey } from '../people-queries.ts';
import { personName } from '../person-name.ts';
import { RightInput } from '../right-input.tsx';

type OwnRightDialogProps = {
  person: Person;
  first: { right: string; effect: OwnEffect };
  own: readonly OwnRight[];
  onClose: () => void;
};

/** Grants or denies a person a single right, for good or until a time, with the reason. */
export function OwnRightDialog({ person, first, own, onClose }: OwnRightDialogProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const clock = useServerClock();
  const api = useApi();
  const queries = useQueryClient();
  const names = useRightsWords();
  const [right, setRight] = useState(first.right);
  const [effect, setEffect] = useState<OwnEffect>(first.effect);
  const [until, setUntil] = useState('');
  const [reason, setReason] = useState('');
  const [asked, setAsked] = useState(false);
  const untilInput = useRef<HTMLInputElement>(null);
  const [halfTyped, setHalfTyped] = useState(false);
  const name = personName(t, person);
  const expiresAt = until === '' ? null : new Date(until).getTime();
  useUnsavedWork(reason !== '' || until !== '' || right !== first.right);

  const save = useMutation({
    mutationFn: () =>
      api.call(setOwnRight, {
        params: { personId: person.id, right, effect },
        body: { expiresAt, reason },
      }),
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: peopleKey });
      notify({
        kind: 'success',
        title: t(effect === 'grant' ? 'PEOPLE.OWN.SAVED_GRANT' : 'PEOPLE.OWN.SAVED_DENIAL', {
          name,
          right: names.right(right),
        }),
      });
      onClose();
    },
  });

  const isKnown = names.rights.some((one) => one.right === right);
  const unknown = asked && (!rightName.safeParse(right).success || !isKnown);
  const over = asked && expiresAt !== null && !(expiresAt > clock.now());
  const pointed = (pointer: string) =>
    isProblem(save.error, 'INVALID_BODY') && save.error.errors.some((one) => one.pointer === pointer);
  const replaces = own.some((one) => one.right === right && one.effect === effect);
  const given = until === '' || expiresAt === null || Number.isNaN(expiresAt) ? null : expiresAt;

  return (
    <Dialog
      open
      title={t('PEOPLE.OWN.DIALOG', { name })}
      closeLabel={t('COMMON.CLOSE')}
      busy={save.isPending}
      onClose={onClose}
      onSubmit={() => {
        setAsked(true);
        // The browser answers an empty text for a time that is typed in part; it must not mean "without an end".
        const half = untilInput.current?.validity.badInput === true;
        setHalfTyped(half);
        const good = !half && (expiresAt === null || expiresAt > clock.now());
        if (isKnown && good) save.mutate();
      }}
      footer={
        <>
          <Button tone="quiet" onClick={onClose}>
            {t('COMMON.CANCEL')}
          </Button>
          <Button tone="primary" type="submit" busy={save.isPending}>
            {t(effect === 'grant' ? 'PEOPLE.OWN.GRANT' : 'PEOPLE.OWN.DENY')}
          </Button>
        </>
      }
    >
      {save.isError && !isProblem(save.error, 'INVALID_BODY') ? (
        <Notice severity="high" role="alert">
          {isProblem(save.error, 'LAST_ADMINISTRATOR')
            ? t('PEOPLE.PERSON.LAST_ADMINISTRATOR')
            : isProblem(save.error, 'CONFLICT')
              ? t('PEOPLE.OWN.TOO_MANY')
              : problemText(t, save.error)}
        </Notice>
      ) : null}
      <Field
        label={t('PEOPLE.RIGHT')}
        required
        requiredMark={t('COMMON.REQUIRED')}
        hint={isKnown ? names.right(right) : t('PEOPLE.OWN.RIGHT_HINT')}
        error={unknown ? t('PEOPLE.OWN.UNKNOWN_RIGHT') : null}
      >
        {(control) => <RightInput {...control} value={right} onValue={setRight} />}
      </Field>
      <Field
        label={t('PEOPLE.OWN.EFFECT')}
        hint={t(effect === 'grant' ? 'PEOPLE.OWN.GRANT_HINT' : 'PEOPLE.OWN.DENY_HINT')}
      >
        {({ id, 'aria-describedby': describedBy }) => (
          <Select
            id={id}
            aria-describedby={describedBy}
            value={effect}
            onValue={setEffect}
            options={[
              { value: 'grant', label: t('PEOPLE.OWN.GRANT') },
              { value: 'denial', label: t('PEOPLE.OWN.DENY') },
            ]}
          />
        )}
      </Field>
      <Field
        label={t('PEOPLE.OWN.UNTIL')}
        hint={given === null ? t('PEOPLE.OWN.UNTIL_HINT') : formats.exact(given)}
        error={
          halfTyped ? t('PEOPLE.OWN.HALF_TYPED') : over || pointed('/expiresAt') ? t('PEOPLE.OWN.OVER') : null
        }
      >
        {(control) => (
          <TextInput
            {...control}
            ref={untilInput}
            type="datetime-local"
            value={until}
            onValue={(text) => {
              setUntil(text);
              setHalfTyped(false);
            }}
          />
        )}
      </Field>
      <Field
        label={t('PEOPLE.OWN.REASON')}
        hint={t('PEOPLE.OWN.REASON_HINT')}
        error={pointed('/reason') ? t('PEOPLE.OWN.INVALID_REASON') : null}
      >
        {(control) => <TextInput {...control} maxLength={300} value={reason} onValue={setReason} />}
      </Field>
      {replaces ? <Notice severity="info">{t('PEOPLE.OWN.REPLACES')}</Notice> : null}
    </Dialog>
  );
}
