import type { AuditEntry } from '#features/audit/contract/audit.ts';
import { Link } from '@tanstack/react-router';
import { useApp } from '#web/app/app-context.tsx';
import { mayUse } from '#web/feature.ts';
import { subjectScreens } from '#web/late.ts';
import { useCan } from '#web/platform/contexts.tsx';

type SubjectLinkProps = {
  kind: AuditEntry['subject']['kind'];
  id: string;
  /** Whether it still exists. */
  there: boolean;
  children: string;
};

/** A link to the thing itself, for people who may see it there. */
export function SubjectLink({ kind, id, there, children }: SubjectLinkProps) {
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
