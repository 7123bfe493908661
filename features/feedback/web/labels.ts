import { feedbackLimits } from '#features/feedback/contract/feedback.ts';
import { type Formats, waitIn } from '#web/platform/i18n/formats.ts';
import type { FeedbackFailure } from './feedback-error.ts';
import { type RecordWords, recordWords } from './record/record-words.ts';
import { type ScreenshotLabels, screenshotLabels } from './screenshot/labels.ts';
import type { ContextPart } from './surroundings.ts';
import type { Trouble } from './waiting-report.ts';

/** All texts of the report dialog, and how it writes numbers and times. */
export type FeedbackLabels = {
  title: string;
  close: string;
  email: string;
  name: string;
  message: string;
  /** Marks a required field. */
  required: string;
  addScreenshot: string;
  /** While the part that takes pictures is downloaded, and when it cannot be. */
  loadingScreenshot: string;
  screenshotFailed: string;
  screenshot: ScreenshotLabels;
  cancel: string;
  send: string;
  thanks: string;
  /** Before the list of missing fields. */
  missing: string;
  wrong: Record<'ADDRESS' | 'TOO_LONG', string>;
  failures: Record<FeedbackFailure, string>;
  /** Under a failure: what is safe. */
  stored: string;
  /** Under `failures.undetermined`. */
  underWay: string;
  sentBeforeEdit: string;
  /** Why the server refuses a report. */
  /** With a picture and without. */
  tooLarge: { picture: string; text: string };
  noSpace: { picture: string; text: string };
  tooMany: string;
  sessionEnded: string;
  pictureRefused: string;
  tryAgainIn: (milliseconds: number) => string;
  /** A field that the server refused. */
  refused: (field: string, reason: string) => string;
  progress: string;
  percent: (share: number) => string;
  waiting: {
    title: (count: number) => string;
    hint: string;
    waits: string;
    trying: string;
    /** Why it waits. */
    offline: string;
    trouble: (trouble: Trouble) => string;
    sendNow: string;
    sendOne: (text: string) => string;
    refused: string;
    aside: string;
    open: string;
    openOne: (text: string) => string;
    discard: string;
    discardOne: (text: string) => string;
    discardQuestion: string;
    discardEffect: string;
    gone: (count: number) => string;
    goneContent: string;
    /** Under a failure that may pass by itself. */
    passing: string;
  };
  sentAlong: string;
  sentAlongHint: string;
  /** Next to the address, where it is that of another page. */
  sentFrom: (address: string) => string;
  parts: Record<ContextPart, string>;
  /** Under `parts.breadcrumbs`. */
  stepsHint: string;
  recorded: RecordWords;
  /** The value of `parts.time` until it is sent. */
  whenSent: string;
  exactTime: (at: number) => string;
  /** Shown for a part without a value. */
  unknown: string;
};

type Translate = (key: string, values?: Record<string, string | number>) => string;

