import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SuggestInput } from '#web/ui/suggest-input.tsx';
import { segmentsQuery } from './flags-query.ts';

type SegmentInputProps = {
  /** True: only segments that are lists are offered. */
  ofLists: boolean;
  id: string;
  onId: (id: string) => void;
};

/** Chooses a segment by its name. */
export function SegmentInput({ ofLists, id, onId }: SegmentInputProps) {
  const { t } = useTranslation();
  const segments = useQuery(segmentsQuery).data?.segments ?? [];
  const [typed, setTyped] = useState<string | null>(null);
  const offered = segments.filter(({ kind }) => !ofLists || kind === 'list');
  const find = (text: string) =>
    offered.filter((one) => one.name.toLocaleLowerCase() === text.trim().toLocaleLowerCase());

  function pick(key: string): void {
    setTyped(null);
    onId(key);
  }

  return (
    <SuggestInput
      aria-label={t('FLAGS.RULE.SEGMENT')}
      placeholder={t('FLAGS.RULE.SEGMENT')}
      autoComplete="off"
      maxLength={100}
      options={offered.map((one) => ({ key: one.id, label: one.name, hint: one.description }))}
      value={typed ?? segments.find((one) => one.id === id)?.name ?? id}
      onPick={pick}
      onValue={(text) => {
        const [only, ...others] = find(text);
        if (only !== undefined && others.length === 0) pick(only.id);
        else setTyped(text);
      }}
      onBlur={() => setTyped(null)}
    />
  );
}

/** Answers the name of a segment for sentences, or its id if the segment is unknown. */
export function useSegmentName(): (id: string) => string {
  const segments = useQuery(segmentsQuery).data?.segments ?? [];
  return (id) => segments.find((one) => one.id === id)?.name ?? id;
}
