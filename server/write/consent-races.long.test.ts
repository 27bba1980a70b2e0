import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CATEGORIES } from '../../protocol/records/taxonomy.ts';
import { openReceipt, wholeChain } from '../ledger/test-chain.ts';
import {
  type Answer,
  freshDomain,
  newPerson,
  startBeside,
  startTestService,
  type TestService,
} from '../testing/test-service.ts';
import { type Parties, type Party, partiesOf, READING } from './test-parties.ts';
import { submitAsOneBatch, tally } from './test-races.ts';

/** Two processes with one database, one network and one set of keys. */
let first: TestService;
let second: TestService;
let firstClients: Parties;
let secondClients: Parties;
beforeAll(async () => {
  first = await startTestService();
  second = await startBeside(first);
  [firstClients, secondClients] = [partiesOf(first), partiesOf(second)];
});
afterAll(async () => {
  await second.stop();
  await first.stop();
});

const INDEXES = Array.from({ length: 20 }, (_, index) => index);
/** Sends twenty concurrent requests, through both processes in turn. */
const twentyConcurrent = (send: (index: number, through: Parties) => Promise<Answer>) =>
  Promise.all(INDEXES.map((index) => send(index, index % 2 ? firstClients : secondClients)));
const chain = () => wholeChain(first.service.context.pool);
const codes = (answers: readonly Answer[]) => answers.map(({ status, body }) => body.code ?? status);

/** Different scopes for different indexes. */
const scopeOf = (index: number) => ({ intents: ['READ_RECORDS'], categories: [CATEGORIES[index] ?? ''] });

/** Sends the requests to the first process, in this order. */
const inOneBatch = (...requests: (() => Promise<Answer>)[]) => submitAsOneBatch(first, requests);

/** The error code, the number of revoked consents or the status of each response. */
const outcomes = (answers: readonly Answer[]) =>
  answers.map(({ status, body }) => body.code ?? body.revoked_count ?? status);

const seqOf = ({ body }: Answer): number => openReceipt(body.receipt).entry.seq;

const newParties = async () => {
  const [holder, grantee] = await Promise.all([firstClients.newHolder(), secondClients.newInstitution()]);
  return { holder, grantee };
};

const tokensOf = (answers: readonly Answer[]): string[] =>
  answers.flatMap(({ body }): string[] => (body.token ? [body.token.token_id] : []));

/** The verdict on a token, which must be the same in both processes. */
async function verdict(tokenId: string) {
  const [verdict, secondVerdict] = [await firstClients.verdict(tokenId), await secondClients.verdict(tokenId)];
  expect([secondVerdict.valid, secondVerdict.reason]).toEqual([verdict.valid, verdict.reason]);
  return verdict;
}

const validOf = async (tokenIds: readonly string[]): Promise<string[]> => {
  const verdicts = await Promise.all(tokenIds.map(verdict));
  return tokenIds.filter((_, index) => verdicts[index].valid);
};

