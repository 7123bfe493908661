import type {
  ErrorSample,
  FullError,
  StackFrame,
  ThrownError,
} from '#features/diagnostics/contract/diagnostics.ts';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useCan, useFormats } from '#web/platform/contexts.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Tag } from '#web/ui/tag.tsx';

/** What was thrown and where, the newest call first; what caused it follows. */
export function StackTrace({ error, sample }: { error: FullError; sample: ErrorSample }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const maySet = useCan()('SETTINGS_WRITE');
  const { errors, message, withoutSourceMap } = sample;
  const isMapped = errors.some(({ frames }) => frames.some(({ generated }) => generated !== null));
  return (
    <section className="section stack" aria-labelledby="error-stack">
      <div className="row wrap gap-2-4">
        <h3 id="error-stack">{t('DIAGNOSTICS.STACK.TITLE')}</h3>
        {errors[0]?.handled === false ? <Tag kind="high">{t('DIAGNOSTICS.STACK.UNHANDLED')}</Tag> : null}
        {isMapped ? <Tag kind="ok">{t('DIAGNOSTICS.STACK.MAPPED')}</Tag> : null}
      </div>
      {withoutSourceMap.length === 0 ? null : (
        <Notice severity="info">
          {t('DIAGNOSTICS.STACK.UNMAPPED', { scripts: formats.list(withoutSourceMap.slice(0, 3)) })}{' '}
          {maySet ? <Link to="/settings/diagnostics">{t('DIAGNOSTICS.STACK.UPLOAD')}</Link> : null}
        </Notice>
      )}
      {message === null ? null : (
        <p className="breaks" dir="auto">
          {message}
        </p>
      )}
      {errors.map((thrown, index) => (
        <Thrown
          key={index}
          thrown={thrown}
          isCause={index > 0}
          // The head of the page names it already.
          isNamed={index === 0 && thrown.kind === error.kind && thrown.message === error.message}
        />
      ))}
    </section>
  );
}

function Thrown({ thrown, isCause, isNamed }: { thrown: ThrownError; isCause: boolean; isNamed: boolean }) {
  const { t } = useTranslation();
  const { kind, message, handled, frames } = thrown;
  return (
    <div className="stack gap-2">
      {isNamed ? null : (
        <p className="breaks">
          {isCause ? <span className="muted">{t('DIAGNOSTICS.STACK.CAUSED_BY')} </span> : null}
          <strong dir="auto">{kind}</strong> <span dir="auto">{message}</span>{' '}
          {isCause && handled === false ? <Tag kind="high">{t('DIAGNOSTICS.STACK.UNHANDLED')}</Tag> : null}
        </p>
      )}
      {frames.length === 0 ? (
        <p className="muted">{t('DIAGNOSTICS.STACK.NONE')}</p>
      ) : (
        <ol className="frames panel clipped divided">
          {folded(frames).map((part) =>
            Array.isArray(part) ? (
              <FoldedFrames key={`folded-${frames.indexOf(part[0]!)}`} frames={part} />
            ) : (
              <li key={frames.indexOf(part)}>
                <Frame frame={part} open={part === frames.find(({ inApp }) => inApp)} />
              </li>
            ),
          )}
        </ol>
      )}
    </div>
  );
}

/** Frames, with library calls in a row as one entry; unchanged where no call is the application's own. */
function folded(frames: readonly StackFrame[]): (StackFrame | StackFrame[])[] {
  if (!frames.some(({ inApp }) => inApp)) return [...frames];
  const parts: (StackFrame | StackFrame[])[] = [];
  for (const frame of frames) {
    const last = parts.at(-1);
    if (frame.inApp) parts.push(frame);
    else if (Array.isArray(last)) last.push(frame);
    else parts.push([frame]);
  }
  return parts;
}

