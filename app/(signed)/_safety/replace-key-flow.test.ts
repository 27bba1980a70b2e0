import { describe, expect, test } from 'vitest';
import type { KeptIdentity } from '../../_keys/identities.ts';
import { type Event, FIRST, next, type Step } from './replace-key-flow.ts';

const key = {
  secret: { holds: 'entropy', bytes: new Uint8Array(32) },
  seed: new Uint8Array(32),
  publicKey: 'ab'.repeat(32),
} as const;
const identity: KeptIdentity = {
  id: 'an-id',
  kind: 'holder',
  domain: 'olive.bsp',
  publicKey: key.publicKey,
  file: 'sealed',
  passkey: null,
  backedUp: true,
  usedAt: '2026-01-01T00:00:00.000Z',
};
const failure = { code: 'UNREACHABLE', message: '' };

const started: Event = { type: 'started' };
const made: Event = { type: 'keyMade', key, inForce: false, hasCopy: false };
const copied: Event = { type: 'copied' };
const sealed: Event = { type: 'sealed', file: 'sealed' };
const sent: Event = { type: 'sent' };
const offered: Event = { type: 'passkeyOffered', identity, existing: null };
const finished: Event = { type: 'finished' };
const cancelled: Event = { type: 'cancelled' };

const walk = (...events: Event[]): Step[] => events.map((_, index) => events.slice(0, index + 1).reduce(next, FIRST));
const stepAfter = (...events: Event[]): Step => events.reduce(next, FIRST);
const SIGNING = [started, made, copied, sealed];

describe('replacing a key', () => {
  test('goes through every step in order, to the end', () => {
    const steps = walk(...SIGNING, sent, offered, finished);
    expect(steps.map(({ at }) => at)).toEqual(['explain', 'copy', 'seal', 'sign', 'sign', 'passkey', 'idle']);
    expect(steps.at(-1)).toEqual({ at: 'idle', isDone: true });
    expect(stepAfter(...SIGNING, sent, finished)).toEqual({ at: 'idle', isDone: true });
  });

  test('is not done, and signs nothing, before the earlier steps', () => {
    const EVERY: Event[] = [made, copied, sealed, sent, offered, finished];
    for (const event of EVERY) expect(next(FIRST, event)).toBe(FIRST);
    const copying = stepAfter(started, made);
    for (const event of [started, made, sealed, sent, offered, finished]) expect(next(copying, event)).toBe(copying);
    const sealing = stepAfter(started, made, copied);
    for (const event of [sent, offered, finished]) expect(next(sealing, event)).toBe(sealing);
    const signing = stepAfter(...SIGNING);
    for (const event of [made, sealed, offered, finished]) expect(next(signing, event)).toBe(signing);
  });

  test('does not require another copy, but allows it', () => {
    const saved = stepAfter(started, { ...made, hasCopy: true });
    expect(saved).toMatchObject({ at: 'hasCopy' });
    expect(next(saved, copied)).toMatchObject({ at: 'seal', key });
    expect(next(saved, { type: 'copyWanted' })).toMatchObject({ at: 'copy', key });
  });

  test('only asks for a passphrase where the identity has the new key already', () => {
    const sealing = stepAfter(started, { ...made, inForce: true });
    expect(sealing).toMatchObject({ at: 'seal', inForce: true });
    expect(next(sealing, sealed)).toBe(sealing);
    expect(next(sealing, offered)).toMatchObject({ at: 'passkey', identity });
  });

  test('keeps the key when the request is refused, and is sent once at a time', () => {
    const sending = stepAfter(...SIGNING, sent);
    expect(next(sending, sent)).toBe(sending);
    const refused = next(sending, { type: 'refused', failure });
    expect(refused).toEqual({ at: 'sign', key, file: 'sealed', sending: false, failure });
    expect(next(refused, sent)).toMatchObject({ sending: true, failure: null });
  });

  test('can be cancelled until it is sent', () => {
    for (const step of walk(...SIGNING)) expect(next(step, cancelled)).toEqual(FIRST);
    const sending = stepAfter(...SIGNING, sent);
    expect(next(sending, cancelled)).toBe(sending);
    expect(next(next(sending, offered), cancelled)).toMatchObject({ at: 'passkey' });
  });

  test('reports that no key could be made', () => {
    expect(stepAfter(started, { type: 'keyFailed' })).toEqual({ at: 'failed' });
    expect(stepAfter(started, { type: 'keyFailed' }, cancelled)).toEqual(FIRST);
  });
});
