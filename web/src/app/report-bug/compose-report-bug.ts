import type { Boot } from '#contract/boot.ts';
import type { Breadcrumb } from '#features/feedback/contract/feedback.ts';
import type { LiveEvents } from '#features/events/web/live-events.ts';
import { feedbackMessage } from '#features/feedback/web/report-place.ts';
import type { Flags } from '#features/flags/web/flags.ts';
import type { Permissions } from '#features/permissions/web/permissions.ts';
import type { OwnProfile } from '#features/profile/web/profile.ts';
import type { Session } from '#features/session/web/session.ts';
import type { Api } from '../../platform/calls/call.ts';
import { browserChannel, openBroadcast } from '../../platform/tabs/broadcast.ts';
import type { Browser } from '../browser.ts';
import { createReportBug, type ReportBug } from './report-bug.ts';

type ReportBugParts = {
  boot: Boot;
  browser: Browser;
  address: () => string;
  breadcrumbs: () => readonly Breadcrumb[];
  api: Api;
  session: Session;
  profile: OwnProfile;
  flags: Flags;
  permissions: Permissions;
  live: LiveEvents;
};

/** Creates bug reports, which include facts about this page. */
export function composeReportBug(parts: ReportBugParts): ReportBug {
  const { boot, browser, address, breadcrumbs, api, session, profile, flags, permissions, live } = parts;
  const { errors } = browser;
  const feedbackBroadcast = openBroadcast(browserChannel, 'feedback', feedbackMessage);
  return createReportBug({
    session: session.state,
    memory: browser.memory,
    broadcast: feedbackBroadcast,
    errors,
    load: async (forgets) => {
      const { startFeedback } = await import('./lazy-report-bug.tsx');
      const { currentUser } = profile;
      const facts = () => ({
        address: window.location.origin + address(),
        release: boot.release,
        errors: errors.recorded.get(),
        breadcrumbs: breadcrumbs(),
        flags: Object.keys(flags.state.get().features)
          .toSorted()
          .map((key) => ({ key, value: flags.value<string | number | boolean | null>(key, null) })),
        rights: permissions.state.get().rights,
      });
      return startFeedback({
        ...browser,
        api,
        person: session.person,
        currentUser,
        forgets,
        facts,
        broadcast: feedbackBroadcast,
        live: { onReportForm: (listener) => live.on('report-form', listener) },
      });
    },
  });
}
