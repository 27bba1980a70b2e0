import { describe, expect, test } from 'vitest';
import { parentDomains } from '../domains.ts';
import { notCertifiedFor } from './certified-for.ts';

const use = { intents: ['READ_RECORDS', 'SUBMIT_RECORD'], categories: ['BSP-HR', 'BSP-GL'] };

describe('what a certification does not cover', () => {
  test('is nothing if the certification has no restrictions', () => {
    expect(notCertifiedFor({ categories: [], intents: [] }, { ...use, categories: ['*'] })).toEqual({
      intents: [],
      categories: [],
    });
  });

  test('is what is not listed, separately for intents and categories', () => {
    expect(notCertifiedFor({ categories: ['BSP-GL'], intents: [] }, use)).toEqual({
      intents: [],
      categories: ['BSP-HR'],
    });
    expect(notCertifiedFor({ categories: [], intents: ['SUBMIT_RECORD'] }, use)).toEqual({
      intents: ['READ_RECORDS'],
      categories: [],
    });
    expect(notCertifiedFor({ categories: ['BSP-HR', 'BSP-GL'], intents: ['EXPORT_DATA'] }, use)).toEqual({
      intents: use.intents,
      categories: [],
    });
  });

  test('includes * if the certification lists categories', () => {
    expect(notCertifiedFor({ categories: ['BSP-HR'], intents: [] }, { intents: [], categories: ['*'] })).toEqual({
      intents: [],
      categories: ['*'],
    });
  });
});

test('parentDomains returns the parent domains, nearest first', () => {
  expect(parentDomains('clinic.bsp', 'bsp')).toEqual([]);
  expect(parentDomains('a.results.clinic.bsp', 'bsp')).toEqual(['results.clinic.bsp', 'clinic.bsp']);
});
