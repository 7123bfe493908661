import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { begin, type History, record, redo, undo } from './history.ts';

function after(steps: readonly string[]): History<string> {
  return steps.reduce((history, next) => record(history, next), begin('start'));
}

describe('BUG-3: undo and redo', () => {
  it('BUG-3: undo goes back through everything, redo forth again', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ minLength: 6 }), { maxLength: 60 }), (steps) => {
        let history = after(steps);
        const last = history.present;
        for (const expected of ['start', ...steps].toReversed().slice(1)) {
          history = undo(history);
          expect(history.present).toBe(expected);
        }
        expect(undo(history)).toBe(history);
        for (const expected of steps) {
          history = redo(history);
          expect(history.present).toBe(expected);
        }
        expect(redo(history)).toBe(history);
        expect(history.present).toBe(last);
      }),
    );
  });

  it('BUG-3: something new after an undo forgets what was undone', () => {
    const history = record(undo(after(['a', 'b'])), 'c');
    expect(redo(history)).toBe(history);
    expect(undo(history).present).toBe('a');
  });

  it('BUG-3: a change that goes on is one step back', () => {
    let history = after(['a']);
    for (const next of ['b', 'c', 'd']) history = record(history, next, 'moves 1');
    expect(undo(history).present).toBe('a');
    history = record(history, 'e', 'moves 2');
    expect(undo(history).present).toBe('d');
  });

  it('BUG-3: a change that begins again after an undo is a step of its own', () => {
    let history = record(after(['a']), 'b', 'moves 1');
    history = record(undo(history), 'c', 'moves 1');
    expect(undo(history).present).toBe('a');
  });

  it('BUG-3: what changes nothing is no step', () => {
    const history = after(['a']);
    expect(record(history, 'a')).toBe(history);
  });

  it('BUG-3: the oldest of very many steps are forgotten', () => {
    let history = after(Array.from({ length: 150 }, (_, index) => String(index)));
    while (undo(history) !== history) history = undo(history);
    expect(history.present).toBe('49');
  });
});
