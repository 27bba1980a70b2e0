import { describe, expect, test } from 'vitest';
import { parentDomains } from './domains.ts';
import { notCertifiedFor } from './ieo.ts';

const use = { intents: ['READ_RECORDS', 'SUBMIT_RECORD'], categories: ['BSP-HR', 'BSP-GL'] };

describe('what a certification does not cover', () => {
  test('is nothing where it is not limited', () => {
    expect(notCertifiedFor({ categories: [], intents: [] }, { ...use, categories: ['*'] })).toEqual({
      intents: [],
      categories: [],
    });
  });

  test('is what it does not name, each limit for itself', () => {
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

  test('is some of everything where it names categories', () => {
    expect(notCertifiedFor({ categories: ['BSP-HR'], intents: [] }, { intents: [], categories: ['*'] })).toEqual({
      intents: [],
      categories: ['*'],
    });
  });
});

test('the domains above one are those it ends with, the nearest first', () => {
  expect(parentDomains('clinic.bsp', 'bsp')).toEqual([]);
  expect(parentDomains('a.results.clinic.bsp', 'bsp')).toEqual(['results.clinic.bsp', 'clinic.bsp']);
});
