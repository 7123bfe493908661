import { issuePasswordLink } from '@portico/contract/identity-provider';
import type { Person } from '@portico/contract/people';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../platform/contexts.tsx';
import { isProblem } from '../../platform/calls/problem-error.ts';
import { problemText } from '../../platform/calls/problem-text.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { InvitationLink } from './invitation-link.tsx';
import { personName } from './person-name.ts';

/** A link for a person who has forgotten their password (SES-3). */
export function PasswordLinkSection({ person }: { person: Person }) {
  const { t } = useTranslation();
  const api = useApi();
  const issue = useMutation({
    mutationFn: () => api.call(issuePasswordLink, { params: { personId: person.id } }),
  });
  return (
    <section className="section section-divided">
      <h3>{t('PEOPLE.PASSWORD_LINK.TITLE')}</h3>
      {issue.data === undefined ? (
        <>
          <p className="muted">{t('PEOPLE.PASSWORD_LINK.HINT')}</p>
          {issue.isError ? (
            <Notice severity="high" role="alert">
              {isProblem(issue.error, 'NOT_FOUND')
                ? t('PEOPLE.PASSWORD_LINK.ELSEWHERE', { name: personName(t, person) })
                : problemText(t, issue.error)}
            </Notice>
          ) : null}
          <div>
            <Button icon="key" busy={issue.isPending} onClick={() => issue.mutate()}>
              {t('PEOPLE.PASSWORD_LINK.MAKE')}
            </Button>
          </div>
        </>
      ) : (
        <InvitationLink use="new-password" email={person.email} {...issue.data} />
      )}
    </section>
  );
}
