import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { IeoStatus } from '../../protocol/entities/ieo.ts';
import { epochBeginning } from '../../protocol/ledger/epoch.ts';
import type { Draft } from '../../server/ledger/chain.ts';
import { newPerson } from '../../server/testing/test-service.ts';
import { type ForgedLedger, forgedLedger, found, kinds } from './test-forged-ledger.ts';

/** A holder, two institutions and a consent to the first of them, as entries 1 to 4. */
async function consentLedger() {
  const ledger = await forgedLedger();
  const { relayer, publish, audit } = ledger;
  const holder = relayer.create('anna.bsp');
  const lab = relayer.admit('lab.bsp');
  const clinic = relayer.admit('clinic.bsp', 'HOSPITAL');
  const items = [holder, lab, clinic].map(({ draft }) => relayer.write(draft));
  const { tokenId, draft } = relayer.grant(holder, lab.ieoId);
  items.push(relayer.write(draft));
  /** Writes more entries and audits the ledger. */
  async function appendAndAudit(...drafts: readonly Draft[]) {
    for (const next of drafts) items.push(relayer.write(next));
    await publish(items);
    return audit();
  }
  return { ...ledger, holder, lab, clinic, tokenId, items, appendAndAudit };
}

type SampleConsents = Awaited<ReturnType<typeof consentLedger>>;
const DAY_MS = 24 * 3_600_000;

type Audited = Awaited<ReturnType<ForgedLedger['audit']>>;

const revokeToken = ({ relayer, holder, tokenId }: SampleConsents, person = holder.person) =>
  relayer.sign(person, tokenId, 'revokeToken', { tokenId });

const statusOf = ({ replay }: Audited, { ieoId }: { ieoId: string }): IeoStatus | undefined =>
  replay.state.get('IEO', ieoId)?.status;

const numbersOf = ({ replay: { state } }: Audited) => ({
  live: [state.live.IEO.size, state.live.TOKEN.size, state.live.PROPOSAL.size],
  ended: [state.endedDigests.IEO.count, state.endedDigests.TOKEN.count, state.endedDigests.PROPOSAL.count],
});