describe('of twenty concurrent requests', () => {
  test('that grant one consent, exactly one succeeds', async () => {
    const { holder, grantee } = await newParties();
    const answers = await twentyConcurrent((index, through) =>
      through.grant(holder, [grantee.id, grantee.domain, grantee.transactionId][index % 3] ?? '', READING),
    );
    expect(tally(answers)).toEqual({ 201: 1, DUPLICATE_TOKEN: 19 });
    const [token_id] = tokensOf(answers);
    for (const { status, body } of answers) if (status !== 201) expect(body.details).toEqual({ token_id });
    expect((await second.get(`/api/consent/history/${holder.id}`)).body.count).toBe(1);
    await chain();
  });

  test('that revoke one consent, exactly one succeeds', async () => {
    const { holder, grantee } = await newParties();
    const { token_id, arweave_tx } = await firstClients.granted(holder, grantee.id);
    const answers = await twentyConcurrent((index, through) =>
      through.revoke(holder, index % 3 ? token_id : arweave_tx),
    );
    expect(tally(answers)).toEqual({ 200: 1, TOKEN_ALREADY_REVOKED: 19 });
    const revoked_at = answers.find(({ status }) => status === 200)?.body.revoked_at;
    for (const { status, body } of answers) if (status !== 200) expect(body.details).toEqual({ revoked_at });
    expect((await verdict(token_id)).token.revoked_at).toBe(revoked_at);
    await chain();
  });

  test('that revoke consents in different ways, each consent is counted once', async () => {
    const { holder, grantee } = await newParties();
    const tokens: string[] = [];
    for (const index of [0, 1, 2, 3, 4]) {
      tokens.push((await firstClients.granted(holder, grantee.id, scopeOf(index))).token_id);
    }
    const answers = await twentyConcurrent((index, through) => {
      switch (index % 4) {
        case 0:
          return through.revoke(holder, tokens[index / 4] ?? '');
        case 1:
          return through.revokeFrom(holder, grantee.id);
        case 2:
          return through.revokeIntent(holder, 'READ_RECORDS');
        default:
          return through.beo(holder, 'revoke-all', 'revokeAllTokens');
      }
    });
    const counts = answers.map(({ status, body }) => body.revoked_count ?? (status === 200 ? 1 : 0));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(5);
    for (const code of codes(answers)) expect([200, 'TOKEN_ALREADY_REVOKED']).toContain(code);
    expect(await validOf(tokens)).toEqual([]);
    await chain();
  });

  test('that alternately grant and revoke one consent, no two grants are valid at once', async () => {
    const { holder, grantee } = await newParties();
    const answers = await twentyConcurrent((index, through) =>
      index % 2
        ? through.grant(holder, grantee.id)
        : index % 4
          ? through.revokeFrom(holder, grantee.id)
          : through.beo(holder, 'revoke-all', 'revokeAllTokens'),
    );
    for (const code of codes(answers)) expect([200, 201, 'DUPLICATE_TOKEN']).toContain(code);
    const granted = tokensOf(answers);
    const revoked = answers.reduce((sum, { body }) => sum + (body.revoked_count ?? 0), 0);
    expect(await validOf(granted)).toHaveLength(granted.length - revoked);
    const entities = new Set([holder.id, ...granted]);
    let live = 0;
    for (const entry of (await chain()).filter(({ entity_id }) => entities.has(entity_id))) {
      if (entry.function === 'createBEO') continue;
      const { revoked_count = null } = answers.find(({ body }) => body.transactionId === entry.id)?.body ?? {};
      expect(live).toBe(entry.function === 'grantConsent' ? 0 : revoked_count);
      live = entry.function === 'grantConsent' ? 1 : 0;
    }
  });
});

describe('grants concurrent with revocations of all consents', () => {
  test('are revoked and counted by the next revocation on the ledger', async () => {
    const { holder, grantee } = await newParties();
    const answers = await twentyConcurrent((index, through) =>
      index % 5 === 4
        ? through.beo(holder, 'revoke-all', 'revokeAllTokens')
        : through.grant(holder, grantee.id, scopeOf(index)),
    );
    expect(tally(answers)).toEqual({ 200: 4, 201: 16 });
    let live: string[] = [];
    for (const entry of await chain()) {
      const answer = answers.find(({ body }) => body.transactionId === entry.id);
      if (!answer) continue;
      if (entry.function === 'grantConsent') live.push(entry.entity_id);
      else {
        expect(answer.body.revoked_count).toBe(live.length);
        live = [];
      }
    }
    expect((await validOf(tokensOf(answers))).sort()).toEqual(live.sort());
    const last = await secondClients.beo(holder, 'revoke-all', 'revokeAllTokens');
    expect(last.body.revoked_count).toBe(live.length);
  });
});

