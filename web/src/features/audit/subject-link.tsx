import type { AuditEntry } from '@portico/contract/audit';
import { Link } from '@tanstack/react-router';
import { useApp } from '../../app/app-context.tsx';
import { mayUse } from '../../feature.ts';
import { subjectScreens } from '../../late.ts';
import { useCan } from '../../platform/contexts.tsx';

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