describe('correct entries about consents', () => {
  test('are clean if an institution has a name that is rejected today', async () => {
    const { relayer, publish, audit } = await forgedLedger();
    const mixed = relayer.admit('lab.bsp', 'LAB', 'A Lаbоratory');
    await publish([relayer.write(mixed.draft)]);
    const result = await audit();
    expect(found(result)).toEqual([]);
    expect(result.replay.state.get('IEO', mixed.ieoId)?.displayName).toBe('A Lаbоratory');
  });

  test('are clean: granted, withdrawn, suspended and reinstated by two keys, certified', async () => {
    const scenario = await consentLedger();
    const { relayer, lab } = scenario;
    const suspend = relayer.propose('suspendIEO', lab.ieoId, 1);
    const reinstate = relayer.propose('reinstateIEO', lab.ieoId, 3);
    const result = await scenario.appendAndAudit(
      suspend.draft,
      suspend.approve(2),
      reinstate.draft,
      reinstate.approve(1),
      relayer.decide('updateCertification', lab.ieoId, { ieoId: 'lab.bsp', level: 'BASIC' }, 2),
      revokeToken(scenario),
      relayer.propose('revokeIEO', lab.ieoId, 1).draft,
    );
    expect(found(result)).toEqual([]);
    expect(result.network).toMatchObject({ entries: 11, verifiedSignatures: 5, institute: 6, relayerOnly: 0 });
    expect(statusOf(result, lab)).toBe('ACTIVE');
    expect(result.replay.state.get('IEO', lab.ieoId)?.certification.level).toBe('BASIC');
    expect(numbersOf(result)).toEqual({ live: [2, 0, 1], ended: [0, 1, 2] });
  });

  test('are clean if consents were granted before a rule forbade them', async () => {
    const scenario = await consentLedger();
    const { relayer, holder, lab, items } = scenario;
    const watch = relayer.admit('watch.bsp', 'WEARABLE');
    items.push(relayer.write(watch.draft));
    const terms = (intents: string[], more = {}) => ({
      scope: { intents, categories: ['BSP-CV'], ...more },
      expiresInDays: 30,
    });
    const grants = [
      [watch.ieoId, watch.ieoId, terms(['EXPORT_DATA'])],
      ['anna.bsp', holder.beoId, terms(['SUBMIT_RECORD'])],
      [lab.ieoId, lab.ieoId, terms(['READ_RECORDS'], { levels: ['DEVICE'] })],
    ] as const;
    for (const [ieoId, grantee, scope] of grants)
      items.push(relayer.write(relayer.grant(holder, ieoId, grantee, scope).draft));
    const result = await scenario.appendAndAudit();
    expect(found(result)).toEqual([]);
    expect(result.replay.state.live.TOKEN.size).toBe(4);
  });

  test('are clean if a holder grants to itself, or names an institution that has ended', async () => {
    const scenario = await consentLedger();
    const { relayer, holder, lab, items } = scenario;
    const self = relayer.grant(holder, 'anna.bsp', holder.beoId);
    items.push(relayer.write(self.draft));
    items.push(relayer.write(relayer.sign(lab.person, lab.ieoId, 'destroyIEO', { ieoId: 'LAB.bsp' })));
    const withdrawn = (['lab.bsp', items[1]?.id as string, lab.ieoId] as const).map((ieoId) => ({
      ...relayer.act(holder.person, holder.beoId, 'revokeAllFromIEO', { ieoId }),
      assigned: { grantee: lab.ieoId },
    }));
    const result = await scenario.appendAndAudit(...withdrawn);
    expect(found(result)).toEqual([]);
    expect(numbersOf(result)).toEqual({ live: [1, 1, 0], ended: [1, 1, 0] });
  });

  test('revoke all consents, or all with an intent', async () => {
    const scenario = await consentLedger();
    const { relayer, holder, clinic, items } = scenario;
    items.push(relayer.write(relayer.grant(holder, clinic.ieoId).draft));
    const other = { intent: 'EXPORT_DATA' };
    const before = await scenario.appendAndAudit(relayer.act(holder.person, holder.beoId, 'revokeByIntent', other));
    expect(numbersOf(before)).toEqual({ live: [2, 2, 0], ended: [0, 0, 0] });

    const next = await consentLedger();
    const { relayer: scribed, holder: holding } = next;
    const intent = { intent: 'READ_RECORDS' };
    const after = await next.appendAndAudit(
      scribed.act(holding.person, holding.beoId, 'revokeByIntent', intent),
      scribed.grant(holding, next.lab.ieoId).draft,
      scribed.act(holding.person, holding.beoId, 'revokeAllTokens'),
    );
    expect([...found(before), ...found(after)]).toEqual([]);
    expect(numbersOf(after)).toEqual({ live: [2, 0, 0], ended: [0, 2, 0] });
    expect(after.replay.state.lastEnded.TOKEN.map(({ revokedAt, seq }) => [revokedAt !== null, seq])).toEqual([
      [true, 5],
      [true, 7],
    ]);
  });

  test('end a consent with its holder and leave its row unchanged', async () => {
    const scenario = await consentLedger();
    const { relayer, holder, tokenId } = scenario;
    const result = await scenario.appendAndAudit(relayer.act(holder.person, holder.beoId, 'destroyBEO'));
    expect(found(result)).toEqual([]);
    expect(result.replay.state.lastEnded.TOKEN).toMatchObject([{ id: tokenId, revokedAt: null, seq: 4 }]);
  });

  test('keep only the digest of an expired proposal', async () => {
    const { relayer, publish, audit } = await forgedLedger();
    relayer.head.at -= 8 * DAY_MS;
    const { ieoId, draft } = relayer.admit('lab.bsp');
    const { draft: opening, approve } = relayer.propose('suspendIEO', ieoId, 1);
    const items = [relayer.write(draft), relayer.write(opening)];
    relayer.head.at += 7 * DAY_MS - 1_000;
    items.push(relayer.write(relayer.create('early.bsp').draft));
    await publish(items);
    const before = await audit(30 * DAY_MS);
    expect(found(before)).toEqual([]);
    expect(numbersOf(before)).toEqual({ live: [1, 0, 1], ended: [0, 0, 0] });

    relayer.head.at += 1_000;
    await publish([relayer.write(relayer.create('late.bsp').draft), relayer.write(approve(2))]);
    const after = await audit(30 * DAY_MS);
    expect(kinds(after)).toEqual(['TRANSITION']);
    expect(statusOf(after, { ieoId })).toBe('ACTIVE');
    expect(numbersOf(after)).toEqual({ live: [1, 0, 0], ended: [0, 0, 1] });
  });

  test('continue in a new epoch', async () => {
    const scenario = await consentLedger();
    const { relayer, items, lab, holder } = scenario;
    const { draft, approve } = relayer.propose('suspendIEO', lab.ieoId, 1);
    items.push(relayer.write(draft));
    relayer.head.at += 1_000;
    const beginning = { ...epochBeginning(2, 5) };
    const common = { function: 'beginEpoch', entity_id: relayer.ledgerId, signer: null, signature: null };
    items.push(relayer.write({ ...common, message: beginning }, { entry: { epoch: 2 } }));
    relayer.head.at += 1_000;
    const clinic = relayer.grant(holder, 'clinic.bsp', scenario.clinic.ieoId);
    const result = await scenario.appendAndAudit(approve(2), clinic.draft, revokeToken(scenario));
    expect(found(result)).toEqual([]);
    expect(statusOf(result, lab)).toBe('SUSPENDED');
    expect(numbersOf(result)).toEqual({ live: [2, 1, 0], ended: [0, 1, 1] });
  });
});