describe('grants concurrent with the end of a party', () => {
  /** Sends nineteen grants and one end, and checks the invariants of every order. */
  async function expectAllEnded(
    { holder, grantee }: { holder: Party; grantee: Party },
    end: (through: Parties) => Promise<Answer>,
    codeAfterEnd: string,
  ) {
    const early = await secondClients.granted(holder, grantee.id, scopeOf(20));
    const answers = await twentyConcurrent((index, through) =>
      index === 7 ? end(through) : through.grant(holder, grantee.id, scopeOf(index)),
    );
    const ended = answers[7];
    expect(ended?.status, JSON.stringify(ended?.body)).toBe(200);
    for (const [index, code] of codes(answers).entries()) if (index !== 7) expect([201, codeAfterEnd]).toContain(code);
    const tokens = [early.token_id, ...tokensOf(answers)];
    expect(await validOf(tokens)).toEqual([]);
    for (const id of tokens)
      expect(await verdict(id)).toMatchObject({ reason: 'TOKEN_REVOKED', token: { revoked: true } });
    const history = (await second.get(`/api/consent/history/${holder.id}?limit=200`)).body;
    expect(history.tokens.map(({ token_id }: { token_id: string }) => token_id).sort()).toEqual(tokens.sort());
    for (const { status } of history.tokens) expect(status).toBe('REVOKED');

    const entries = await chain();
    const at = entries.findIndex(({ id }) => id === ended?.body.transactionId);
    const later = entries.slice(at + 1).filter(({ entity_id }) => tokens.includes(entity_id));
    expect(later).toEqual([]);
    expect(codes([await firstClients.grant(holder, grantee.id, scopeOf(21))])).toEqual([codeAfterEnd]);
  }

  test('are revoked if the institution destroys itself', async () => {
    const parties = await newParties();
    await expectAllEnded(parties, (through) => through.ieo(parties.grantee, 'destroy', 'destroyIEO'), 'IEO_DESTROYED');
  });

  test('are revoked if the institute revokes the institution', async () => {
    const parties = await newParties();
    const opened = await firstClients.propose('revokeIEO', { ieoId: parties.grantee.id, reason: 'Sold what it read.' });
    const { proposal_id } = opened.body.proposal;
    await expectAllEnded(parties, (through) => through.approve(proposal_id, 2), 'IEO_NOT_ACTIVE');
  });

  test('are revoked if the holder is destroyed', async () => {
    const parties = await newParties();
    await expectAllEnded(parties, (through) => through.beo(parties.holder, 'destroy', 'destroyBEO'), 'BEO_DESTROYED');
  });

  test('are refused after a lock or suspension on the ledger', async () => {
    const { holder, grantee } = await newParties();
    const opened = await firstClients.propose('suspendIEO', { ieoId: grantee.id, reason: 'Late.' });
    const answers = await twentyConcurrent((index, through) => {
      if (index === 8) return through.approve(opened.body.proposal.proposal_id, 2);
      if (index === 15) return through.beo(holder, 'lock', 'lockBEO');
      return through.grant(holder, grantee.id, scopeOf(index));
    });
    for (const code of codes(answers)) expect([200, 201, 'IEO_NOT_ACTIVE', 'BEO_LOCKED']).toContain(code);
    const entries = await chain();
    const ends = [8, 15].map((index) => entries.findIndex(({ id }) => id === answers[index]?.body.transactionId));
    const later = entries.slice(Math.min(...ends) + 1).filter(({ function: name }) => name === 'grantConsent');
    expect(later).toEqual([]);
    expect(await validOf(tokensOf(answers))).toEqual([]);
  });

  test('are not counted both by a revocation and by the end of the institution', async () => {
    const { holder, grantee } = await newParties();
    for (const index of [0, 1, 2]) await firstClients.granted(holder, grantee.id, scopeOf(index));
    const answers = await twentyConcurrent((index, through) =>
      index === 9
        ? through.ieo(grantee, 'destroy', 'destroyIEO')
        : through.beo(holder, 'revoke-all', 'revokeAllTokens'),
    );
    expect(tally(answers)).toEqual({ 200: 20 });
    const entries = await chain();
    const indexOf = ({ body }: Answer) => entries.findIndex(({ id }) => id === body.transactionId);
    const end = answers[9] ? indexOf(answers[9]) : -1;
    const counts = answers.map((answer) => ({ before: indexOf(answer) < end, count: answer.body.revoked_count ?? 0 }));
    const anyBefore = counts.some(({ before }) => before);
    expect(counts.reduce((sum, { count }) => sum + count, 0)).toBe(anyBefore ? 3 : 0);
    for (const { before, count } of counts) if (!before) expect(count).toBe(0);
  });
});

