export type NotificationKind = 'success' | 'info' | 'warning' | 'error';

/** Plain text only. */
export type Notification = {
  kind: NotificationKind;
  title: string;
  content?: string;
  /** Milliseconds; 0: the notification stays until it is closed. Default 4500. */
  duration?: number;
  /** A later notification with the same key replaces this one. */
  key?: string;
  actions?: readonly NotificationAction[];
  /** Called when the person closed the notification or its time was over. */
  onClose?: () => void;
};

export type NotificationAction = {
  label: string;
  act: () => void;
  /** Whether the action undoes the change. */
  isUndo?: boolean;
};

/**
 * A shown notification, with the key that closes it and the number of the call that showed it.
 */
export type ShownNotification = Omit<Notification, 'key' | 'duration'> & {
  key: string;
  duration: number;
  call: number;
};

/** Time and timers, which a test replaces. */
export type Timing = {
  now: () => number;
  /** Calls `act` once after so many milliseconds; returns a function that cancels this. */
  after: (milliseconds: number, act: () => void) => () => void;
};

export const defaultDuration = 4500;
export const maximumShown = 8;

type Countdown = { left: number; since: number; stop: (() => void) | null };

const browserTiming: Timing = {
  now: () => performance.now(),
  after: (milliseconds, act) => {
    const timer = setTimeout(act, milliseconds);
    return () => clearTimeout(timer);
  },
};

/**
 * Holds the shown notifications, the newest first (NOTE-1). Each closes after its duration, which pauses while the
 * notification is held. A later one with the same key replaces it and has its own duration. Above eight the
 * oldest that is not sticky is removed.
 */
export function createNotifications(timing: Timing = browserTiming) {
  let shown: readonly ShownNotification[] = [];
  let calls = 0;
  const countdowns = new Map<string, Countdown>();
  /** The keys of held notifications, also sticky ones: a notification that replaces a held one is held too. */
  const held = new Set<string>();
  const listeners = new Set<() => void>();

  function change(next: readonly ShownNotification[]): void {
    shown = next;
    for (const listener of listeners) listener();
  }

  function stopTime(key: string): void {
    countdowns.get(key)?.stop?.();
    countdowns.delete(key);
  }

  function runTime(key: string, countdown: Countdown): void {
    countdown.since = timing.now();
    countdown.stop = timing.after(countdown.left, () => dismiss(key));
  }

  function forget(key: string): void {
    stopTime(key);
    held.delete(key);
  }

  /** Closes the notification with that key, if there is one. */
  function dismiss(key: string): void {
    const closed = shown.find((one) => one.key === key);
    if (closed === undefined) return;
    forget(key);
    change(shown.filter((one) => one.key !== key));
    closed.onClose?.();
  }

  /** Shows a notification; returns the key that closes it. */
  function notify(notification: Notification): string {
    const call = (calls += 1);
    const key = notification.key ?? `notification-${call}`;
    const one: ShownNotification = {
      ...notification,
      key,
      call,
      duration: notification.duration ?? defaultDuration,
    };

    if (shown.some((other) => other.key === key))
      change(shown.map((other) => (other.key === key ? one : other)));
    else {
      const all = [one, ...shown];
      const surplus =
        all.length > maximumShown ? (all.findLast((other) => other.duration > 0) ?? all.at(-1)) : undefined;
      if (surplus !== undefined) forget(surplus.key);
      change(all.filter((other) => other !== surplus));
      if (surplus === one) return key;
    }

    stopTime(key);
    if (one.duration > 0) {
      const countdown: Countdown = { left: one.duration, since: 0, stop: null };
      countdowns.set(key, countdown);
      if (!held.has(key)) runTime(key, countdown);
    }
    return key;
  }

  /** Pauses the time of a notification, while a pointer rests on it or it has the focus. */
  function hold(key: string): void {
    held.add(key);
    const countdown = countdowns.get(key);
    if (countdown?.stop == null) return;
    countdown.stop();
    countdown.stop = null;
    countdown.left = Math.max(0, countdown.left - (timing.now() - countdown.since));
  }

  /** Resumes with the remaining time. */
  function release(key: string): void {
    held.delete(key);
    const countdown = countdowns.get(key);
    if (countdown !== undefined && countdown.stop === null) runTime(key, countdown);
  }

  return {
    notify,
    dismiss,
    hold,
    release,
    /** The newest first; the same array until something changes. */
    current: () => shown,
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}

export type Notifications = ReturnType<typeof createNotifications>;

/** The notifications of the page. */
export const notifications = createNotifications();
export const notify = notifications.notify;
export const dismiss = notifications.dismiss;

/** Returns the undo action of the newest notification that has one; undefined: no such notification is shown. */
export const lastUndo = (): NotificationAction['act'] | undefined =>
  notifications
    .current()
    .flatMap(({ actions = [] }) => actions)
    .find(({ isUndo }) => isUndo)?.act;