describe('a breach is reported if the relayer', () => {
  test('assigns a consent to another grantee than was signed', async () => {
    const scenario = await consentLedger();
    const { relayer, holder, lab, clinic } = scenario;
    const { draft } = relayer.grant(holder, 'lab.bsp', clinic.ieoId);
    const self = relayer.grant(holder, lab.ieoId, holder.beoId);
    expect(kinds(await scenario.appendAndAudit(draft, self.draft))).toEqual(['ENTITY', 'ENTITY']);
  });

  test('grants a consent for another holder', async () => {
    const scenario = await consentLedger();
    const { relayer, holder, lab, items } = scenario;
    const other = relayer.create('bert.bsp');
    items.push(relayer.write(other.draft));
    const { draft } = relayer.grant(holder, lab.ieoId);
    const assigned = { holder: other.beoId, grantee: lab.ieoId };
    expect(kinds(await scenario.appendAndAudit({ ...draft, assigned } as Draft))).toEqual(['ENTITY', 'WRONG_SIGNER']);
  });

  test('assigns a consent id that does not follow from the signature', async () => {
    const scenario = await consentLedger();
    const { relayer, holder, clinic } = scenario;
    const { draft } = relayer.grant(holder, clinic.ieoId);
    const result = await scenario.appendAndAudit({ ...draft, entity_id: `tok_${randomUUID()}` });
    expect(found(result)).toEqual([{ kind: 'ENTITY', seq: 5, id: scenario.items[4]?.id }]);
  });

  test('assigns more or less than the operation does', async () => {
    const scenario = await consentLedger();
    const { relayer, holder, clinic } = scenario;
    const { draft } = relayer.grant(holder, clinic.ieoId);
    const { assigned: _, ...withoutAssigned } = draft;
    const result = await scenario.appendAndAudit(
      withoutAssigned as Draft,
      { ...draft, assigned: { holder: holder.beoId, grantee: clinic.ieoId, friend: holder.beoId } } as Draft,
      { ...relayer.act(holder.person, holder.beoId, 'lockBEO'), assigned: {} },
    );
    expect(kinds(result)).toEqual(['ENTITY', 'ENTITY', 'NONCE', 'ENTITY']);
    expect(result.replay.state.live.TOKEN.size).toBe(2);
  });

  test('revokes a consent with the key of the institution or of a third party', async () => {
    const scenario = await consentLedger();
    const { lab } = scenario;
    const result = await scenario.appendAndAudit(revokeToken(scenario, lab.person));
    expect(found(result)).toEqual([{ kind: 'WRONG_SIGNER', seq: 5, id: scenario.items[4]?.id }]);
    const other = await consentLedger();
    expect(kinds(await other.appendAndAudit(revokeToken(other, newPerson())))).toEqual(['WRONG_SIGNER']);
  });

  test('revokes another consent than was signed', async () => {
    const scenario = await consentLedger();
    const { relayer, holder, clinic, items } = scenario;
    const other = relayer.grant(holder, clinic.ieoId);
    items.push(relayer.write(other.draft));
    const result = await scenario.appendAndAudit({ ...revokeToken(scenario), entity_id: other.tokenId });
    expect(kinds(result)).toEqual(['ENTITY']);
  });

  test('revokes a consent that was revoked or ended with its institution', async () => {
    const scenario = await consentLedger();
    const result = await scenario.appendAndAudit(revokeToken(scenario), revokeToken(scenario));
    expect(kinds(result)).toEqual(['TRANSITION']);
    const other = await consentLedger();
    const { lab, relayer } = other;
    const destruction = relayer.sign(lab.person, lab.ieoId, 'destroyIEO', { ieoId: lab.ieoId });
    expect(kinds(await other.appendAndAudit(destruction, revokeToken(other)))).toEqual(['TRANSITION']);
  });

  test('revokes all consents of an institution that does not exist', async () => {
    const scenario = await consentLedger();
    const { relayer, holder } = scenario;
    const ieoId = randomUUID();
    const withdrawal = relayer.act(holder.person, holder.beoId, 'revokeAllFromIEO', { ieoId });
    expect(kinds(await scenario.appendAndAudit({ ...withdrawal, assigned: { grantee: ieoId } }))).toEqual(['ENTITY']);
  });

  test('grants to a suspended institution, or assigns its domain again', async () => {
    const scenario = await consentLedger();
    const { relayer, holder, clinic, lab } = scenario;
    const { draft, approve } = relayer.propose('suspendIEO', clinic.ieoId, 1);
    const destruction = relayer.sign(lab.person, lab.ieoId, 'destroyIEO', { ieoId: lab.ieoId });
    const granted = relayer.grant(holder, clinic.ieoId).draft;
    const result = await scenario.appendAndAudit(
      draft,
      approve(3),
      granted,
      destruction,
      relayer.admit('lab.bsp').draft,
    );
    expect(kinds(result)).toEqual(['TRANSITION', 'TRANSITION']);
    expect(result.findings.examples(2).map(({ sentence }) => sentence)).toEqual([
      expect.stringContaining('IEO_NOT_ACTIVE'),
      expect.stringContaining('DOMAIN_TAKEN'),
    ]);
  });

  test('executes a decision with one key instead of two, or without a proposal', async () => {
    const scenario = await consentLedger();
    const { relayer, lab, clinic } = scenario;
    const { draft, approve } = relayer.propose('revokeIEO', lab.ieoId, 2);
    const unopened = relayer.propose('revokeIEO', clinic.ieoId, 1);
    const result = await scenario.appendAndAudit(draft, approve(2), unopened.approve(2));
    expect(kinds(result)).toEqual(['TRANSITION', 'TRANSITION']);
    expect([statusOf(result, lab), statusOf(result, clinic)]).toEqual(['ACTIVE', 'ACTIVE']);
  });

  test('executes a proposal twice, or reuses its id', async () => {
    const scenario = await consentLedger();
    const { relayer, lab } = scenario;
    const { proposalId, draft, approve } = relayer.propose('suspendIEO', lab.ieoId, 1);
    const again = relayer.propose('reinstateIEO', lab.ieoId, 1, proposalId);
    const result = await scenario.appendAndAudit(draft, approve(2), approve(3), again.draft);
    expect(kinds(result)).toEqual(['TRANSITION', 'TRANSITION']);
    expect(statusOf(result, lab)).toBe('SUSPENDED');
  });

  test('names an unknown institute key, or adds fields to a decision', async () => {
    const scenario = await consentLedger();
    const { relayer, lab } = scenario;
    const fields = { ieoId: lab.ieoId, level: 'BASIC' };
    const result = await scenario.appendAndAudit(
      relayer.decide('updateCertification', lab.ieoId, fields, 4),
      relayer.decide('updateCertification', lab.ieoId, fields, '1'),
      relayer.decide('updateCertification', lab.ieoId, { ...fields, nonce: 'n'.repeat(16) }, 1),
      relayer.propose('suspendIEO', lab.ieoId, 1, 'proposal 1').draft,
    );
    expect(kinds(result)).toEqual(['MESSAGE', 'MESSAGE', 'MESSAGE', 'ENTITY']);
    expect(result.network.institute).toBe(4);
    expect(result.replay.state.get('IEO', lab.ieoId)?.certification.level).toBe('UNCERTIFIED');
  });

  test('applies a decision to another institution than was proposed', async () => {
    const scenario = await consentLedger();
    const { relayer, lab, clinic } = scenario;
    const fields = { ieoId: 'lab.bsp', level: 'BASIC' };
    const { draft } = relayer.propose('suspendIEO', 'lab.bsp', 1);
    const result = await scenario.appendAndAudit(relayer.decide('updateCertification', clinic.ieoId, fields, 1), {
      ...draft,
      assigned: { institution: clinic.ieoId },
    });
    expect(kinds(result)).toEqual(['ENTITY', 'ENTITY']);
    expect(statusOf(result, lab)).toBe('ACTIVE');
  });

  test('adds a user signature to a decision of the institute, or omits it from a user’s operation', async () => {
    const scenario = await consentLedger();
    const { relayer, lab } = scenario;
    const certified = relayer.decide('updateCertification', lab.ieoId, { ieoId: lab.ieoId, level: 'BASIC' }, 1);
    const { signature } = relayer.sign(lab.person, lab.ieoId, 'lockIEO', { ieoId: lab.ieoId });
    const unsigned = { ...revokeToken(scenario), signer: null, signature: null } as Draft;
    const result = await scenario.appendAndAudit(
      { ...certified, signer: lab.person.publicKey, signature } as Draft,
      unsigned,
    );
    expect(kinds(result)).toEqual(['USER_SIGNATURE', 'USER_SIGNATURE']);
    expect(result.network).toMatchObject({ institute: 1, relayerOnly: 1 });
    expect(result.replay.state.live.TOKEN.size).toBe(1);
  });
});