describe('the institute’s keys', () => {
  test('execute a proposal once under concurrent approvals', async () => {
    const { grantee } = await newParties();
    const opened = await secondClients.propose('suspendIEO', { ieoId: grantee.id, reason: 'Late.' });
    const { proposal_id } = opened.body.proposal;
    const answers = await twentyConcurrent((index, through) => through.approve(proposal_id, index % 3 ? 2 : 3));
    const accepted = answers.filter(({ status }) => status === 200);
    expect(accepted.map(({ body }) => body.executed)).toEqual([true]);
    const winner = accepted[0]?.body.proposal.approvals[1].approver;
    for (const [index, code] of codes(answers).entries()) {
      if (code !== 200) expect(code).toBe((index % 3 ? 2 : 3) === winner ? 'ALREADY_APPROVED' : 'REQUEST_CLOSED');
    }
    const entries = (await chain()).filter(({ entity_id }) => entity_id === proposal_id);
    expect(entries.map((entry) => entry.function)).toEqual(['openProposal', 'approveProposal']);
    const { ieo } = (await first.get(`/api/ieos/${grantee.id}`)).body;
    expect(ieo).toMatchObject({ status: 'SUSPENDED', ledger: { seq: entries[1]?.seq } });
  });

  test('suspend once under concurrent approvals of several equal proposals', async () => {
    const { grantee } = await newParties();
    const params = { ieoId: grantee.id, reason: 'Late.' };
    const opened = await Promise.all(INDEXES.map(() => firstClients.propose('suspendIEO', params)));
    expect(new Set(opened.map(({ body }) => body.proposal.proposal_id)).size).toBe(20);
    const answers = await twentyConcurrent((index, through) =>
      through.approve(opened[index]?.body.proposal.proposal_id, 2),
    );
    expect(tally(answers)).toEqual({ 200: 1, IEO_NOT_ACTIVE: 19 });
    await chain();
  });

  test('leave no entry about an institution after its own destruction', async () => {
    const { grantee } = await newParties();
    const answers = await twentyConcurrent((index, through) =>
      index === 5
        ? through.ieo(grantee, 'destroy', 'destroyIEO')
        : index % 2
          ? through.institute('certification', { ieoId: grantee.id, level: 'BASIC' }, 1)
          : through.propose('suspendIEO', { ieoId: grantee.id, reason: 'Late.' }),
    );
    expect(answers[5]?.status).toBe(200);
    for (const code of codes(answers)) expect([200, 'IEO_DESTROYED']).toContain(code);
    const entries = await chain();
    const at = entries.findIndex(({ id }) => id === answers[5]?.body.transactionId);
    const ids = new Set(answers.map(({ body }) => body.transactionId));
    expect(entries.slice(at + 1).filter(({ id }) => ids.has(id))).toEqual([]);
    const { ieo } = (await second.get(`/api/ieos/${grantee.id}`)).body;
    expect([ieo.status, ieo.certification.level]).toEqual(['DESTROYED', 'UNCERTIFIED']);
  });
});

