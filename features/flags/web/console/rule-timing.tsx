import { steerRamp, type FlagRule, type RampAction } from '#features/flags/contract/flags.ts';
import {
  guardLimits,
  mostMinutes,
  mostSteps,
  rampAfter,
  ruleAt,
  type RuleGuard,
  type RuleRamp,
  stepStarts,
  timingOf,
} from '#features/flags/contract/schedules.ts';
import { useServerNow } from '#web/platform/time/use-now.ts';
import { ZoneField } from '#features/profile/web/zone-field.tsx';
import { wallTimeAt } from '#contract/rules/wall-time.ts';
import { filtersQuery } from '#features/diagnostics/web/errors-queries.ts';
import type { ReactNode } from 'react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useApi, useCan, useFormats, useServerClock } from '#web/platform/contexts.tsx';
import { catalogueKey } from '#web/platform/i18n/isolated.ts';
import { createFormats } from '#web/platform/i18n/formats.ts';
import { minutesEastOfUtc } from '#web/platform/time/time-offset.ts';
import { offsetName } from '#web/platform/time/time-zones.ts';
import { halfTyped, typedTime } from '#web/platform/time/wall-times.ts';
import { TimeField } from '#web/app/time-field.tsx';
import { Button, IconButton } from '#web/ui/button.tsx';
import { SelectField } from '#web/ui/field.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { notify } from '#web/ui/notifications/notifications.ts';
import { Select } from '#web/ui/text-input.tsx';
import { percent } from './describe-rule.ts';
import { flagProblems } from './flag-words.ts';
import { flagsKey } from './flags-query.ts';
import type { EditedSchedule, RuleParts } from './rule-parts.ts';
import { NumberInput } from './value-input.tsx';

type PartProps = { parts: RuleParts; onParts: (parts: RuleParts) => void };

/** The fields for the start and end of a rule. */
export function When({ parts, onParts }: PartProps) {
  const { t } = useTranslation();
  const { timeZone: own } = useFormats();
  const now = useServerClock().now();
  const { schedule, ramp, rest } = parts;
  if ('schedule' in rest) return null;
  const set = (change: Partial<EditedSchedule>) =>
    onParts({ ...parts, schedule: { zone: own, ...schedule, ...change } });
  if (schedule === undefined)
    return (
      <div>
        <Button small tone="quiet" icon="plus" onClick={() => set({})}>
          {t('FLAGS.RULE.ADD_TIME')}
        </Button>
      </div>
    );
  const { from, until, zone } = schedule;
  const shown = (at: number | null | undefined) =>
    typeof at === 'number' ? (wallTimeAt(at, zone) ?? '') : at === null ? halfTyped : '';
  const typed = (local: string, there = zone) =>
    local === '' ? undefined : local === halfTyped ? null : typedTime(local, there);
  return (
    <>
      <div className="field-row">
        <TimeField
          label={t('FLAGS.RULE.FROM')}
          zone={zone}
          required={ramp !== undefined}
          hint={t('FLAGS.RULE.TIME_HINT')}
          value={shown(from)}
          onValue={(local) => set({ from: typed(local) })}
        />
        <TimeField
          label={t('FLAGS.RULE.UNTIL')}
          zone={zone}
          hint={t('FLAGS.RULE.TIME_HINT')}
          value={shown(until)}
          onValue={(local) => set({ until: typed(local) })}
        />
      </div>
      <ZoneField
        label={t('FLAGS.RULE.ZONE')}
        hint={offsetName(minutesEastOfUtc(zone, from ?? now))}
        error={null}
        value={zone}
        first={[{ key: own, label: own.replaceAll('_', ' '), zone: own }]}
        now={now}
        // The clock times stay as typed; in the new zone they mean other instants.
        onValue={(next) =>
          set({ zone: next, from: typed(shown(from), next), until: typed(shown(until), next) })
        }
      />
      {ramp !== undefined ? null : (
        <div>
          <Button small tone="quiet" onClick={() => onParts({ ...parts, schedule: undefined })}>
            {t('FLAGS.RULE.REMOVE_TIME')}
          </Button>
        </div>
      )}
    </>
  );
}

type RampStatusProps = {
  flagKey: string;
  /** As it is saved. */
  rule: FlagRule;
  /** Its place, from 0. */
  place: number;
  /** The flag's version if its ramp can be paused, resumed or ended now; null: it cannot. */
  version: number | null;
};

