import { expect, test } from 'vitest';
import { sealForBrowser } from './browser-seal.ts';
import { openReceipts } from './kept-receipts.ts';

const partOf = async (name: string) =>
  [name, await sealForBrowser(name, new TextEncoder().encode(JSON.stringify({ salt: name })))] as const;

test('receipts that are missing or do not open are counted, and the others are read', async () => {
  const [first, second, third] = await Promise.all(['a', 'b', 'c'].map(partOf));
  if (!first || !second || !third) throw new Error('There are fewer.');
  const damaged = ['b', third[1]] as const;
  const of = (...salts: string[]) => salts.map((salt) => ({ salt }));
  expect(await openReceipts([first, second, third], 3)).toEqual({ receipts: of('a', 'b', 'c'), lost: 0 });
  expect(await openReceipts([first, damaged], 2)).toEqual({ receipts: of('a'), lost: 1 });
  expect(await openReceipts([first, damaged], 3)).toEqual({ receipts: of('a'), lost: 2 });
  expect(await openReceipts([], 3)).toEqual({ receipts: [], lost: 3 });
});
