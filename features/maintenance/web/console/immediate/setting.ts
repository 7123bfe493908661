import { setMaintenance, type MaintenanceSettings } from '#features/maintenance/contract/settings.ts';
import type { BodyOf } from '#contract/route.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useApi } from '#web/platform/contexts.tsx';
import { type ProblemWords, problemsOf } from '#web/platform/forms/problems-of.ts';
import { useVersionedForm } from '#web/platform/forms/versioned-form.ts';
import { maintenanceKey } from '../../live-status.ts';
import { maintenanceQuery, useStayInConsole } from '../maintenance-queries.ts';
import { firstOf, isTypedText, type TypedText, writtenIn } from '../plan/written-texts.ts';

/** The fields of the switch and the notice that are sent to the server. */
type Setting = BodyOf<typeof setMaintenance>;

/** Why fields of the notice and the switch are refused. */
export const settingWords: ProblemWords<'expectedEnd' | 'text'> = {
  fields: {
    expectedEnd: 'MAINTENANCE.CONSOLE.MODE.END_PAST',
    text: { else: 'MAINTENANCE.CONSOLE.WRONG.REFUSED', format: 'MAINTENANCE.CONSOLE.WRONG.CHARACTERS' },
  },
};

/** Why the notice or the switch could not be saved, in words. */
export function settingProblem(t: TFunction, error: unknown): string {
  const { expectedEnd, text, general = '' } = problemsOf(t, error, settingWords);
  return expectedEnd ?? text ?? general;
}

/** The switch and the notice as they are, to be sent with a change. */
export function settingOf(settings: MaintenanceSettings): Setting {
  const { mode, text, texts, severity, expectedEnd, version } = settings;
  return { mode, text, texts, severity, expectedEnd, version };
}

/** Sends the switch and the notice, and shows the answer before everything is reloaded. */
function useSendSetting(): (setting: Setting) => Promise<MaintenanceSettings> {
  const api = useApi();
  const queries = useQueryClient();
  const staying = useStayInConsole();
  return async (setting) => {
    const saved = await staying(setting.mode === 'full', () => api.call(setMaintenance, { body: setting }));
    queries.setQueryData(maintenanceQuery.queryKey, saved);
    void queries.invalidateQueries({ queryKey: maintenanceKey });
    return saved;
  };
}

/**
 * Saves the switch and the notice without a form; afterwards, also after a conflict, everything is reloaded.
 */
export function useSetMaintenance() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: useSendSetting(),
    onError: () => queries.invalidateQueries({ queryKey: maintenanceKey }),
  });
}

type SettingForm<Values> = {
  settings: MaintenanceSettings;
  /** The form of the settings as they are. */
  values: Values;
  storedAs: string;
  /** Whether the other fields of a stored form have values that this release knows. */
  isKnown: (values: Values) => boolean;
  /** The fields that are sent with the text. */
  sent: (values: Values) => Partial<Setting>;
  onSaved: (saved: MaintenanceSettings) => void;
};

/** A form for a text, together with the notice's severity or with the switch. */
export function useSettingForm<Values extends { typed: TypedText }>(options: SettingForm<Values>) {
  const { settings, storedAs, isKnown, sent, onSaved } = options;
  const send = useSendSetting();
  return useVersionedForm({
    saved: { values: options.values, version: settings.version },
    storedAs,
    readStored: (values) => (isTypedText(values.typed) && isKnown(values) ? values : null),
    leaving: { counted: false },
    save: (values, version) =>
      send({
        ...settingOf(settings),
        text: firstOf(values.typed),
        texts: writtenIn(values.typed),
        ...sent(values),
        version,
      }),
    onSaved,
    reload: maintenanceKey,
  });
}
