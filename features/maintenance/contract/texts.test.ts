import { describe, expect, it } from 'vitest';
import { textFor } from './maintenance.ts';
import { finishedText, textOfPhase } from './texts.ts';

const window = { title: 'New pumps', text: '', texts: {} };

describe('MAINT-5: the text of a window that fits the phase and the reader', () => {
  it('MAINT-5: is in the language of the reader, else in the first in which it was written', () => {
    const before = { de: 'Um zehn.', fr: 'À dix heures.' };
    const read = textOfPhase({ ...window, texts: { before } }, 'before');
    expect(['en', 'de', 'fr', 'it'].map((language) => textFor(read, language))).toEqual([
      'Um zehn.',
      'Um zehn.',
      'À dix heures.',
      'Um zehn.',
    ]);
  });

  it('MAINT-5: is not the one from before the start once it has started', () => {
    const texts = { before: { en: 'Save your work before it starts.' } };
    expect(textOfPhase({ ...window, texts }, 'during').text).toBe('New pumps');
    expect(textOfPhase({ ...window, texts }, 'late').text).toBe('New pumps');
    expect(finishedText({ texts })).toBeNull();
  });

  it('MAINT-5: falls from late to what holds during, language by language', () => {
    const texts = { during: { en: 'Pumping.', de: 'Es wird gepumpt.' }, late: { de: 'Noch eine Pumpe.' } };
    const late = textOfPhase({ ...window, texts }, 'late');
    expect([textFor(late, 'en'), textFor(late, 'de'), late.text]).toEqual([
      'Pumping.',
      'Noch eine Pumpe.',
      'Noch eine Pumpe.',
    ]);
  });

  it('MAINT-5: of a window with one text for all is that one, wherever a phase has none', () => {
    const old = { ...window, text: 'Pumps are replaced.', texts: { during: { fr: 'On pompe.' } } };
    expect(textOfPhase(old, 'before')).toEqual({ text: 'Pumps are replaced.', texts: {} });
    expect(textOfPhase(old, 'during')).toEqual({ text: 'On pompe.', texts: { fr: 'On pompe.' } });
    expect(finishedText({ texts: { finished: { de: 'Fertig.' } } })?.text).toBe('Fertig.');
  });
});
