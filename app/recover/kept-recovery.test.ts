import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type KeptRecovery, readKept, writeKept } from './kept-recovery.ts';

/** The browser's storage; there is no IndexedDB here, as where a browser refuses it. */
const stored = new Map<string, string>();
beforeEach(() => {
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, text: string) => void stored.set(name, text),
  });
});
afterEach(() => {
  stored.clear();
  vi.unstubAllGlobals();
});

const RECOVERY: KeptRecovery = {
  beoId: 'b1',
  domain: 'ana.bsp',
  publicKey: 'ab',
  formerKey: 'cd',
  request: {
    requestId: 'r1',
    expiresAt: '2026-12-01T00:00:00.000Z',
    links: [{ role: 'primary', url: 'https://perpetua.example/api/guardian/confirm-recovery/x' }],
  },
  recovered: false,
};

test('the links of a recovery are kept where the browser cannot store them encrypted', async () => {
  const { signal } = new AbortController();
  await writeKept(RECOVERY);
  expect(await readKept('b1', signal)).toEqual(RECOVERY);
  expect(await readKept('b1', signal)).toEqual(RECOVERY);
});
