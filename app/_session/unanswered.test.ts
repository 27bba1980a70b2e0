import { describe, expect, test } from 'vitest';
import type { SignedBody } from '../_keys/secret.ts';
import { type Sent, sendOnce, type Unanswered } from './unanswered.ts';

const ANSWERS: Record<string, Sent<string>> = {
  accepted: { ok: true, answer: 'accepted' },
  reused: { ok: false, failure: { code: 'NONCE_REUSED', message: '', details: { transactionId: 'tx' } } },
  reusedWithoutEntry: { ok: false, failure: { code: 'NONCE_REUSED', message: '', details: { transactionId: null } } },
};

/** Sends requests for the same thing, one for each list of answers. Returns the outcomes and the nonces that were sent. */
function outcomesOf(...presses: readonly (readonly string[])[]) {
  return outcomesOfEach(presses, false);
}

async function outcomesOfEach(presses: readonly (readonly string[])[], isHarmlessTwice: boolean) {
  const unanswered: Unanswered = new Map();
  const nonces: string[] = [];
  const outcomes: string[] = [];
  let signed = 0;
  for (const answers of presses) {
    const left = [...answers];
    const sent = await sendOnce(unanswered, {
      what: 'grantConsent',
      isHarmlessTwice,
      sign: async (): Promise<SignedBody> => ({ nonce: `n${++signed}`, timestamp: '', signature: '' }),
      post: async ({ nonce }) => {
        nonces.push(nonce);
        const code = left.shift() ?? 'nothing';
        return ANSWERS[code] ?? { ok: false, failure: { code, message: '' } };
      },
    });
    outcomes.push(sent.ok ? (sent.answer ?? `arrived as ${sent.transactionId}`) : sent.failure.code);
  }
  return { outcomes, nonces, kept: unanswered.size };
}

describe('a request without a response, when it is asked for again', () => {
  test('is repeated with the same signature, which the server accepts once', async () => {
    expect(await outcomesOf(['UNREACHABLE'], ['accepted'], ['accepted'])).toEqual({
      outcomes: ['UNREACHABLE', 'accepted', 'accepted'],
      nonces: ['n1', 'n1', 'n2'],
      kept: 0,
    });
  });

  test('is reported as accepted if its nonce made an entry', async () => {
    expect(await outcomesOf(['UNREACHABLE'], ['UNAVAILABLE'], ['reused'], ['accepted'])).toEqual({
      outcomes: ['UNREACHABLE', 'UNAVAILABLE', 'arrived as tx', 'accepted'],
      nonces: ['n1', 'n1', 'n1', 'n2'],
      kept: 0,
    });
  });

  test('is signed again if its nonce made no entry', async () => {
    const { outcomes, nonces } = await outcomesOf(['INTERNAL'], ['reusedWithoutEntry', 'accepted']);
    expect([outcomes, nonces]).toEqual([
      ['INTERNAL', 'accepted'],
      ['n1', 'n1', 'n2'],
    ]);
  });

  test('keeps its signature after a refusal that did not read it', async () => {
    expect(await outcomesOf(['UNREACHABLE'], ['RATE_LIMITED'], ['accepted'])).toEqual({
      outcomes: ['UNREACHABLE', 'RATE_LIMITED', 'accepted'],
      nonces: ['n1', 'n1', 'n1'],
      kept: 0,
    });
  });

  test('is signed again if it is too old and harmless to repeat', async () => {
    const { outcomes, nonces } = await outcomesOfEach([['UNREACHABLE'], ['TIMESTAMP_TOO_OLD', 'accepted']], true);
    expect([outcomes, nonces]).toEqual([
      ['UNREACHABLE', 'accepted'],
      ['n1', 'n1', 'n2'],
    ]);
  });

  test('is reported as uncertain if it is too old and not harmless to repeat', async () => {
    const { outcomes, nonces } = await outcomesOf(['UNREACHABLE'], ['TIMESTAMP_TOO_OLD'], ['accepted']);
    expect([outcomes, nonces]).toEqual([
      ['UNREACHABLE', 'UNCERTAIN', 'accepted'],
      ['n1', 'n1', 'n2'],
    ]);
  });
});

test('a request is signed again once where the clock is wrong, and only the later signature is repeated', async () => {
  const { outcomes, nonces } = await outcomesOf(['TIMESTAMP_IN_FUTURE', 'UNREACHABLE'], ['accepted']);
  expect([outcomes, nonces]).toEqual([
    ['UNREACHABLE', 'accepted'],
    ['n1', 'n2', 'n2'],
  ]);
  expect((await outcomesOf(['TIMESTAMP_IN_FUTURE', 'TIMESTAMP_IN_FUTURE'])).outcomes).toEqual(['TIMESTAMP_IN_FUTURE']);
});

test('a request over the limit certainly did nothing: another is signed', async () => {
  expect(await outcomesOf(['RATE_LIMITED'], ['TIMESTAMP_TOO_OLD', 'accepted'])).toEqual({
    outcomes: ['RATE_LIMITED', 'accepted'],
    nonces: ['n1', 'n2', 'n3'],
    kept: 0,
  });
});

test('a refusal is final, even of a nonce that was never unanswered', async () => {
  expect((await outcomesOf(['TOKEN_REVOKED'], ['reused'])).outcomes).toEqual(['TOKEN_REVOKED', 'NONCE_REUSED']);
});
