import { expect, test } from 'vitest';
import { LANGUAGES, type Language } from '../../../../messages/languages.ts';
import { biomarkerNamesIn, messagesIn } from '../../../../messages/messages.ts';
import { biomarkerName } from '../../../../protocol/records/taxonomy.ts';
import { findBiomarkers, listedBiomarker, type Names } from './biomarkers.ts';

function names(locale: Language): Names {
  const categories: Record<string, string> = messagesIn(locale).scope.category;
  return {
    biomarker: (code) => biomarkerNamesIn(locale)[code] ?? biomarkerName(code),
    category: (code) => categories[code] ?? code,
  };
}

const codes = (typed: string, locale: Language = 'en', covers = (_: string) => true) =>
  findBiomarkers(typed, covers, 8, names(locale)).map(({ code }) => code);

test('finds a biomarker by its name, long name, code or category', () => {
  expect(codes('fasting gluc')).toEqual(['BSP-GL-001']);
  expect(codes('Growth Differentiation')).toEqual(['BSP-LA-001']);
  expect(codes('bsp-hr-001')).toEqual(['BSP-HR-001']);
  expect(codes('anti muller')).toEqual(['BSP-FR-001']);
  expect(codes('hormones')).toHaveLength(8);
  expect(codes('')).toEqual([]);
  expect(codes('no such thing')).toEqual([]);
});

test('finds it in the language of the page, with or without accents', () => {
  expect(codes('glicemia de jejum', 'pt-BR')).toEqual(['BSP-GL-001']);
  expect(codes('hemacias', 'pt-BR')).toEqual(['BSP-HM-001']);
  expect(codes('glucosa ayunas', 'es')).toEqual(['BSP-GL-001']);
  expect(codes('riñones acido', 'es')).toEqual(['BSP-RN-005']);
});

test.each(LANGUAGES)('finds it by its English name and its code in %s', (locale) => {
  expect(codes('fasting gluc', locale)).toEqual(['BSP-GL-001']);
  expect(codes('gdf-11', locale)).toEqual(['BSP-LA-001']);
});

test('finds only biomarkers that the consent covers', () => {
  expect(codes('vitamin d', 'en', (category) => category === 'BSP-VT')).toEqual(['BSP-VT-001']);
});

test('returns the translated name and the unit of a code, with its short name', () => {
  expect(listedBiomarker('BSP-GL-001', names('en'))).toMatchObject({ name: 'Fasting Glucose', unit: 'mg/dL' });
  expect(listedBiomarker('BSP-GL-001', names('es'))).toMatchObject({ name: 'Glucosa en ayunas', unit: 'mg/dL' });
  expect(listedBiomarker('BSP-LA-003', names('pt-BR'))?.name).toBe('Comprimento dos telômeros (TELO)');
  expect(listedBiomarker('BSP-GL-999', names('en'))).toBeNull();
});