/** The labels from the catalogue. */
export function feedbackLabels(t: Translate, formats: Formats): FeedbackLabels {
  const percent = new Intl.NumberFormat(formats.locale, { style: 'percent' });
  return {
    title: t('FEEDBACK.TITLE'),
    close: t('COMMON.CLOSE'),
    email: t('FEEDBACK.EMAIL'),
    name: t('FEEDBACK.NAME'),
    message: t('FEEDBACK.DESCRIPTION'),
    required: t('COMMON.REQUIRED'),
    addScreenshot: t('FEEDBACK.ADD_SCREENSHOT'),
    loadingScreenshot: t('COMMON.LOADING'),
    screenshotFailed: t('FEEDBACK.SCREENSHOT_FAILED'),
    screenshot: screenshotLabels(t),
    cancel: t('COMMON.CANCEL'),
    send: t('FEEDBACK.SEND'),
    thanks: t('FEEDBACK.THANKS'),
    missing: t('FEEDBACK.MISSING'),
    wrong: {
      ADDRESS: t('FEEDBACK.WRONG.ADDRESS'),
      TOO_LONG: t('FEEDBACK.WRONG.TOO_LONG', { most: formats.number(feedbackLimits.message) }),
    },
    failures: {
      empty: t('FEEDBACK.FAILURES.EMPTY'),
      undetermined: t('FEEDBACK.FAILURES.UNDETERMINED'),
      network: t('FEEDBACK.FAILURES.NETWORK'),
      domain: t('FEEDBACK.FAILURES.DOMAIN'),
      other: t('FEEDBACK.FAILURES.OTHER'),
    },
    stored: t('FEEDBACK.KEPT'),
    underWay: t('FEEDBACK.UNDER_WAY'),
    sentBeforeEdit: t('FEEDBACK.SENT_BEFORE_EDIT'),
    tooLarge: { picture: t('FEEDBACK.TOO_LARGE.PICTURE'), text: t('FEEDBACK.TOO_LARGE.TEXT') },
    noSpace: { picture: t('FEEDBACK.NO_ROOM.PICTURE'), text: t('FEEDBACK.NO_ROOM.TEXT') },
    tooMany: t('FEEDBACK.TOO_MANY'),
    sessionEnded: t('COMMON.ERRORS.SESSION_ENDED'),
    pictureRefused: t('FEEDBACK.PICTURE_REFUSED'),
    tryAgainIn: (milliseconds) => t('FEEDBACK.TRY_AGAIN_IN', { duration: waitIn(formats, milliseconds) }),
    refused: (field, reason) => t('FEEDBACK.REFUSED', { field, reason }),
    progress: t('FEEDBACK.PROGRESS'),
    percent: percent.format,
    waiting: {
      title: (count) => t('FEEDBACK.WAITING.TITLE', { count }),
      hint: t('FEEDBACK.WAITING.HINT'),
      waits: t('FEEDBACK.WAITING.WAITS'),
      trying: t('FEEDBACK.WAITING.TRYING'),
      offline: t('FEEDBACK.WAITING.OFFLINE'),
      trouble({ status }) {
        if (status === 0) return t('FEEDBACK.WAITING.NO_ANSWER');
        if (status === 401) return t('FEEDBACK.WAITING.SIGNED_OUT');
        if (status === 429) return t('FEEDBACK.WAITING.TOO_MANY');
        return t('FEEDBACK.WAITING.SERVER', { status });
      },
      sendNow: t('FEEDBACK.WAITING.SEND_NOW'),
      sendOne: (text) => t('FEEDBACK.WAITING.SEND_ONE', { text }),
      refused: t('FEEDBACK.WAITING.REFUSED'),
      aside: t('FEEDBACK.WAITING.ASIDE'),
      open: t('FEEDBACK.WAITING.OPEN'),
      openOne: (text) => t('FEEDBACK.WAITING.OPEN_ONE', { text }),
      discard: t('FEEDBACK.WAITING.DISCARD'),
      discardOne: (text) => t('FEEDBACK.WAITING.DISCARD_ONE', { text }),
      discardQuestion: t('FEEDBACK.WAITING.DISCARD_QUESTION'),
      discardEffect: t('FEEDBACK.WAITING.DISCARD_EFFECT'),
      gone: (count) => t('FEEDBACK.WAITING.GONE', { count }),
      goneContent: t('FEEDBACK.WAITING.GONE_CONTENT'),
      passing: t('FEEDBACK.WAITING.PASSING'),
    },
    sentAlong: t('FEEDBACK.ALONG.TITLE'),
    sentAlongHint: t('FEEDBACK.ALONG.HINT'),
    sentFrom: (address) => t('FEEDBACK.ALONG.SENT_FROM', { address }),
    parts: {
      address: t('FEEDBACK.ALONG.ADDRESS'),
      release: t('FEEDBACK.ALONG.RELEASE'),
      browser: t('FEEDBACK.ALONG.BROWSER'),
      viewport: t('FEEDBACK.ALONG.VIEWPORT'),
      language: t('FEEDBACK.ALONG.LANGUAGE'),
      timeZone: t('FEEDBACK.ALONG.TIME_ZONE'),
      time: t('FEEDBACK.ALONG.TIME'),
      event: t('FEEDBACK.ALONG.EVENT'),
      breadcrumbs: t('FEEDBACK.ALONG.STEPS'),
      errors: t('FEEDBACK.ALONG.ERRORS'),
      flags: t('FEEDBACK.ALONG.FLAGS'),
      rights: t('FEEDBACK.ALONG.RIGHTS'),
    },
    stepsHint: t('FEEDBACK.ALONG.STEPS_HINT'),
    recorded: recordWords(t, formats),
    whenSent: t('FEEDBACK.ALONG.WHEN_SENT'),
    exactTime: formats.exact,
    unknown: t('FEEDBACK.ALONG.UNKNOWN'),
  };
}
