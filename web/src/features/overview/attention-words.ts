import type { AttentionItem } from '@portico/contract/overview';
import { useTranslation } from 'react-i18next';
import { catalogueKey } from '../../platform/i18n/catalogue-key.ts';
import type { Formats } from '../../platform/i18n/formats.ts';

/** The text of a row. */
export type AttentionWords = { title: string; text: string; action: string };

/** Describes what needs an operator. */
export function useAttentionWords() {
  const { t } = useTranslation();
  return (item: AttentionItem, now: number, formats: Formats): AttentionWords => {
    const key = `OVERVIEW.ATTENTION.${catalogueKey(item.kind)}`;
    const words = (title: Record<string, unknown>, text: string): AttentionWords => ({
      title: t(`${key}.TITLE`, title),
      text,
      action: t(`${key}.ACTION`),
    });
    const { number, relative } = formats;
    const named = (names: readonly string[], count: number): string =>
      formats.list([
        ...names,
        ...(count > names.length
          ? [
              t('OVERVIEW.ATTENTION.MORE', {
                count: count - names.length,
                number: number(count - names.length),
              }),
            ]
          : []),
      ]);
    switch (item.kind) {
      case 'window':
        return words({ title: item.title }, t(`${key}.TEXT`, { time: formats.duration(now - item.endsAt) }));
      case 'held-open':
        return words({}, t(`${key}.TEXT`));
      case 'webhook': {
        const { name, failures, status, nextTryAt, since } = item;
        return words(
          { name, count: failures, number: number(failures) },
          [
            t(`${key}.${status === null ? 'NO_ANSWER' : 'STATUS'}`, {
              status,
              since: relative(since, now),
            }),
            nextTryAt === null ? t(`${key}.NOT_AGAIN`) : t(`${key}.AGAIN`, { time: formats.time(nextTryAt) }),
          ].join(' · '),
        );
      }
      case 'mail': {
        const { count, givenUp, since } = item;
        const facts = { relative: relative(since, now), count: givenUp, number: number(givenUp) };
        return words(
          { count, number: number(count) },
          t(`${key}.${givenUp === 0 ? 'TRIED_AGAIN' : 'GIVEN_UP'}`, facts),
        );
      }
      case 'refused': {
        const ways = formats.list(item.ways.map((way) => t(`${key}.${way.toUpperCase()}`)));
        return words({}, t(`${key}.TEXT`, { ways, relative: relative(item.at, now) }));
      }
      case 'reports': {
        const { count, excerpt, at } = item;
        return words(
          { count, number: number(count) },
          t(`${key}.TEXT`, { excerpt, relative: relative(at, now) }),
        );
      }
      case 'tokens': {
        const { count, names, expiresAt } = item;
        return words(
          { count, number: number(count), name: names[0] },
          t(`${key}.TEXT`, {
            names: named(names, count),
            relative: relative(expiresAt, now),
            time: formats.dateTime(expiresAt),
          }),
        );
      }
      case 'stale-flags': {
        const { count, names, since, value } = item;
        const facts = { names: named(names, count), value: String(value), date: formats.date(since) };
        return words(
          { count, number: number(count), name: names[0] },
          t(`${key}.${count === 1 ? 'ONE' : 'MANY'}`, facts),
        );
      }
    }
  };
}
