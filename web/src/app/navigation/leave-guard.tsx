import { type RouterHistory, useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import {
  discardWork,
  guardedPlaces,
  isLostByHistory,
  sentencesOnLeaving,
} from '../../platform/forms/unsaved-work.ts';
import { useStore } from '../../platform/state/use-store.ts';
import { modalToAsk } from '../../ui/modal-stack.ts';
import { DeferredPart } from '../../platform/deferred-part.tsx';
import type { Leave } from './leave-question.tsx';
import type { AppRouter } from './router.tsx';

type Navigation = Parameters<Parameters<RouterHistory['block']>[0]['blockerFn']>[0];

const loadLeaveQuestion = async () => (await import('./leave-question.tsx')).LeaveQuestion;

/**
 * Asks before a link, "back" or "forward" loses unsaved work. A dialog shows its own question, and cannot be left
 * while it submits. For a form on the screen `LeaveQuestion` asks, when the navigation leads to another screen. The
 * question is downloaded once something is typed; a navigation waits until the download is complete.
 */
export function LeaveGuard() {
  const { history } = useRouter<AppRouter>();
  const [asked, setAsked] = useState<Leave | null>(null);
  const isGuarded = useStore(guardedPlaces) > 0;

  useEffect(() => {
    function leaveBy({ currentLocation, nextLocation, action }: Navigation): void {
      discardWork();
      const { href, state } = nextLocation;
      const past = { ignoreBlocker: true };
      if (action === 'PUSH') history.push(href, state, past);
      else if (action === 'REPLACE') history.replace(href, state, past);
      else history.go(state.__TSR_index - currentLocation.state.__TSR_index, past);
    }

    return history.block({
      // A dialog may hold something that no form has registered, such as a secret.
      enableBeforeUnload: () => modalToAsk() !== null,
      blockerFn(navigation) {
        const { currentLocation, nextLocation, action } = navigation;
        const elsewhere = currentLocation.pathname !== nextLocation.pathname;
        const byHistory = action !== 'PUSH' && action !== 'REPLACE';
        const dialog = modalToAsk();
        if (dialog?.state() === 'busy') return byHistory;
        if (dialog !== null) {
          // The screen and the history stay; only the dialog closes.
          if (elsewhere || byHistory) dialog.leave(() => leaveBy(navigation));
          return elsewhere || byHistory;
        }
        const loses = elsewhere ? guardedPlaces.get() > 0 : byHistory && isLostByHistory();
        if (!loses) return false;
        setAsked({ sentences: sentencesOnLeaving(), leave: () => leaveBy(navigation) });
        return true;
      },
    });
  }, [history]);

  return (
    <DeferredPart
      wanted={isGuarded || asked !== null}
      load={loadLeaveQuestion}
      given={{ asked, onAnswer: () => setAsked(null) }}
    />
  );
}