function FoldedFrames({ frames }: { frames: readonly StackFrame[] }) {
  const { t } = useTranslation();
  return (
    <li>
      <details className="frames-folded">
        <summary className="full muted small">
          {t('DIAGNOSTICS.STACK.LIBRARIES', { count: frames.length })}
        </summary>
        <ol className="frames panel clipped divided">
          {frames.map((frame, index) => (
            <li key={index}>
              <Frame frame={frame} open={false} />
            </li>
          ))}
        </ol>
      </details>
    </li>
  );
}

function Frame({ frame, open }: { frame: StackFrame; open: boolean }) {
  const { t } = useTranslation();
  const place = (
    <>
      <code className="strong">{frame.function ?? t('DIAGNOSTICS.STACK.ANONYMOUS')}</code>{' '}
      <code className="muted" title={frame.generated === null ? undefined : placeOf(frame.generated)}>
        {placeOf(frame)}
      </code>
    </>
  );
  if (frame.context.length + frame.variables.length === 0) return <div className="frame">{place}</div>;
  return (
    <details className="frame" open={open}>
      <summary className="full">{place}</summary>
      <pre className="frame-lines sunk small">
        {frame.context.map(({ line, text }) => (
          <code
            key={line}
            data-own={line === frame.line}
            aria-current={line === frame.line ? 'true' : undefined}
          >
            <span className="frame-number muted">{line}</span>
            {text}
            {'\n'}
          </code>
        ))}
      </pre>
      {frame.variables.length === 0 ? null : (
        <div className="frame-variables ruled">
          <h4 className="small">{t('DIAGNOSTICS.STACK.VARIABLES')}</h4>
          <FieldList fields={frame.variables} />
        </div>
      )}
    </details>
  );
}

function placeOf({ file, line, column }: Pick<StackFrame, 'file' | 'line' | 'column'>): string {
  return [file, line, column].filter((part) => part !== null).join(':');
}

type Fields = ErrorSample['tags'];
type EventFieldsProps = { sample: ErrorSample; eventId: string; requestId: string | null };

/** Tags and the request; what is needed more rarely is folded. */
export function EventFields({ sample, eventId, requestId }: EventFieldsProps) {
  const { t } = useTranslation();
  const { request, tags, extra, contexts, transaction, sdk, platform } = sample;
  const about: Fields = [
    { name: t('DIAGNOSTICS.FIELDS.EVENT_ID'), value: eventId },
    { name: t('DIAGNOSTICS.FIELDS.REQUEST_ID'), value: requestId ?? '' },
    { name: t('DIAGNOSTICS.FIELDS.TRANSACTION'), value: transaction ?? '' },
    {
      name: t('DIAGNOSTICS.FIELDS.ADDRESS'),
      value: [request?.method, request?.url].filter(Boolean).join(' '),
    },
    { name: t('DIAGNOSTICS.FIELDS.SDK'), value: [platform, sdk].filter(Boolean).join(', ') },
  ].filter(({ value }) => value !== '');
  return (
    <>
      <section className="section" aria-labelledby="error-tags">
        <h3 id="error-tags">{t('DIAGNOSTICS.FIELDS.TITLE')}</h3>
        <FieldList fields={[...about, ...tags]} />
      </section>
      <MoreFields title={t('DIAGNOSTICS.FIELDS.HEADERS')} fields={request?.headers ?? []} />
      <MoreFields title={t('DIAGNOSTICS.FIELDS.EXTRA')} fields={extra} />
      {contexts.map(({ name, fields }) => (
        <MoreFields key={name} title={name} fields={fields} />
      ))}
    </>
  );
}

function MoreFields({ title, fields }: { title: string; fields: Fields }) {
  if (fields.length === 0) return null;
  return (
    <details className="more-fields">
      <summary className="strong">{title}</summary>
      <FieldList fields={fields} />
    </details>
  );
}

function FieldList({ fields }: { fields: Fields }) {
  return (
    <dl className="facts even breaks">
      {fields.map(({ name, value }, index) => (
        <div key={`${index}-${name}`}>
          <dt dir="auto">{name}</dt>
          <dd dir="auto">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
