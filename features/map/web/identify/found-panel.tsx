import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { ChosenFormat } from '../coordinates/coordinate-format.ts';
import { IconButton } from '#web/ui/button.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { layerTitle } from '../layers/layer-tree.ts';
import type { FoundFeature } from './read-features.ts';
import type { Identify, LayerAnswer } from './use-identify.ts';

/** What is at a point that was pressed. */
export function FoundPanel({ identify, format }: { identify: Identify; format: ChosenFormat }) {
  const { t } = useTranslation();
  const heading = useRef<HTMLHeadingElement>(null);
  const { place, answers } = identify;
  useEffect(() => {
    // The focus moves to the results only after Enter on the map, not after a press by finger or mouse.
    if (place !== null && document.querySelector('.map-canvas:focus-visible') !== null) {
      heading.current?.focus({ preventScroll: true });
    }
  }, [place]);
  const isOpen = place !== null;
  const leave = useRef(identify.leave);
  useEffect(() => {
    leave.current = identify.leave;
  });
  useEffect(() => {
    if (!isOpen) return undefined;
    const ends = new AbortController();
    const { signal } = ends;
    document.addEventListener(
      'keydown',
      ({ key, target }) => {
        if (key === 'Escape' && target instanceof Element && target.closest('.map-stage') !== null) {
          leave.current();
        }
      },
      { signal },
    );
    return () => ends.abort();
  }, [isOpen]);
  if (place === null) return null;
  const isDone = answers.every(({ state }) => state !== 'asking');
  const found = answers.some(
    ({ features, text, state }) => features.length > 0 || text !== '' || state === 'failed',
  );
  const topmost = answers.find(({ features }) => features.length > 0);
  return (
    <section className="map-card rounded surface scrolls map-found" aria-labelledby="map-found-title">
      <header className="row between">
        <h2 id="map-found-title" ref={heading} tabIndex={-1}>
          {t('MAP.FOUND.TITLE')}
        </h2>
        <IconButton icon="close" small label={t('MAP.FOUND.CLOSE')} onClick={identify.leave} />
      </header>
      <p className="above-1 row wrap">
        <span>{format.write(place)}</span>
        <CopyButton small text={format.write(place)} label={t('MAP.COORDINATES.COPY')} />
      </p>
      <div role="status">
        {isDone ? null : <Spinner label={t('MAP.FOUND.ASKING')} />}
        {isDone && !found ? (
          <p>{t(answers.length === 0 ? 'MAP.FOUND.NO_LAYERS' : 'MAP.FOUND.NOTHING')}</p>
        ) : null}
      </div>
      {answers.map((answer) => (
        <Answer
          key={answer.layer.name}
          answer={answer}
          isTopmost={answer === topmost}
          onHighlight={identify.highlight}
        />
      ))}
    </section>
  );
}

type AnswerProps = { answer: LayerAnswer; isTopmost: boolean; onHighlight: Identify['highlight'] };

function Answer({ answer: { layer, state, features, text }, isTopmost, onHighlight }: AnswerProps) {
  const { t, i18n } = useTranslation();
  if (state === 'asking' || (state === 'answered' && features.length === 0 && text === '')) return null;
  return (
    <section className="above-3">
      <h3>{layerTitle(layer, i18n.language)}</h3>
      {state === 'failed' ? <p>{t('MAP.FOUND.FAILED')}</p> : null}
      {text === '' ? null : <pre dir="auto">{text}</pre>}
      {features.map((feature, index) => (
        <Found
          key={index}
          feature={feature}
          open={features.length === 1}
          isHighlighted={isTopmost && features.length === 1}
          number={index + 1}
          onHighlight={onHighlight}
        />
      ))}
    </section>
  );
}

type FoundProps = {
  feature: FoundFeature;
  number: number;
  open: boolean;
  /** From the start. */
  isHighlighted: boolean;
  onHighlight: Identify['highlight'];
};

function Found({ feature, number, open, isHighlighted, onHighlight }: FoundProps) {
  const { t } = useTranslation();
  const latest = useRef(onHighlight);
  useEffect(() => {
    if (isHighlighted) latest.current(feature);
  }, [isHighlighted, feature]);
  return (
    <details open={open} onPointerEnter={() => onHighlight(feature)}>
      <summary className="row gap-1" dir="auto" onClick={() => onHighlight(feature)}>
        {feature.title === '' ? t('MAP.FOUND.FEATURE', { number }) : feature.title}
      </summary>
      {feature.properties.length === 0 ? <p className="muted">{t('MAP.FOUND.NO_PROPERTIES')}</p> : null}
      <dl>
        {feature.properties.map(([name, value]) => (
          <div key={name}>
            <dt className="muted small" dir="auto">
              {name}
            </dt>
            <dd dir="auto">
              {/^https:\/\/\S+$/.test(value) ? (
                <a href={value} rel="noreferrer" target="_blank">
                  {value}
                </a>
              ) : (
                value
              )}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
