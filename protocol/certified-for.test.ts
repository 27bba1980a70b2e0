import { describe, expect, test } from 'vitest';
import { namesAbove } from './domains.ts';
import { beyondCertification } from './ieo.ts';

const use = { intents: ['READ_RECORDS', 'SUBMIT_RECORD'], categories: ['BSP-HR', 'BSP-GL'] };

describe('what a certification does not cover', () => {
  test('is nothing where it is not limited', () => {
    expect(beyondCertification({ categories: [], intents: [] }, { ...use, categories: ['*'] })).toEqual({
      intents: [],
      categories: [],
    });
  });

  test('is what it does not name, each limit for itself', () => {
    expect(beyondCertification({ categories: ['BSP-GL'], intents: [] }, use)).toEqual({
      intents: [],
      categories: ['BSP-HR'],
    });
    expect(beyondCertification({ categories: [], intents: ['SUBMIT_RECORD'] }, use)).toEqual({
      intents: ['READ_RECORDS'],
      categories: [],
    });
    expect(beyondCertification({ categories: ['BSP-HR', 'BSP-GL'], intents: ['EXPORT_DATA'] }, use)).toEqual({
      intents: use.intents,
      categories: [],
    });
  });

  test('is some of everything where it names categories', () => {
    expect(beyondCertification({ categories: ['BSP-HR'], intents: [] }, { intents: [], categories: ['*'] })).toEqual({
      intents: [],
      categories: ['*'],
    });
  });
});

test('the domains above one are those it ends with, the nearest first', () => {
  expect(namesAbove('clinic.bsp', 'bsp')).toEqual([]);
  expect(namesAbove('a.results.clinic.bsp', 'bsp')).toEqual(['results.clinic.bsp', 'clinic.bsp']);
});
