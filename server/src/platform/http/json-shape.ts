import { jsonLosses, type JsonLoss } from '#contract/rules/exact-json.ts';
import { HttpProblem } from './http-problem.ts';

/**
 * What a JSON body may be made of, whatever its length. A parser takes up to a quarter of a second for 2 MB
 * of brackets or of ever new names, and what walks a value by recursion ends at some thousand levels.
 */
const ofBodies: JsonShape = { levels: 64, members: 20_000, entries: 100_000 };

/** Upper bounds: levels of nesting; names, lists and objects together; commas. */
export type JsonShape = { levels: number; members: number; entries: number };

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openList = 0x5b;
const closeList = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

/**
 * Looks over a JSON text before it is parsed, in one pass without recursion; whether it is JSON is the
 * parser's question.
 *
 * @returns what there is too much of, in words for the sender, or null
 */
export function jsonShapeProblem(text: string): string | null {
  switch (excessOf(text, ofBodies)) {
    case 'levels':
      return `The body is nested more than ${ofBodies.levels} levels deep.`;
    case 'members':
      return `The body has more than ${ofBodies.members} names, lists and objects.`;
    case 'entries':
      return `The body has more than ${ofBodies.entries} entries.`;
    case null:
      return null;
  }
}

/** The first of these bounds that a JSON text exceeds, or null. */
export function excessOf(text: string, most: JsonShape): keyof JsonShape | null {
  let level = 0;
  let members = 0;
  let entries = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === quote) {
      at += 1;
      for (; at < text.length && text.charCodeAt(at) !== quote; at += 1)
        if (text.charCodeAt(at) === backslash) at += 1;
    } else if (unit === comma) entries += 1;
    else if (unit === colon) members += 1;
    else if (unit === openObject || unit === openList) {
      level += 1;
      members += 1;
      if (level > most.levels) return 'levels';
    } else if (unit === closeObject || unit === closeList) level -= 1;
  }
  if (members > most.members) return 'members';
  return entries > most.entries ? 'entries' : null;
}

const lossWords: Record<JsonLoss['code'], string> = {
  too_big: 'is larger than a number can be',
  inexact: 'has other digits than a number of JavaScript can hold; send it as a text',
  duplicate: 'is there twice',
  reserved: 'is a name that no object may have here',
};

/**
 * The problem of a valid JSON text whose parsed value is another one (decision 0063), with the place of each
 * part; null where nothing is lost. A name that reaches a prototype is BAD_JSON.
 */
export function jsonLossProblem(text: string): HttpProblem | null {
  const losses = jsonLosses(text);
  if (losses.length === 0) return null;
  const errors = losses.map(({ pointer, code }) => ({ pointer, code, message: lossWords[code] }));
  return new HttpProblem(losses.some(({ code }) => code === 'reserved') ? 'BAD_JSON' : 'INVALID_BODY', {
    errors,
  });
}
