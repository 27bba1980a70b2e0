import { expect, test } from 'vitest';
import { deliver } from './deliver.ts';

const RECEIPT = { transactionId: 't', receipt: 'r', salt: 's', recordIds: ['1'] };

type Say = 'ok' | 'limited' | 'lost' | 'late' | 'reused' | 'reusedInVain' | 'invalid';

/** Sends a batch to a service that answers like this, one after the other. */
const told = (...answers: Say[]) => toldAfter(undefined, ...answers);

async function toldAfter(earlier: number | undefined, ...answers: Say[]) {
  const bodies: number[] = [];
  const pauses: number[] = [];
  const limits: number[] = [];
  let signed = 10;
  const delivered = await deliver({
    sign: async () => ++signed,
    async post(body) {
      bodies.push(body);
      const say = answers.shift();
      if (say === 'ok') return { ok: true, receipt: RECEIPT };
      const details = {
        limited: { retry_after_seconds: 7 },
        reused: { transactionId: 'first' },
        reusedInVain: { transactionId: null },
      };
      const code = {
        limited: 'RATE_LIMITED',
        lost: 'UNREACHABLE',
        late: 'TIMESTAMP_TOO_OLD',
        reused: 'NONCE_REUSED',
        reusedInVain: 'NONCE_REUSED',
        invalid: 'RECORD_INVALID',
      }[say ?? 'invalid'];
      return { ok: false, failure: { code, message: '', details: details[say as keyof typeof details] ?? {} } };
    },
    pause: async (ms) => void pauses.push(ms),
    onLimited: (seconds) => limits.push(seconds),
    earlier,
  });
  return { delivered, bodies, pauses, limits };
}

test('a limit is waited out', async () => {
  const { delivered, limits, pauses } = await told('limited', 'limited', 'ok');
  expect(delivered).toEqual({ kind: 'accepted', receipt: RECEIPT });
  expect(limits).toEqual([7, 7]);
  expect(pauses).toEqual([7_000, 7_000]);
});

test('where no answer came, the same signed request is repeated', async () => {
  expect(await told('lost', 'lost', 'ok')).toMatchObject({ delivered: { kind: 'accepted' }, bodies: [11, 11, 11] });
});

test('a repetition that was taken before is known to have been accepted once', async () => {
  expect(await told('lost', 'reused')).toMatchObject({
    delivered: { kind: 'acceptedUnseen', transactionId: 'first' },
    bodies: [11, 11],
  });
});

test('where the first was refused without being heard, it is signed anew to hear why', async () => {
  expect(await told('lost', 'reusedInVain', 'invalid')).toMatchObject({
    delivered: { kind: 'refused', failure: { code: 'RECORD_INVALID' } },
    bodies: [11, 11, 12],
  });
});

test('what cannot be known is not sent again under another signature', async () => {
  expect(await told('lost', 'lost', 'lost', 'lost', 'lost')).toMatchObject({
    delivered: { kind: 'unknown' },
    bodies: [11, 11, 11, 11, 11],
  });
  expect(await told('lost', 'late')).toMatchObject({ delivered: { kind: 'unknown' }, bodies: [11, 11] });
});

test('a batch that was never answered is asked about again with the same request', async () => {
  expect(await toldAfter(3, 'reused')).toMatchObject({ delivered: { kind: 'acceptedUnseen' }, bodies: [3] });
  expect(await toldAfter(3, 'ok')).toMatchObject({ delivered: { kind: 'accepted' }, bodies: [3] });
  expect(await toldAfter(3, 'late')).toMatchObject({ delivered: { kind: 'unknown', body: 3 }, bodies: [3] });
});

test('a clock that is wrong is corrected once', async () => {
  expect(await told('late', 'ok')).toMatchObject({ delivered: { kind: 'accepted' }, bodies: [11, 12] });
  expect(await told('late', 'late')).toMatchObject({ delivered: { kind: 'refused' }, bodies: [11, 12] });
});

test('a refusal is handed on', async () => {
  expect(await told('invalid')).toMatchObject({ delivered: { kind: 'refused', failure: { code: 'RECORD_INVALID' } } });
});
