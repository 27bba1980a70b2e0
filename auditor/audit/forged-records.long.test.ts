import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../protocol/signing/canonical-json.ts';
import type { Draft } from '../../server/ledger/chain.ts';
import { newPerson, type Person } from '../../server/testing/test-service.ts';
import { type ForgedLedger, forgedLedger, found, kinds } from './test-forged-ledger.ts';

const DAY_MS = 24 * 3_600_000;
const GLUCOSE = { biomarker: 'BSP-GL-001', value: 92, unit: 'mg/dL', collected_at: '2026-01-30T08:15:00Z' };

type Facts = Record<string, Json>;

/** A holder, an institution and a consent to submit ten records, as entries 1 to 3. */
async function submitting({
  max_records = 10,
  intents = ['SUBMIT_RECORD'],
  expiresInDays = null as number | null,
} = {}) {
  const ledger = await forgedLedger();
  const { relayer, publish, audit } = ledger;
  const holder = relayer.create('anna.bsp');
  const lab = relayer.admit('lab.bsp');
  const items = [holder, lab].map(({ draft }) => relayer.write(draft));
  const scope = { intents, categories: ['*'], max_records };
  const consent = relayer.grant(holder, lab.ieoId, lab.ieoId, { scope, expiresInDays });
  items.push(relayer.write(consent.draft));
  const { tokenId } = consent;

  /** The entry of a submission by the lab. */
  function submission(count: number, changes: Facts = {}, person: Person = lab.person): Draft {
    const commitments = Array.from({ length: count }, () => randomBytes(32).toString('hex'));
    const { public: facts, ...draft } = relayer.seal(person, tokenId, 'submitRecords', {}) as Sealed;
    const { beoId: _, ...envelope } = facts;
    return {
      ...draft,
      public: { ...envelope, targetBeo: holder.beoId, consentToken: tokenId, commitments, ...changes },
    };
  }

  const write = (...drafts: readonly Draft[]): void => {
    for (const draft of drafts) items.push(relayer.write(draft));
  };
  /** Writes more entries and audits the ledger. */
  async function appendAndAudit(...drafts: readonly Draft[]) {
    write(...drafts);
    await publish(items);
    return audit(30 * DAY_MS);
  }
  const counted = ({ replay }: Audited): number | undefined => replay.state.live.TOKEN.get(tokenId)?.submitted;
  return { ...ledger, holder, lab, tokenId, items, submission, write, appendAndAudit, counted };
}

type Sealed = Extract<Draft, { sealed: unknown }>;
type Audited = Awaited<ReturnType<ForgedLedger['audit']>>;

const sentences = ({ findings }: Audited): string[] =>
  findings.examples(Number.POSITIVE_INFINITY).map(({ sentence }) => sentence);

describe('correct submissions', () => {
  test('are clean, each signed by the current key, and counted on their consent', async () => {
    const scenario = await submitting();
    const { relayer, lab, holder, tokenId, items } = scenario;
    const next = newPerson();
    const { ieoId } = lab;
    scenario.write(
      scenario.submission(4),
      scenario.submission(1, { targetBeo: 'Anna.bsp', consentToken: items[2]?.id ?? '' }),
      relayer.sign(lab.person, ieoId, 'rotateKey', { ieoId, newPublicKey: next.publicKey }),
      scenario.submission(
        4,
        { targetBeo: items[0]?.id ?? '', consentToken: tokenId.toUpperCase().replace('TOK', 'tok') },
        next,
      ),
    );
    const result = await scenario.appendAndAudit(scenario.submission(1, { ciphertexts: ['YQ=='] }, next));
    expect(found(result)).toEqual([]);
    expect(result.network).toMatchObject({ entries: 8, sealed: 4, verifiedSignatures: 4 });
    expect(scenario.counted(result)).toBe(10);
    expect(result.replay.state.live.BEO.has(holder.beoId)).toBe(true);
  });

  test('stay counted on a revoked consent, and continue in a new epoch', async () => {
    const scenario = await submitting();
    const { relayer, tokenId, holder, submission } = scenario;
    scenario.write(submission(9));
    relayer.head.at += 1_000;
    const message = { function: 'beginEpoch', epoch: 2, last: 4 };
    const common = { function: 'beginEpoch', entity_id: relayer.ledgerId, signer: null, signature: null };
    scenario.items.push(relayer.write({ ...common, message }, { entry: { epoch: 2 } }));
    relayer.head.at += 1_000;
    const result = await scenario.appendAndAudit(
      submission(2),
      submission(1),
      relayer.sign(holder.person, tokenId, 'revokeToken', { tokenId }),
    );
    expect(kinds(result)).toEqual(['TRANSITION']);
    expect(result.replay.state.lastEnded.TOKEN.map(({ submitted }) => submitted)).toEqual([10]);
  });
});

