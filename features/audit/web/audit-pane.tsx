import type { AuditEntry, AuditSubjectKind } from '#features/audit/contract/audit.ts';
import { useQuery } from '@tanstack/react-query';
import type { RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from '@tanstack/react-router';
import { useApp } from '#web/app/app-context.tsx';
import { mayUse } from '#web/feature.ts';
import { subjectScreens } from '#web/late.ts';
import { browserName } from '#web/platform/browser-name.ts';
import { detailState } from '#web/platform/lists/list-state.ts';
import { useCan, useFormats } from '#web/platform/contexts.tsx';
import { erasedCode } from '#web/platform/named-person.ts';
import { Button } from '#web/ui/button.tsx';
import { DetailPane } from '#web/ui/list-beside.tsx';
import { DetailFrame } from '#web/ui/detail-frame.tsx';
import { Time } from '#web/ui/time.tsx';
import { auditEntryQuery, type AuditFilter } from './audit-queries.ts';
import { DifferenceView } from './difference-view.tsx';
import { useEntryWords } from './entry-words.ts';

/** Kinds whose link always works: such a subject cannot be deleted, or the link leads to a list. */
const alwaysThere: ReadonlySet<AuditSubjectKind> = new Set([
  'maintenance',
  'branding',
  'retention',
  'report-form',
  'report-settings',
  'database',
  'client-key',
  'role',
  'right',
  'group-mapping',
]);

type AuditPaneProps = {
  entryId: string;
  /** The entry as the list has it. */
  summary: AuditEntry | undefined;
  heading: RefObject<HTMLHeadingElement | null>;
  onClose: () => void;
  /** Narrows the list to what belongs to this entry. */
  onFilter: (filter: Partial<AuditFilter>) => void;
};

/** One entry next to the list, or instead of it on narrow windows. */
export function AuditPane({ entryId, summary, heading, onClose, onFilter }: AuditPaneProps) {
  const { t } = useTranslation();
  const { sentence } = useEntryWords();
  const answer = useQuery(auditEntryQuery(entryId));
  const entry = answer.data ?? summary;
  return (
    <DetailPane
      className="audit-pane"
      title={entry === undefined ? t('AUDIT.ENTRY.UNKNOWN') : sentence(entry)}
      dir="auto"
      heading={heading}
      backLabel={t('AUDIT.ENTRY.BACK')}
      closeLabel={t('AUDIT.ENTRY.CLOSE')}
      onClose={onClose}
    >
      <DetailFrame texts="AUDIT.ENTRY" {...detailState(t, answer)}>
        {answer.data === undefined ? null : <Entry entry={answer.data} onFilter={onFilter} />}
      </DetailFrame>
    </DetailPane>
  );
}

function Entry({ entry, onFilter }: { entry: AuditEntry; onFilter: AuditPaneProps['onFilter'] }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const words = useEntryWords();
  /** Empty for a person who has not signed in. */
  const who = words.actor(entry);
  const { actor, subject, action, through, client } = entry;
  const about = subject.kind === 'maintenance' ? t('AUDIT.AREAS.MAINTENANCE') : words.subject(entry);
  return (
    <>
      <dl className="facts even">
        <dt>{t('AUDIT.ENTRY.WHEN')}</dt>
        <dd>
          {formats.dateTime(entry.at)}
          {' · '}
          <span className="muted">
            <Time at={entry.at} formats={formats} />
          </span>
        </dd>
        {who === '' ? null : (
          <>
            <dt>{t('AUDIT.ENTRY.WHO')}</dt>
            <dd>
              {through === 'person' && actor.id !== null ? (
                <SubjectLink kind="person" id={actor.id} there={isThere(actor.nameNow)}>
                  {who}
                </SubjectLink>
              ) : (
                <span dir="auto">{who}</span>
              )}
              {actor.nameNow === null || actor.nameNow === actor.name ? null : (
                <span className="muted">{` ${actor.name}`}</span>
              )}
            </dd>
          </>
        )}
        <dt>{t('AUDIT.ENTRY.THROUGH')}</dt>
        <dd>{words.way(entry)}</dd>
        {client === null ? null : (
          <>
            <dt>{t('AUDIT.ENTRY.CLIENT')}</dt>
            <dd>{browserName(t, { browser: client.program, system: client.system })}</dd>
          </>
        )}
        <dt>{t('AUDIT.ENTRY.ABOUT')}</dt>
        <dd>
          <SubjectLink
            kind={subject.kind}
            id={subject.id}
            there={subject.there || (subject.kind !== null && alwaysThere.has(subject.kind))}
          >
            {about}
          </SubjectLink>
        </dd>
        <dt>{t('AUDIT.ENTRY.ACTION')}</dt>
        <dd>
          <code>{action}</code>
        </dd>
      </dl>
      {/* Named like the filters that they set. */}
      <div className="row wrap gap-2">
        <Button small icon="search" className="shrinks" onClick={() => onFilter({ subject: subject.id })}>
          <span className="cut" dir="auto">
            {t('AUDIT.FILTERS.SUBJECT', { name: about })}
          </span>
        </Button>
        {who === '' ? null : (
          <Button
            small
            icon="search"
            className="shrinks"
            onClick={() => onFilter({ actor: actor.id ?? actor.name })}
          >
            <span className="cut" dir="auto">
              {t('AUDIT.FILTERS.ACTOR', { name: who })}
            </span>
          </Button>
        )}
        <Button small icon="search" className="shrinks" onClick={() => onFilter({ action })}>
          <span className="cut">{t('AUDIT.FILTERS.ACTION', { name: action })}</span>
        </Button>
      </div>
      <DifferenceView entry={entry} />
    </>
  );
}

/** Of an erased person only a placeholder name is left, and no page. */
function isThere(nameNow: string | null): boolean {
  return nameNow !== null && erasedCode(nameNow) === null;
}

type SubjectLinkProps = {
  kind: AuditEntry['subject']['kind'];
  id: string;
  /** Whether the subject still exists. */
  there: boolean;
  children: string;
};

/** A link to the thing itself, for people who may see it there. */
function SubjectLink({ kind, id, there, children }: SubjectLinkProps) {
  const { screens } = useApp();
  const can = useCan();
  const [path, query] = (kind === null ? undefined : subjectScreens[kind])?.split('?') ?? [];
  const screen = screens.find((one) => one.path === path);
  if (screen === undefined || !there || !mayUse(screen, can)) return <span dir="auto">{children}</span>;
  const withId = (address = '') => address.replace(/\$.*/, () => encodeURIComponent(id));
  return (
    <Link to={withId(path)} search={Object.fromEntries(new URLSearchParams(withId(query)))}>
      {children}
    </Link>
  );
}
