import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CATEGORIES } from '../../protocol/records/taxonomy.ts';
import { openReceipt, wholeChain } from '../ledger/test-chain.ts';
import { type Answer, freshDomain, newPerson, startTestService, type TestService } from '../test-service.ts';
import { type Parties, type Party, partiesOf, READING } from './test-parties.ts';
import { submitAsOneBatch, tally } from './test-races.ts';

/** Two processes' worth of service on one database, one network and one set of keys. */
let one: TestService;
let two: TestService;
let throughOne: Parties;
let throughTwo: Parties;
beforeAll(async () => {
  one = await startTestService();
  const shared = { DATA_DIR: one.dataDir, GATEWAY_URL: one.gatewayUrl };
  two = { ...(await startTestService(shared, { databaseUrl: one.databaseUrl })), instituteKeys: one.instituteKeys };
  [throughOne, throughTwo] = [partiesOf(one), partiesOf(two)];
});
afterAll(async () => {
  await two.stop();
  await one.stop();
});

const TWENTY = Array.from({ length: 20 }, (_, index) => index);
const atOnce = (ask: (index: number, through: Parties) => Promise<Answer>) =>
  Promise.all(TWENTY.map((index) => ask(index, index % 2 ? throughOne : throughTwo)));
const chain = () => wholeChain(one.service.context.pool);
const codes = (answers: readonly Answer[]) => answers.map(({ status, body }) => body.code ?? status);

/** Twenty scopes, no two the same. */
const scopeOf = (index: number) => ({ intents: ['READ_RECORDS'], categories: [CATEGORIES[index] ?? ''] });

/** Sends to the first process, in this order. */
const together = (...asks: (() => Promise<Answer>)[]) => submitAsOneBatch(one, asks);

/** Codes, how many were withdrawn, or the status. */
const outcomes = (answers: readonly Answer[]) =>
  answers.map(({ status, body }) => body.code ?? body.revoked_count ?? status);

const seqOf = ({ body }: Answer): number => openReceipt(body.receipt).entry.seq;

const both = async () => {
  const [holder, grantee] = await Promise.all([throughOne.newHolder(), throughTwo.newInstitution()]);
  return { holder, grantee };
};

const tokensOf = (answers: readonly Answer[]): string[] =>
  answers.flatMap(({ body }): string[] => (body.token ? [body.token.token_id] : []));

/** The verdict on a token, which must be the same in both processes. */
async function verdict(tokenId: string) {
  const [said, confirmed] = [await throughOne.verdict(tokenId), await throughTwo.verdict(tokenId)];
  expect([confirmed.valid, confirmed.reason]).toEqual([said.valid, said.reason]);
  return said;
}

const validOf = async (tokenIds: readonly string[]): Promise<string[]> => {
  const verdicts = await Promise.all(tokenIds.map(verdict));
  return tokenIds.filter((_, index) => verdicts[index].valid);
};

