import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useApi } from '#web/platform/contexts.tsx';
import { presenceQuery } from './maintenance-queries.ts';
import { presenceInWords } from './presence-words.ts';

/** How many people a step concerns now, for its confirmation. */
export function ConnectedPeople() {
  const { t } = useTranslation();
  const api = useApi();
  const presence = useQuery(presenceQuery(api, true));
  return (
    <strong className="touched">
      {presence.data === undefined
        ? t('MAINTENANCE.CONSOLE.PRESENCE.UNKNOWN')
        : presenceInWords(t, presence.data)}
    </strong>
  );
}