describe('an operation takes account of those before it in the same batch:', () => {
  /** An unrelated request, which is committed alone before the batch. */
  const unrelated = () => firstClients.newHolder().then((holder) => () => firstClients.beo(holder, 'lock', 'lockBEO'));
  const revokeAll = (holder: Party) => () => firstClients.beo(holder, 'revoke-all', 'revokeAllTokens');
  const grant = (holder: Party, grantee: Party, scope: number) => () =>
    firstClients.grant(holder, grantee.id, scopeOf(scope));
  const destroy = (grantee: Party) => () => firstClients.ieo(grantee, 'destroy', 'destroyIEO');

  test('grants, revocations and the end of an institution', async () => {
    const { holder, grantee } = await newParties();
    const secondGrantee = await firstClients.newInstitution();
    const token = await firstClients.granted(holder, grantee.id, scopeOf(0));
    await firstClients.granted(holder, secondGrantee.id, scopeOf(0));
    const answers = await inOneBatch(
      await unrelated(),
      grant(holder, grantee, 0),
      grant(holder, grantee, 1),
      revokeAll(holder),
      grant(holder, grantee, 0),
      () => firstClients.revoke(holder, token.token_id),
      grant(holder, grantee, 2),
      destroy(grantee),
      grant(holder, grantee, 3),
      revokeAll(holder),
      grant(holder, secondGrantee, 0),
      () => firstClients.revokeIntent(holder, 'EXPORT_DATA'),
      () => firstClients.revokeFrom(holder, secondGrantee.domain),
      revokeAll(holder),
    );
    expect(outcomes(answers)).toEqual([
      200,
      'DUPLICATE_TOKEN',
      201,
      3,
      201,
      'TOKEN_ALREADY_REVOKED',
      201,
      200,
      'IEO_DESTROYED',
      0,
      201,
      0,
      1,
      0,
    ]);
    expect(await validOf(tokensOf(answers))).toEqual([]);
    await chain();
  });

  test('the first of several ends of a consent applies', async () => {
    const { holder, grantee } = await newParties();
    const [ended, revoked] = [grantee, await firstClients.newInstitution()];
    const tokens = [
      await firstClients.granted(holder, ended.id, scopeOf(0)),
      await firstClients.granted(holder, revoked.id, scopeOf(0)),
    ];
    const answers = await inOneBatch(await unrelated(), destroy(ended), revokeAll(holder), destroy(revoked));
    expect(outcomes(answers)).toEqual([200, 200, 1, 200]);
    const seqs = await Promise.all(tokens.map(async ({ token_id }) => (await verdict(token_id)).token.ledger.seq));
    expect(seqs).toEqual(answers.slice(1, 3).map(seqOf));
    await chain();
  });

  test('a refused duplicate of a grant is not counted', async () => {
    const { holder, grantee } = await newParties();
    const { token_id } = await firstClients.granted(holder, grantee.id, scopeOf(0));
    const repeatedGrant = grant(holder, grantee, 0);
    const answers = await inOneBatch(
      await unrelated(),
      repeatedGrant,
      revokeAll(holder),
      repeatedGrant,
      revokeAll(holder),
      repeatedGrant,
    );
    expect(outcomes(answers)).toEqual([200, 'DUPLICATE_TOKEN', 1, 201, 1, 201]);
    expect(await validOf([token_id, ...tokensOf(answers)])).toEqual(tokensOf(answers).slice(1));
    await chain();
  });

  test('requests signed with a rotated key', async () => {
    const { holder, grantee } = await newParties();
    const { token_id } = await firstClients.granted(holder, grantee.id, scopeOf(0));
    const newPublicKey = newPerson().publicKey;
    const answers = await inOneBatch(
      await unrelated(),
      grant(holder, grantee, 1),
      () => firstClients.beo(holder, 'rotate-key', 'rotateKey', { newPublicKey }),
      grant(holder, grantee, 2),
      revokeAll(holder),
      () => firstClients.revoke(holder, token_id),
      () => firstClients.ieo(grantee, 'rotate-key', 'rotateKey', { newPublicKey }),
      destroy(grantee),
    );
    const refused = 'INVALID_SIGNATURE';
    expect(outcomes(answers)).toEqual([200, 201, 200, refused, refused, refused, 200, refused]);
    expect((await verdict(token_id)).valid).toBe(true);
    await chain();
  });

  test('approvals by three of the institute’s keys', async () => {
    const { holder, grantee } = await newParties();
    const { token_id } = await firstClients.granted(holder, grantee.id, scopeOf(0));
    const opened = await firstClients.propose('revokeIEO', { ieoId: grantee.id, reason: 'Sold what it read.' });
    const approve = (key: number) => () => firstClients.approve(opened.body.proposal.proposal_id, key);
    const answers = await inOneBatch(
      await unrelated(),
      approve(1),
      approve(3),
      approve(2),
      approve(3),
      grant(holder, grantee, 1),
      revokeAll(holder),
      () => firstClients.revoke(holder, token_id),
      () => firstClients.ieo(grantee, 'lock', 'lockIEO'),
    );
    expect(outcomes(answers)).toEqual([
      200,
      'ALREADY_APPROVED',
      200,
      'REQUEST_CLOSED',
      'ALREADY_APPROVED',
      'IEO_NOT_ACTIVE',
      0,
      'TOKEN_ALREADY_REVOKED',
      'IEO_NOT_ACTIVE',
    ]);
    expect((await verdict(token_id)).token.ledger.seq).toBe(answers[2] && seqOf(answers[2]));
    await chain();
  });

  test('a lock of the holder, which prevents grants but not revocations', async () => {
    const { holder, grantee } = await newParties();
    await firstClients.granted(holder, grantee.id, scopeOf(0));
    const answers = await inOneBatch(
      await unrelated(),
      () => firstClients.beo(holder, 'lock', 'lockBEO'),
      grant(holder, grantee, 1),
      () => firstClients.revokeIntent(holder, 'READ_RECORDS'),
      () => firstClients.beo(holder, 'destroy', 'destroyBEO'),
      revokeAll(holder),
      grant(holder, grantee, 2),
    );
    expect(outcomes(answers)).toEqual([200, 200, 'BEO_LOCKED', 1, 200, 'BEO_DESTROYED', 'BEO_DESTROYED']);
    await chain();
  });
});