describe('a breach is reported if the relayer', () => {
  test('accepts more records than a consent allows, in one batch or in several', async () => {
    const scenario = await submitting();
    const result = await scenario.appendAndAudit(
      scenario.submission(11),
      scenario.submission(6),
      scenario.submission(5),
      scenario.submission(4),
    );
    expect(found(result)).toEqual([
      { kind: 'TRANSITION', seq: 4, id: scenario.items[3]?.id },
      { kind: 'TRANSITION', seq: 6, id: scenario.items[5]?.id },
    ]);
    for (const sentence of sentences(result)) expect(sentence).toContain('RECORD_LIMIT_REACHED');
    expect(scenario.counted(result)).toBe(10);
  });

  test('accepts a submission under a revoked or expired consent', async () => {
    const scenario = await submitting();
    const { relayer, holder, tokenId } = scenario;
    const result = await scenario.appendAndAudit(
      relayer.sign(holder.person, tokenId, 'revokeToken', { tokenId }),
      scenario.submission(1),
    );
    expect(found(result)).toEqual([{ kind: 'TRANSITION', seq: 5, id: scenario.items[4]?.id }]);

    const expired = await submitting({ expiresInDays: 1 });
    expired.relayer.head.at += DAY_MS;
    const late = await expired.appendAndAudit(expired.submission(1));
    expect(kinds(late)).toContain('TRANSITION');
    expect(sentences(late).join()).toContain('TOKEN_EXPIRED');
  });

  test('accepts a consent with another intent, or one that does not exist', async () => {
    const scenario = await submitting({ intents: ['READ_RECORDS', 'EXPORT_DATA'] });
    const unknown = { ...scenario.submission(1), entity_id: `${scenario.tokenId.slice(0, -4)}0000` } as Draft;
    const result = await scenario.appendAndAudit(scenario.submission(1), unknown);
    expect(kinds(result)).toEqual(['TRANSITION', 'TRANSITION']);
    expect(sentences(result)[0]).toContain('INTENT_NOT_AUTHORIZED');
  });

  test('assigns the records to another person', async () => {
    const scenario = await submitting();
    const bert = scenario.relayer.create('bert.bsp');
    scenario.write(bert.draft);
    const result = await scenario.appendAndAudit(
      ...[bert.beoId, 'bert.bsp', 'unknown.bsp'].map((targetBeo) => scenario.submission(1, { targetBeo })),
    );
    expect(kinds(result)).toEqual(['ENTITY', 'ENTITY', 'ENTITY']);
    expect(sentences(result)[1]).toBe(`The signed targetBeo bert.bsp did not refer to ${scenario.holder.beoId}.`);
  });

  test('counts records on another consent than the institution named', async () => {
    const scenario = await submitting();
    const { relayer, holder, lab } = scenario;
    const scope = { intents: ['SUBMIT_RECORD'], categories: ['BSP-GL'] };
    const other = relayer.grant(holder, lab.ieoId, lab.ieoId, { scope, expiresInDays: null });
    scenario.write(other.draft);
    const result = await scenario.appendAndAudit({ ...scenario.submission(1), entity_id: other.tokenId } as Draft);
    expect(kinds(result)).toEqual(['ENTITY']);
  });

  test.each([
    ['suspended', 'suspendIEO'],
    ['revoked', 'revokeIEO'],
  ])('accepts a submission by a %s institution', async (_, action) => {
    const scenario = await submitting();
    const { draft, approve } = scenario.relayer.propose(action, scenario.lab.ieoId, 1);
    const result = await scenario.appendAndAudit(draft, approve(2), scenario.submission(1));
    expect(found(result)).toEqual([{ kind: 'TRANSITION', seq: 6, id: scenario.items[5]?.id }]);
  });

  test('accepts a submission by or to an entity that is locked or destroyed', async () => {
    const scenario = await submitting();
    const { relayer, lab, holder } = scenario;
    const { ieoId } = lab;
    const result = await scenario.appendAndAudit(
      relayer.sign(lab.person, ieoId, 'lockIEO', { ieoId }),
      scenario.submission(1),
      relayer.sign(lab.person, ieoId, 'unlockIEO', { ieoId }),
      relayer.act(holder.person, holder.beoId, 'lockBEO'),
      scenario.submission(1),
      relayer.sign(lab.person, ieoId, 'destroyIEO', { ieoId }),
      scenario.submission(1),
    );
    expect(kinds(result)).toEqual(['TRANSITION', 'TRANSITION', 'TRANSITION']);
    const other = await submitting();
    const { person, beoId } = other.holder;
    expect(
      kinds(await other.appendAndAudit(other.relayer.act(person, beoId, 'destroyBEO'), other.submission(1))),
    ).toEqual(['TRANSITION']);
  });

  test('accepts the key of a third party, of the holder, or a replaced key of the institution', async () => {
    const scenario = await submitting();
    const { relayer, lab, holder } = scenario;
    const { ieoId } = lab;
    const result = await scenario.appendAndAudit(
      scenario.submission(1, {}, newPerson()),
      scenario.submission(1, {}, holder.person),
      { ...scenario.submission(1), signer: null } as Draft,
      relayer.sign(lab.person, ieoId, 'rotateKey', { ieoId, newPublicKey: newPerson().publicKey }),
      scenario.submission(1),
    );
    expect(kinds(result)).toEqual(['WRONG_SIGNER', 'WRONG_SIGNER', 'WRONG_SIGNER', 'WRONG_SIGNER']);
  });

  test('accepts a submission of a holder to itself', async () => {
    const scenario = await submitting();
    const { relayer, holder } = scenario;
    const scope = { intents: ['SUBMIT_RECORD'], categories: ['*'] };
    const self = relayer.grant(holder, 'anna.bsp', holder.beoId, { scope, expiresInDays: null });
    scenario.write(self.draft);
    const forged = {
      ...scenario.submission(1, { consentToken: self.tokenId }, holder.person),
      entity_id: self.tokenId,
    };
    const result = await scenario.appendAndAudit(forged as Draft);
    expect(kinds(result)).toEqual(['TRANSITION']);
    expect(sentences(result)[0]).toContain('INTENT_NOT_ALLOWED_FOR_TYPE');
  });

  test('writes records in plain text, or omits some of them', async () => {
    const scenario = await submitting();
    const { relayer, lab, holder, tokenId } = scenario;
    const fields = { targetBeo: holder.beoId, consentToken: tokenId };
    const open = (what: Facts) => relayer.sign(lab.person, tokenId, 'submitRecords', { ...fields, ...what });
    const result = await scenario.appendAndAudit(
      open({ records: [GLUCOSE] }),
      open({ recordCount: 1 }),
      open({ records: [] }),
    );
    expect(kinds(result)).toEqual(['MESSAGE', 'MESSAGE', 'MESSAGE']);
    expect(sentences(result)[0]).toContain('should have been sealed');
    expect(scenario.counted(result)).toBe(1);
  });

  test('publishes impossible facts about a batch', async () => {
    const scenario = await submitting({ max_records: 1_000 });
    const many = Array.from({ length: 101 }, () => 'ab'.repeat(32));
    const forged: readonly Facts[] = [
      { commitments: [] },
      { commitments: many },
      { commitments: ['AB'.repeat(32)] },
      { commitments: 1 },
      { records: [GLUCOSE] },
      { recordCount: 2 },
      { ciphertexts: ['YQ=='] },
      { ciphertexts: ['YQ==', 'Yg==', 'Yw=='] },
      { ciphertexts: [] },
      { ciphertexts: ['YQ==', 'Fasting glucose: 92 mg/dL'] },
      { timestamp: 'yesterday' },
      { targetBeo: 7 },
    ];
    const result = await scenario.appendAndAudit(...forged.map((changes) => scenario.submission(2, changes)));
    expect(kinds(result)).toEqual(forged.map(() => 'MESSAGE'));
    expect(scenario.counted(result)).toBe(0);
  });

  test('accepts a timestamp that is too old or in the future', async () => {
    const scenario = await submitting();
    const signedAt = (seconds: number) => ({
      timestamp: new Date(scenario.relayer.head.at + 1000 * seconds).toISOString(),
    });
    const result = await scenario.appendAndAudit(
      scenario.submission(1, signedAt(-301)),
      scenario.submission(1, signedAt(31)),
    );
    expect(kinds(result)).toEqual(['TIMESTAMP', 'TIMESTAMP']);
  });

  test('assigns a value that the operation does not have', async () => {
    const scenario = await submitting();
    const { beoId } = scenario.holder;
    const result = await scenario.appendAndAudit({ ...scenario.submission(1), assigned: { holder: beoId } } as Draft);
    expect(kinds(result)).toEqual(['ENTITY']);
  });
});
