import { readFileSync } from 'node:fs';
import { auditActions } from '@portico/contract/audit';
import { describe, expect, it } from 'vitest';
import { languages } from '../../platform/i18n/language.ts';
import { actionKey } from './says.ts';

type Texts = { [key: string]: string | Texts };

function textAt(texts: Texts, path: string): unknown {
  return path.split('.').reduce<unknown>((at, key) => (at as Texts | undefined)?.[key], texts);
}

describe('AUD-1: the audit in words', () => {
  it.each(languages)('AUD-1: every action and every area has its words in $label', ({ language }) => {
    const file = new URL(`texts/${language}.json`, import.meta.url);
    const { AUDIT: texts } = JSON.parse(readFileSync(file, 'utf8')) as { AUDIT: Texts };
    const actions = Object.keys(auditActions);
    const without = actions.filter(
      (action) => typeof textAt(texts, `SAYS.${actionKey(action)}`) !== 'string',
    );
    expect(without).toEqual([]);
    const areas = [...new Set(actions.map((action) => actionKey(action).split('.', 1)[0]))];
    expect(areas.filter((area) => typeof textAt(texts, `AREAS.${area}`) !== 'string')).toEqual([]);
  });
});
