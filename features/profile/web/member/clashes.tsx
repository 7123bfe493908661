import { type RefObject, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '#web/ui/icon.tsx';
import type { Clash, Draft, FormField } from './draft.ts';
import { fieldLabel, fieldValue } from './field-words.ts';
import { fieldsOf } from '../profile-fields.ts';

type ClashesProps = {
  draft: Draft;
  /** The person tried to save before deciding. */
  asked: boolean;
  heading: RefObject<HTMLHeadingElement | null>;
  onSettle: (field: FormField, wanted: 'mine' | 'theirs') => void;
};

/**
 * Fields that were saved elsewhere while the form was open and differ from what is typed: the person decides.
 */
export function Clashes({ draft, asked, heading, onSettle }: ClashesProps) {
  const { t } = useTranslation();
  const id = useId();
  if (draft.clashes.length === 0 && draft.taken.length === 0) return null;
  const now = fieldsOf(draft.base);
  return (
    <section className="clashes row top gap-3 pad-4" aria-labelledby={id}>
      <Icon name="warning" />
      <div className="grow stack gap-4">
        <h2 id={id} ref={heading} tabIndex={-1}>
          {t('PROFILE.CLASHES.TITLE')}
        </h2>
        <p>{draft.clashes.length === 0 ? t('PROFILE.CLASHES.TAKEN_LEAD') : t('PROFILE.CLASHES.LEAD')}</p>
        {draft.clashes.map((clash) => (
          <OneClash key={clash.field} clash={clash} asked={asked} onSettle={onSettle} />
        ))}
        {draft.taken.length === 0 ? null : (
          <div>
            <h3>{t('PROFILE.CLASHES.TAKEN')}</h3>
            <dl className="facts">
              {draft.taken.map((field) => (
                <div key={field}>
                  <dt>{fieldLabel(t, field)}</dt>
                  <dd>{fieldValue(t, field, now[field])}</dd>
                </div>
              ))}
            </dl>
          </div>
        )}
      </div>
    </section>
  );
}

type OneClashProps = { clash: Clash; asked: boolean; onSettle: ClashesProps['onSettle'] };

function OneClash({ clash: { field, mine, theirs, wanted }, asked, onSettle }: OneClashProps) {
  const { t } = useTranslation();
  const id = useId();
  const missing = asked && wanted === null;
  return (
    <fieldset className="choice" aria-describedby={missing ? `${id}-error` : undefined}>
      <legend>{fieldLabel(t, field)}</legend>
      {(['mine', 'theirs'] as const).map((side) => (
        <label key={side} className="check">
          <input
            type="radio"
            name={id}
            checked={wanted === side}
            data-wrong={missing ? '' : undefined}
            onChange={() => onSettle(field, side)}
          />
          <span>
            {side === 'mine' ? t('PROFILE.CLASHES.MINE') : t('PROFILE.CLASHES.THEIRS')}{' '}
            <strong className="breaks">{fieldValue(t, field, side === 'mine' ? mine : theirs)}</strong>
          </span>
        </label>
      ))}
      {missing ? (
        <span className="field-error" id={`${id}-error`} role="alert">
          <Icon name="alert" size={14} />
          <span>{t('PROFILE.CLASHES.MISSING')}</span>
        </span>
      ) : null}
    </fieldset>
  );
}
