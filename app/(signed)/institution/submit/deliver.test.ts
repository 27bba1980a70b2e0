import { expect, test } from 'vitest';
import { deliver } from './deliver.ts';

const RECEIPT = { transactionId: 't', receipt: 'r', salt: 's', recordIds: ['1'] };

type Reply = 'ok' | 'limited' | 'lost' | 'late' | 'reused' | 'reusedUnprocessed' | 'invalid';

/** Delivers a batch to a service that replies as given, one reply per request. */
const deliverWith = (...replies: Reply[]) => deliverAfter(undefined, ...replies);

async function deliverAfter(unansweredBody: number | undefined, ...replies: Reply[]) {
  const bodies: number[] = [];
  const pauses: number[] = [];
  const limits: number[] = [];
  let signed = 10;
  const delivered = await deliver({
    sign: async () => ++signed,
    async post(body) {
      bodies.push(body);
      const reply = replies.shift();
      if (reply === 'ok') return { ok: true, receipt: RECEIPT };
      const details = {
        limited: { retry_after_seconds: 7 },
        reused: { transactionId: 'first' },
        reusedUnprocessed: { transactionId: null },
      };
      const code = {
        limited: 'RATE_LIMITED',
        lost: 'UNREACHABLE',
        late: 'TIMESTAMP_TOO_OLD',
        reused: 'NONCE_REUSED',
        reusedUnprocessed: 'NONCE_REUSED',
        invalid: 'RECORD_INVALID',
      }[reply ?? 'invalid'];
      return { ok: false, failure: { code, message: '', details: details[reply as keyof typeof details] ?? {} } };
    },
    pause: async (ms) => void pauses.push(ms),
    onLimited: (seconds) => limits.push(seconds),
    unansweredBody,
  });
  return { delivered, bodies, pauses, limits };
}

test('waits until a rate limit ends', async () => {
  const { delivered, limits, pauses } = await deliverWith('limited', 'limited', 'ok');
  expect(delivered).toEqual({ kind: 'accepted', receipt: RECEIPT });
  expect(limits).toEqual([7, 7]);
  expect(pauses).toEqual([7_000, 7_000]);
});

test('repeats the same signed request when no response arrives', async () => {
  expect(await deliverWith('lost', 'lost', 'ok')).toMatchObject({
    delivered: { kind: 'accepted' },
    bodies: [11, 11, 11],
  });
});

test('recognises by a reused nonce that the first request was accepted', async () => {
  expect(await deliverWith('lost', 'reused')).toMatchObject({
    delivered: { kind: 'acceptedUnseen', transactionId: 'first' },
    bodies: [11, 11],
  });
});

test('signs again when the nonce is used but nothing was accepted, to get the reason', async () => {
  expect(await deliverWith('lost', 'reusedUnprocessed', 'invalid')).toMatchObject({
    delivered: { kind: 'refused', failure: { code: 'RECORD_INVALID' } },
    bodies: [11, 11, 12],
  });
});

test('does not sign again when it is unknown whether the batch was accepted', async () => {
  expect(await deliverWith('lost', 'lost', 'lost', 'lost', 'lost')).toMatchObject({
    delivered: { kind: 'unknown' },
    bodies: [11, 11, 11, 11, 11],
  });
  expect(await deliverWith('lost', 'late')).toMatchObject({ delivered: { kind: 'unknown' }, bodies: [11, 11] });
});

test('starts with the earlier request if that got no response', async () => {
  expect(await deliverAfter(3, 'reused')).toMatchObject({ delivered: { kind: 'acceptedUnseen' }, bodies: [3] });
  expect(await deliverAfter(3, 'ok')).toMatchObject({ delivered: { kind: 'accepted' }, bodies: [3] });
  expect(await deliverAfter(3, 'late')).toMatchObject({ delivered: { kind: 'unknown', body: 3 }, bodies: [3] });
});

test('signs again once when the clock was wrong', async () => {
  expect(await deliverWith('late', 'ok')).toMatchObject({ delivered: { kind: 'accepted' }, bodies: [11, 12] });
  expect(await deliverWith('late', 'late')).toMatchObject({ delivered: { kind: 'refused' }, bodies: [11, 12] });
});

test('returns a refusal', async () => {
  expect(await deliverWith('invalid')).toMatchObject({
    delivered: { kind: 'refused', failure: { code: 'RECORD_INVALID' } },
  });
});
