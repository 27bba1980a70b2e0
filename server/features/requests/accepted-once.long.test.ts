import { afterAll, beforeAll, expect, test } from 'vitest';
import { consentRequestText } from '../../../protocol/consent-request.ts';
import { wholeChain } from '../../ledger/test-chain.ts';
import { startBeside, startTestService, type TestService } from '../../testing/test-service.ts';
import { type Party, partiesOf } from '../../write/test-parties.ts';
import { submitAsOneBatch, tally } from '../../write/test-races.ts';

/** Two processes with one database and one set of keys. */
let first: TestService;
let second: TestService;
beforeAll(async () => {
  first = await startTestService();
  second = await startBeside(first);
});
afterAll(async () => {
  await second.stop();
  await first.stop();
});

const SCOPE = { intents: ['READ_RECORDS'], categories: ['BSP-HM'] };
const INDEXES = Array.from({ length: 20 }, (_, index) => index);

async function asked() {
  const parties = partiesOf(first);
  const clinic = await parties.newInstitution();
  const { signature, ...message } = parties.sign(clinic.person, 'askConsent', {
    ieoId: clinic.id,
    scope: SCOPE,
    expiresInDays: 30,
    purpose: 'To prepare your appointment.',
    validUntil: new Date(Date.now() + 86_400_000).toISOString(),
    once: true,
    ledgerId: first.service.context.ledgerId,
  });
  const request = consentRequestText({ function: 'askConsent', ...message }, String(signature));
  const holders = await Promise.all(INDEXES.map((index) => partiesOf(index % 2 ? first : second).newHolder()));
  const accept = (through: TestService, holder: Party) =>
    through.post('/api/relayer/consent', {
      ...partiesOf(through).grantBody(holder, clinic.id, SCOPE, 30),
      request,
    });
  return { holders, accept };
}

test('of twenty people who accept a request for one person at once, at two processes, exactly one does', async () => {
  const { holders, accept } = await asked();
  const answers = await Promise.all(holders.map((holder, index) => accept(index % 2 ? first : second, holder)));
  expect(tally(answers)).toEqual({ 201: 1, LINK_USED: 19 });
  await wholeChain(first.service.context.pool);
});

test('of people who accept it in one batch, only the first succeeds', async () => {
  const { holders, accept } = await asked();
  const answers = await submitAsOneBatch(
    first,
    holders.slice(0, 4).map((holder) => () => accept(first, holder)),
  );
  expect(answers.map(({ status, body }) => body.code ?? status)).toEqual([201, 'LINK_USED', 'LINK_USED', 'LINK_USED']);
});
