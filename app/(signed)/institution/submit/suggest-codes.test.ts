import { expect, test } from 'vitest';
import { LANGUAGES } from '../../../../messages/languages.ts';
import { biomarkerNamesIn } from '../../../../messages/messages.ts';
import { suggestCodes } from './suggest-codes.ts';

test.each(['GLUCOSE', 'Glicose', 'GLU', 'Glucosa', 'glicemia de jejum', 'Glucose, serum'])(
  '%s suggests the glucoses of the catalogue, and which one is left to the person',
  (text) => {
    expect(suggestCodes(text).codes).toContain('BSP-GL-001');
  },
);

test('a name of several biomarkers is not certain', () => {
  expect(suggestCodes('GLU')).toEqual({ codes: ['BSP-GL-001', 'BSP-GL-006'], certain: null });
  expect(suggestCodes('TSH').certain).toBe('BSP-HR-001');
});

test('a LOINC code is certain where it is of one biomarker', () => {
  expect(suggestCodes(' 1558-6 ')).toEqual({ codes: ['BSP-GL-001'], certain: 'BSP-GL-001' });
  expect(suggestCodes('2345-7')).toEqual({ codes: ['BSP-GL-001', 'BSP-GL-006'], certain: null });
});

test.each([
  ['Hemoglobina', 'BSP-HM-002'],
  ['HEMOGLOBINA GLICADA', 'BSP-GL-002'],
  ['Creatinina sérica', 'BSP-RN-001'],
  ['T4 livre', 'BSP-HR-002'],
  ['Triglicéridos', 'BSP-LP-004'],
  ['TGP', 'BSP-LV-001'],
  ['K', 'BSP-MN-007'],
])('%s suggests %s', (text, code) => {
  expect(suggestCodes(text).codes).toContain(code);
});

test('urea is not urea nitrogen, and nothing is suggested for what the catalogue does not have', () => {
  for (const text of ['Ureia', 'Urea']) expect(suggestCodes(text).certain).toBeNull();
  expect(suggestCodes('XYZ-17')).toEqual({ codes: [], certain: null });
});

test('every name that the pages have in a language is one of the names', () => {
  for (const language of LANGUAGES) {
    const missing = Object.entries(biomarkerNamesIn(language)).filter(
      ([code, name]) => !suggestCodes(name).codes.includes(code),
    );
    expect(missing).toEqual([]);
  }
});