/** The current state of a rule by its schedule, with the actions of its ramp; empty if the rule has no schedule. */
export function RampStatus({ flagKey, rule, place, version }: RampStatusProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const now = useServerNow();
  const api = useApi();
  const queries = useQueryClient();
  const steering = useMutation({
    mutationFn: (body: { rule: number; action: RampAction; version: number }) =>
      api.call(steerRamp, { params: { flagKey }, body }),
    onError: (error) => notify({ kind: 'error', title: flagProblems(t, error).general ?? '' }),
    onSettled: () => queries.invalidateQueries({ queryKey: flagsKey }),
  });
  const { schedule, ramp } = timingOf(rule);
  if (schedule === undefined) return null;
  const { from = 0, until = Infinity } = schedule;
  const next = ramp === undefined ? undefined : stepStarts(schedule, ramp).find(({ at }) => at > now);
  const share = (coverage: number | undefined) => percent(coverage ?? 0, formats.locale);
  const present = ruleAt(rule, now);
  const options = {
    share: share(typeof present?.['coverage'] === 'number' ? present['coverage'] : 0),
    count: ramp?.held ?? 0,
    next: share(ramp?.steps[next?.step ?? -1]?.coverage),
    // In the zone of the schedule, as in the sentence of the rule.
    time: next === undefined ? '' : createFormats(formats.locale, schedule.zone).dateTime(next.at),
  };
  const status =
    now < from
      ? 'NOT_YET'
      : now >= until
        ? 'OVER'
        : ramp === undefined
          ? null
          : ramp.paused !== undefined
            ? ramp.held !== undefined
              ? 'HELD'
              : 'PAUSED'
            : next === undefined
              ? 'DONE'
              : 'RUNS';
  if (status === null) return null;
  const actions = (['pause', 'resume', 'end'] as const).filter(
    (action) => status !== 'OVER' && rampAfter(rule, action, now) !== null,
  );
  return (
    <span className="ramp-status row wrap gap-2 small">
      <span className={status === 'HELD' ? 'rule-problem row top medium breaks' : 'muted'}>
        {status === 'HELD' ? <Icon name="warning" size={14} /> : null}
        {t(`FLAGS.RAMP.${status}`, options)}
      </span>
      {version === null
        ? null
        : actions.map((action) => (
            <Button
              key={action}
              small
              busy={steering.isPending}
              aria-label={t(`FLAGS.RAMP.${catalogueKey(action)}_RULE`, { number: place + 1 })}
              onClick={() => steering.mutate({ rule: place, action, version })}
            >
              {t(`FLAGS.RAMP.${catalogueKey(action)}`)}
            </Button>
          ))}
    </span>
  );
}

const day = 1_440;
const units = { minute: 1, hour: 60, day };
type Unit = keyof typeof units;

function unitOf(minutes: number): Unit {
  return minutes % day === 0 ? 'day' : minutes % 60 === 0 ? 'hour' : 'minute';
}

/** The steps in which a rollout grows, and a button for one more. */
export function Steps({ parts, onParts }: PartProps) {
  const { t } = useTranslation();
  const { timeZone } = useFormats();
  const clock = useServerClock();
  const { ramp, coverage = 1, schedule = { zone: timeZone } } = parts;
  const steps = ramp?.steps ?? [];
  const set = (next: RuleRamp['steps']) =>
    onParts({ ...parts, coverage: undefined, ramp: { ...ramp, steps: next } });
  const change = (place: number, next: Partial<RuleRamp['steps'][number]>) =>
    set(steps.map((step, at) => (at === place ? { ...step, ...next } : step)));

  function add(): void {
    const [last, before] = [steps.at(-1), steps.at(-2)];
    if (last !== undefined && before !== undefined) {
      const share = Math.round((before.coverage + last.coverage) * 50) / 100;
      return set([...steps.slice(0, -1), { coverage: share, minutes: before.minutes ?? day }, last]);
    }
    // The first step keeps the share that is served now.
    const from = schedule.from ?? Math.floor(clock.now() / 60_000) * 60_000;
    onParts({
      ...parts,
      coverage: undefined,
      schedule: { ...schedule, from },
      ramp: {
        steps: [{ coverage: Math.min(coverage, 0.99), minutes: day }, { coverage: 1 }],
      },
    });
  }

  function remove(place: number): void {
    const left = steps.filter((_step, at) => at !== place);
    if (left.length === 1) onParts({ ...parts, ramp: undefined, coverage: left[0]?.coverage });
    else set(left.map((step, at) => (at === left.length - 1 ? { coverage: step.coverage } : step)));
  }

  return (
    <>
      <ol className="ramp-steps stack gap-2">
        {steps.map(({ coverage: share, minutes }, place) => (
          <li key={place} className="row wrap gap-2">
            <span className="share-number row">
              <NumberInput
                label={t('FLAGS.RULE.STEP_SHARE', { number: place + 1 })}
                value={Math.round(share * 10_000) / 100}
                minimum={0}
                maximum={100}
                onValue={(next) => change(place, { coverage: next / 100 })}
              />
              <span aria-hidden="true">{'%'}</span>
            </span>
            {minutes === undefined ? (
              <span>{t('FLAGS.RULE.STEP_STAYS')}</span>
            ) : (
              <StepTime
                number={place + 1}
                minutes={minutes}
                onMinutes={(next) => change(place, { minutes: next })}
              />
            )}
            <IconButton
              icon="close"
              small
              label={t('FLAGS.RULE.REMOVE_STEP', { number: place + 1 })}
              onClick={() => remove(place)}
            />
          </li>
        ))}
      </ol>
      <Guard parts={parts} onParts={onParts}>
        {steps.length >= mostSteps ? null : (
          <Button small tone="quiet" icon="plus" onClick={add}>
            {t(steps.length === 0 ? 'FLAGS.RULE.ADD_RAMP' : 'FLAGS.RULE.ADD_STEP')}
          </Button>
        )}
      </Guard>
    </>
  );
}