describe('of twenty at once', () => {
  test('grants of one consent exactly one is given', async () => {
    const { holder, grantee } = await both();
    const answers = await atOnce((index, through) =>
      through.grant(holder, [grantee.id, grantee.domain, grantee.transactionId][index % 3] ?? '', READING),
    );
    expect(tally(answers)).toEqual({ 201: 1, DUPLICATE_TOKEN: 19 });
    const [token_id] = tokensOf(answers);
    for (const { status, body } of answers) if (status !== 201) expect(body.details).toEqual({ token_id });
    expect((await two.get(`/api/consent/history/${holder.id}`)).body.count).toBe(1);
    await chain();
  });

  test('withdrawals of one consent exactly one withdraws it', async () => {
    const { holder, grantee } = await both();
    const { token_id, arweave_tx } = await throughOne.granted(holder, grantee.id);
    const answers = await atOnce((index, through) => through.revoke(holder, index % 3 ? token_id : arweave_tx));
    expect(tally(answers)).toEqual({ 200: 1, TOKEN_ALREADY_REVOKED: 19 });
    const revoked_at = answers.find(({ status }) => status === 200)?.body.revoked_at;
    for (const { status, body } of answers) if (status !== 200) expect(body.details).toEqual({ revoked_at });
    expect((await verdict(token_id)).token.revoked_at).toBe(revoked_at);
    await chain();
  });

  test('withdrawals of every sort each consent is counted once', async () => {
    const { holder, grantee } = await both();
    const tokens: string[] = [];
    for (const index of [0, 1, 2, 3, 4]) {
      tokens.push((await throughOne.granted(holder, grantee.id, scopeOf(index))).token_id);
    }
    const answers = await atOnce((index, through) => {
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
    const counted = answers.map(({ status, body }) => body.revoked_count ?? (status === 200 ? 1 : 0));
    expect(counted.reduce((sum, count) => sum + count, 0)).toBe(5);
    for (const code of codes(answers)) expect([200, 'TOKEN_ALREADY_REVOKED']).toContain(code);
    expect(await validOf(tokens)).toEqual([]);
    await chain();
  });

  test('grants and withdrawals of the same consent in turn never two of it are live', async () => {
    const { holder, grantee } = await both();
    const answers = await atOnce((index, through) =>
      index % 2
        ? through.grant(holder, grantee.id)
        : index % 4
          ? through.revokeFrom(holder, grantee.id)
          : through.beo(holder, 'revoke-all', 'revokeAllTokens'),
    );
    for (const code of codes(answers)) expect([200, 201, 'DUPLICATE_TOKEN']).toContain(code);
    const granted = tokensOf(answers);
    const withdrawn = answers.reduce((sum, { body }) => sum + (body.revoked_count ?? 0), 0);
    expect(await validOf(granted)).toHaveLength(granted.length - withdrawn);
    const about = new Set([holder.id, ...granted]);
    let live = 0;
    for (const entry of (await chain()).filter(({ entity_id }) => about.has(entity_id))) {
      if (entry.function === 'createBEO') continue;
      const { revoked_count = null } = answers.find(({ body }) => body.transactionId === entry.id)?.body ?? {};
      expect(live).toBe(entry.function === 'grantConsent' ? 0 : revoked_count);
      live = entry.function === 'grantConsent' ? 1 : 0;
    }
  });
});

describe('grants among withdrawals of all', () => {
  test('each withdrawal ends what stands before it in the ledger, and counts it', async () => {
    const { holder, grantee } = await both();
    const answers = await atOnce((index, through) =>
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
    const last = await throughTwo.beo(holder, 'revoke-all', 'revokeAllTokens');
    expect(last.body.revoked_count).toBe(live.length);
  });
});

describe('grants among which a party comes to its end', () => {
  /** About eleven grants and one end, and the invariants for every order. */
  async function expectAllEnded(
    { holder, grantee }: { holder: Party; grantee: Party },
    end: (through: Parties) => Promise<Answer>,
    tooLate: string,
  ) {
    const early = await throughTwo.granted(holder, grantee.id, scopeOf(20));
    const answers = await atOnce((index, through) =>
      index === 7 ? end(through) : through.grant(holder, grantee.id, scopeOf(index)),
    );
    const ended = answers[7];
    expect(ended?.status, JSON.stringify(ended?.body)).toBe(200);
    for (const [index, code] of codes(answers).entries()) if (index !== 7) expect([201, tooLate]).toContain(code);
    const tokens = [early.token_id, ...tokensOf(answers)];
    expect(await validOf(tokens)).toEqual([]);
    for (const id of tokens)
      expect(await verdict(id)).toMatchObject({ reason: 'TOKEN_REVOKED', token: { revoked: true } });
    const history = (await two.get(`/api/consent/history/${holder.id}?limit=200`)).body;
    expect(history.tokens.map(({ token_id }: { token_id: string }) => token_id).sort()).toEqual(tokens.sort());
    for (const { status } of history.tokens) expect(status).toBe('REVOKED');

    const entries = await chain();
    const at = entries.findIndex(({ id }) => id === ended?.body.transactionId);
    const behind = entries.slice(at + 1).filter(({ entity_id }) => tokens.includes(entity_id));
    expect(behind).toEqual([]);
    expect(codes([await throughOne.grant(holder, grantee.id, scopeOf(21))])).toEqual([tooLate]);
  }

  test('none is left of an institution that destroys itself', async () => {
    const parties = await both();
    await expectAllEnded(parties, (through) => through.ieo(parties.grantee, 'destroy', 'destroyIEO'), 'IEO_DESTROYED');
  });

  test('none is left of an institution that is revoked', async () => {
    const parties = await both();
    const opened = await throughOne.propose('revokeIEO', { ieoId: parties.grantee.id, reason: 'Sold what it read.' });
    const { proposal_id } = opened.body.proposal;
    await expectAllEnded(parties, (through) => through.approve(proposal_id, 2), 'IEO_NOT_ACTIVE');
  });

  test('none is left of a holder who is destroyed', async () => {
    const parties = await both();
    await expectAllEnded(parties, (through) => through.beo(parties.holder, 'destroy', 'destroyBEO'), 'BEO_DESTROYED');
  });

  test('none is given behind a lock or a suspension either', async () => {
    const { holder, grantee } = await both();
    const opened = await throughOne.propose('suspendIEO', { ieoId: grantee.id, reason: 'Late.' });
    const answers = await atOnce((index, through) => {
      if (index === 8) return through.approve(opened.body.proposal.proposal_id, 2);
      if (index === 15) return through.beo(holder, 'lock', 'lockBEO');
      return through.grant(holder, grantee.id, scopeOf(index));
    });
    for (const code of codes(answers)) expect([200, 201, 'IEO_NOT_ACTIVE', 'BEO_LOCKED']).toContain(code);
    const entries = await chain();
    const ends = [8, 15].map((index) => entries.findIndex(({ id }) => id === answers[index]?.body.transactionId));
    const behind = entries.slice(Math.min(...ends) + 1).filter(({ function: name }) => name === 'grantConsent');
    expect(behind).toEqual([]);
    expect(await validOf(tokensOf(answers))).toEqual([]);
  });

  test('a withdrawal and the end of the institution do not count the same consent twice', async () => {
    const { holder, grantee } = await both();
    for (const index of [0, 1, 2]) await throughOne.granted(holder, grantee.id, scopeOf(index));
    const answers = await atOnce((index, through) =>
      index === 9
        ? through.ieo(grantee, 'destroy', 'destroyIEO')
        : through.beo(holder, 'revoke-all', 'revokeAllTokens'),
    );
    expect(tally(answers)).toEqual({ 200: 20 });
    const entries = await chain();
    const place = ({ body }: Answer) => entries.findIndex(({ id }) => id === body.transactionId);
    const end = answers[9] ? place(answers[9]) : -1;
    const counts = answers.map((answer) => ({ before: place(answer) < end, count: answer.body.revoked_count ?? 0 }));
    const some = counts.some(({ before }) => before);
    expect(counts.reduce((sum, { count }) => sum + count, 0)).toBe(some ? 3 : 0);
    for (const { before, count } of counts) if (!before) expect(count).toBe(0);
  });
});

describe('two of three keys', () => {
  test('that approve at once, again and again, decide once', async () => {
    const { grantee } = await both();
    const opened = await throughTwo.propose('suspendIEO', { ieoId: grantee.id, reason: 'Late.' });
    const { proposal_id } = opened.body.proposal;
    const answers = await atOnce((index, through) => through.approve(proposal_id, index % 3 ? 2 : 3));
    const won = answers.filter(({ status }) => status === 200);
    expect(won.map(({ body }) => body.executed)).toEqual([true]);
    const winner = won[0]?.body.proposal.approvals[1].approver;
    for (const [index, code] of codes(answers).entries()) {
      if (code !== 200) expect(code).toBe((index % 3 ? 2 : 3) === winner ? 'ALREADY_APPROVED' : 'REQUEST_CLOSED');
    }
    const about = (await chain()).filter(({ entity_id }) => entity_id === proposal_id);
    expect(about.map((entry) => entry.function)).toEqual(['openProposal', 'approveProposal']);
    const { ieo } = (await one.get(`/api/ieos/${grantee.id}`)).body;
    expect(ieo).toMatchObject({ status: 'SUSPENDED', ledger: { seq: about[1]?.seq } });
  });

  test('that decide the same in several proposals at once suspend once', async () => {
    const { grantee } = await both();
    const params = { ieoId: grantee.id, reason: 'Late.' };
    const opened = await Promise.all(TWENTY.map(() => throughOne.propose('suspendIEO', params)));
    expect(new Set(opened.map(({ body }) => body.proposal.proposal_id)).size).toBe(20);
    const answers = await atOnce((index, through) => through.approve(opened[index]?.body.proposal.proposal_id, 2));
    expect(tally(answers)).toEqual({ 200: 1, IEO_NOT_ACTIVE: 19 });
    await chain();
  });

  test('of which one opens while the institution destroys itself leave nothing behind its end', async () => {
    const { grantee } = await both();
    const answers = await atOnce((index, through) =>
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
    const mine = new Set(answers.map(({ body }) => body.transactionId));
    expect(entries.slice(at + 1).filter(({ id }) => mine.has(id))).toEqual([]);
    const { ieo } = (await two.get(`/api/ieos/${grantee.id}`)).body;
    expect([ieo.status, ieo.certification.level]).toEqual(['DESTROYED', 'UNCERTIFIED']);
  });
});

describe('in one transaction each operation sees what those before it did:', () => {
  const first = () => throughOne.newHolder().then((holder) => () => throughOne.beo(holder, 'lock', 'lockBEO'));
  const revokeAll = (holder: Party) => () => throughOne.beo(holder, 'revoke-all', 'revokeAllTokens');
  const grant = (holder: Party, grantee: Party, scope: number) => () =>
    throughOne.grant(holder, grantee.id, scopeOf(scope));
  const destroy = (grantee: Party) => () => throughOne.ieo(grantee, 'destroy', 'destroyIEO');

  test('grants, withdrawals and an end', async () => {
    const { holder, grantee } = await both();
    const other = await throughOne.newInstitution();
    const token = await throughOne.granted(holder, grantee.id, scopeOf(0));
    await throughOne.granted(holder, other.id, scopeOf(0));
    const answers = await together(
      await first(),
      grant(holder, grantee, 0),
      grant(holder, grantee, 1),
      revokeAll(holder),
      grant(holder, grantee, 0),
      () => throughOne.revoke(holder, token.token_id),
      grant(holder, grantee, 2),
      destroy(grantee),
      grant(holder, grantee, 3),
      revokeAll(holder),
      grant(holder, other, 0),
      () => throughOne.revokeIntent(holder, 'EXPORT_DATA'),
      () => throughOne.revokeFrom(holder, other.domain),
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

  test('a consent ends with whatever came first', async () => {
    const { holder, grantee } = await both();
    const [ended, withdrawn] = [grantee, await throughOne.newInstitution()];
    const tokens = [
      await throughOne.granted(holder, ended.id, scopeOf(0)),
      await throughOne.granted(holder, withdrawn.id, scopeOf(0)),
    ];
    const answers = await together(await first(), destroy(ended), revokeAll(holder), destroy(withdrawn));
    expect(outcomes(answers)).toEqual([200, 200, 1, 200]);
    const seqs = await Promise.all(tokens.map(async ({ token_id }) => (await verdict(token_id)).token.ledger.seq));
    expect(seqs).toEqual(answers.slice(1, 3).map(seqOf));
    await chain();
  });

  test('a consent that was not given again is counted once', async () => {
    const { holder, grantee } = await both();
    const { token_id } = await throughOne.granted(holder, grantee.id, scopeOf(0));
    const again = grant(holder, grantee, 0);
    const answers = await together(await first(), again, revokeAll(holder), again, revokeAll(holder), again);
    expect(outcomes(answers)).toEqual([200, 'DUPLICATE_TOKEN', 1, 201, 1, 201]);
    expect(await validOf([token_id, ...tokensOf(answers)])).toEqual(tokensOf(answers).slice(1));
    await chain();
  });

  test('what an old key signed is refused behind its rotation', async () => {
    const { holder, grantee } = await both();
    const { token_id } = await throughOne.granted(holder, grantee.id, scopeOf(0));
    const newPublicKey = newPerson().publicKey;
    const answers = await together(
      await first(),
      grant(holder, grantee, 1),
      () => throughOne.beo(holder, 'rotate-key', 'rotateKey', { newPublicKey }),
      grant(holder, grantee, 2),
      revokeAll(holder),
      () => throughOne.revoke(holder, token_id),
      () => throughOne.ieo(grantee, 'rotate-key', 'rotateKey', { newPublicKey }),
      destroy(grantee),
    );
    const refused = 'INVALID_SIGNATURE';
    expect(outcomes(answers)).toEqual([200, 201, 200, refused, refused, refused, 200, refused]);
    expect((await verdict(token_id)).valid).toBe(true);
    await chain();
  });

  test('the institute’s two keys decide before a third', async () => {
    const { holder, grantee } = await both();
    const { token_id } = await throughOne.granted(holder, grantee.id, scopeOf(0));
    const opened = await throughOne.propose('revokeIEO', { ieoId: grantee.id, reason: 'Sold what it read.' });
    const approve = (key: number) => () => throughOne.approve(opened.body.proposal.proposal_id, key);
    const answers = await together(
      await first(),
      approve(1),
      approve(3),
      approve(2),
      approve(3),
      grant(holder, grantee, 1),
      revokeAll(holder),
      () => throughOne.revoke(holder, token_id),
      () => throughOne.ieo(grantee, 'lock', 'lockIEO'),
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

  test('a lock of the holder stops grants and not withdrawals', async () => {
    const { holder, grantee } = await both();
    await throughOne.granted(holder, grantee.id, scopeOf(0));
    const answers = await together(
      await first(),
      () => throughOne.beo(holder, 'lock', 'lockBEO'),
      grant(holder, grantee, 1),
      () => throughOne.revokeIntent(holder, 'READ_RECORDS'),
      () => throughOne.beo(holder, 'destroy', 'destroyBEO'),
      revokeAll(holder),
      grant(holder, grantee, 2),
    );
    expect(outcomes(answers)).toEqual([200, 200, 'BEO_LOCKED', 1, 200, 'BEO_DESTROYED', 'BEO_DESTROYED']);
    await chain();
  });
});

test('people and institutions who want one domain at once: one of them gets it, and it is theirs alone', async () => {
  const domain = freshDomain();
  const answers = await atOnce((index, through) => {
    const person = newPerson();
    const { publicKey } = person;
    const wanted = index % 3 ? domain : domain.toUpperCase();
    const [path, body] =
      index % 4 < 2
        ? ['/api/ieo', through.sign(person, 'createIEO', through.ieoFields(person, { domain: wanted }))]
        : ['/api/relayer/beo', through.sign(person, 'createBEO', { domain: wanted, publicKey, recovery: null })];
    return (index % 2 ? one : two).post(path, body);
  });
  expect(tally(answers)).toEqual({ 201: 1, DOMAIN_TAKEN: 19 });
  const winner = answers.find(({ status }) => status === 201)?.body;
  const beo = (await one.get(`/api/beos/domain/${domain}`)).body.beo?.beo_id;
  const ieo = (await two.get(`/api/ieos/domain/${domain}`)).body.ieo?.ieo_id;
  expect([beo, ieo]).toEqual([winner.beo_id, winner.ieo_id]);
  await chain();
});

test('the counters of institutions are right after all of it', async () => {
  const listed = (await one.get('/api/ieos?limit=200')).body;
  expect(listed.count).toBe(listed.ieos.length);
  for (const status of ['ACTIVE', 'LOCKED', 'SUSPENDED', 'REVOKED', 'DESTROYED']) {
    const { count } = (await two.get(`/api/ieos?status=${status}&limit=1`)).body;
    expect([status, count]).toEqual([
      status,
      listed.ieos.filter((ieo: { status: string }) => ieo.status === status).length,
    ]);
  }
});

test('a page begun at one process goes on at the other', async () => {
  const first = (await one.get('/api/ieos?limit=2')).body;
  const second = (await two.get(`/api/ieos?limit=2&cursor=${first.next_cursor}`)).body;
  const both = (await two.get('/api/ieos?limit=4')).body;
  const ids = ({ ieos }: { ieos: { ieo_id: string }[] }) => ieos.map(({ ieo_id }) => ieo_id);
  expect([...ids(first), ...ids(second)]).toEqual(ids(both));
});