test('of concurrent creations of persons and institutions with one domain, exactly one succeeds', async () => {
  const domain = freshDomain();
  const answers = await twentyConcurrent((index, through) => {
    const person = newPerson();
    const { publicKey } = person;
    const requested = index % 3 ? domain : domain.toUpperCase();
    const [path, body] =
      index % 4 < 2
        ? ['/api/ieo', through.sign(person, 'createIEO', through.ieoFields(person, { domain: requested }))]
        : ['/api/relayer/beo', through.sign(person, 'createBEO', { domain: requested, publicKey, recovery: null })];
    return (index % 2 ? first : second).post(path, body);
  });
  expect(tally(answers)).toEqual({ 201: 1, DOMAIN_TAKEN: 19 });
  const winner = answers.find(({ status }) => status === 201)?.body;
  const beo = (await first.get(`/api/beos/domain/${domain}`)).body.beo?.beo_id;
  const ieo = (await second.get(`/api/ieos/domain/${domain}`)).body.ieo?.ieo_id;
  expect([beo, ieo]).toEqual([winner.beo_id, winner.ieo_id]);
  await chain();
});

test('the counters of institutions are correct after these tests', async () => {
  const listed = (await first.get('/api/ieos?limit=200')).body;
  expect(listed.count).toBe(listed.ieos.length);
  for (const status of ['ACTIVE', 'LOCKED', 'SUSPENDED', 'REVOKED', 'DESTROYED']) {
    const { count } = (await second.get(`/api/ieos?status=${status}&limit=1`)).body;
    expect([status, count]).toEqual([
      status,
      listed.ieos.filter((ieo: { status: string }) => ieo.status === status).length,
    ]);
  }
});

test('a cursor of one process is valid at the other', async () => {
  const page = (await first.get('/api/ieos?limit=2')).body;
  const nextPage = (await second.get(`/api/ieos?limit=2&cursor=${page.next_cursor}`)).body;
  const bothPages = (await second.get('/api/ieos?limit=4')).body;
  const ids = ({ ieos }: { ieos: { ieo_id: string }[] }) => ieos.map(({ ieo_id }) => ieo_id);
  expect([...ids(page), ...ids(nextPage)]).toEqual(ids(bothPages));
});