/** The projects of diagnostics that the person may see. */
export function useProjects(enabled: boolean): { id: number; name: string }[] {
  const can = useCan();
  const query = { ...filtersQuery(''), enabled: enabled && can('DIAGNOSTICS_READ') };
  return useQuery(query).data?.projects ?? [];
}

/** The guard of a ramp: its fields, or a button to add it if there are projects to choose from. */
function Guard({ parts, onParts, children }: PartProps & { children: ReactNode }) {
  const { t } = useTranslation();
  const { ramp } = parts;
  const projects = useProjects(ramp !== undefined);
  const [first] = projects;
  const guard = ramp?.guard;
  const set = (next: RuleGuard | undefined) => {
    if (ramp === undefined) return;
    const { guard: _before, ...unguarded } = ramp;
    onParts({ ...parts, ramp: { ...unguarded, ...(next && { guard: next }) } });
  };
  if (guard === undefined)
    return (
      <div className="row wrap gap-1">
        {children}
        {ramp === undefined || first === undefined ? null : (
          <Button
            small
            tone="quiet"
            icon="plus"
            onClick={() => set({ project: first.id, events: 20, factor: 2, minutes: 30 })}
          >
            {t('FLAGS.RULE.GUARD')}
          </Button>
        )}
      </div>
    );
  const { project } = guard;
  const known = projects.some(({ id }) => id === project)
    ? projects
    : [...projects, { id: project, name: t('FLAGS.SAY.PROJECT', { number: project }) }];
  return (
    <>
      <div>{children}</div>
      <fieldset className="choice">
        <legend>{t('FLAGS.RULE.GUARD')}</legend>
        <p className="muted small">{t('FLAGS.RULE.GUARD_HINT')}</p>
        <SelectField
          label={t('FLAGS.RULE.GUARD_PROJECT')}
          value={String(project)}
          onValue={(next) => set({ ...guard, project: Number(next) })}
          options={known.map(({ id, name }) => ({ value: String(id), label: name }))}
        />
        <div className="field-row">
          {(['events', 'factor', 'minutes'] as const).map((name) => {
            const label = t(`FLAGS.RULE.GUARD_${catalogueKey(name)}`);
            return (
              <label key={name} className="field">
                <span className="field-label">{label}</span>
                <NumberInput
                  label={label}
                  value={guard[name]}
                  minimum={1}
                  maximum={guardLimits[name]}
                  onValue={(next) => set({ ...guard, [name]: name === 'factor' ? next : Math.round(next) })}
                />
              </label>
            );
          })}
        </div>
        <div>
          <Button small tone="quiet" onClick={() => set(undefined)}>
            {t('FLAGS.RULE.REMOVE_GUARD')}
          </Button>
        </div>
      </fieldset>
    </>
  );
}

type StepTimeProps = { number: number; minutes: number; onMinutes: (minutes: number) => void };

function StepTime({ number, minutes, onMinutes }: StepTimeProps) {
  const { t } = useTranslation();
  const unit = unitOf(minutes);
  const size = units[unit];
  return (
    <>
      <span aria-hidden="true">{t('FLAGS.RULE.STEP_FOR')}</span>
      <span className="share-number row">
        <NumberInput
          label={t('FLAGS.RULE.STEP_TIME', { number })}
          value={minutes / size}
          minimum={1}
          maximum={mostMinutes / size}
          onValue={(next) => onMinutes(Math.round(next * size))}
        />
      </span>
      <Select
        aria-label={t('FLAGS.RULE.STEP_UNIT', { number })}
        value={unit}
        onValue={(next) => onMinutes(Math.min(mostMinutes, (minutes / size) * units[next]))}
        options={(['minute', 'hour', 'day'] as const).map((value) => ({
          value,
          label: t(`FLAGS.RULE.UNITS.${catalogueKey(value)}`),
        }))}
      />
    </>
  );
}
