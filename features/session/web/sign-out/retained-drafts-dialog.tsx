import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { problemText, readProblemText } from '#web/platform/calls/problem-text.ts';
import { useStore } from '#web/platform/state/use-store.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Spin } from '#web/ui/spinner.tsx';
import type { RetainedDraft } from './retained-drafts.ts';
import type { SigningOut } from './signing-out.ts';
import { useFormats } from '#web/platform/contexts.tsx';

/** The drafts of this person on this device; each can be opened where it was typed, or discarded. */
export function RetainedDraftsDialog({
  signingOut,
  onClose,
}: {
  signingOut: SigningOut;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const formats = useFormats();
  const retained = useStore(signingOut.retained);
  const [drafts, setDrafts] = useState<readonly RetainedDraft[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);

  const load = useCallback(
    () => signingOut.drafts().then(setDrafts, (error: unknown) => setProblem(readProblemText(t, error))),
    [signingOut, t],
  );
  useEffect(() => void load(), [load]);

  async function attempt(work: () => Promise<void>): Promise<void> {
    setProblem(null);
    await work().catch((error: unknown) => setProblem(problemText(t, error)));
  }

  return (
    <Dialog title={t('KEPT_DRAFTS.TITLE')} onClose={onClose}>
      {retained === null ? null : <p>{t('KEPT_DRAFTS.LEAD', { date: formats.date(retained.until) })}</p>}
      {problem === null ? null : (
        <Notice severity="high" role="alert">
          {problem}{' '}
          {drafts === null ? (
            <Button
              small
              onClick={() => {
                setProblem(null);
                void load();
              }}
            >
              {t('COMMON.RETRY')}
            </Button>
          ) : null}
        </Notice>
      )}
      {drafts === null ? (
        problem === null ? (
          <p role="status">
            <Spin /> {t('COMMON.LOADING')}
          </p>
        ) : null
      ) : drafts.length === 0 ? (
        <p>{t('KEPT_DRAFTS.NONE')}</p>
      ) : (
        <ul className="rows divided">
          {drafts.map((draft) => (
            <li key={draft.id}>
              <strong>{draft.what}</strong>
              <span className="row wrap">
                <Button
                  small
                  aria-label={t('KEPT_DRAFTS.OPEN_LABEL', { what: draft.what })}
                  onClick={() =>
                    void attempt(async () => {
                      if ((await signingOut.open(draft)) === 'in-the-way')
                        setProblem(t('KEPT_DRAFTS.IN_THE_WAY', { what: draft.what }));
                    })
                  }
                >
                  {t('KEPT_DRAFTS.OPEN')}
                </Button>
                <Button
                  small
                  tone="quiet"
                  aria-label={t('KEPT_DRAFTS.DISCARD_LABEL', { what: draft.what })}
                  onClick={() => void attempt(async () => setDrafts(await signingOut.remove(draft)))}
                >
                  {t('COMMON.RESTORED.DISCARD')}
                </Button>
              </span>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  );
}
