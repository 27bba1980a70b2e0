import { describe, expect, test } from 'vitest';
import { createGuardians } from './test-guardians.ts';
import { createConsents, grant, newInstitution, submit } from './test-institutions.ts';
import { act, createIdentities, type Holder, newHolder, query, testOperator } from './test-operator.ts';
import { verify } from './verify.ts';

/** A deployment of which all entries are on the network. */
async function operatorWithIdentities(count: number) {
  const operator = await testOperator();
  const databaseUrl = await operator.database();
  const service = await operator.serve(databaseUrl);
  const holders = await createIdentities(service, count);
  await operator.settle(databaseUrl);
  const verified = () => operator.run((parts) => verify({}, parts), databaseUrl);
  return { operator, databaseUrl, service, holders, verified };
}

describe('the verification of a deployment', () => {
  test('detects each identity that was changed in the database', async () => {
    const { databaseUrl, service, holders, verified } = await operatorWithIdentities(30);
    await service.stop();
    const [changed, deleted, renamed] = holders.map(({ beoId }) => beoId);
    await query(databaseUrl, "UPDATE beos SET public_key = repeat('ab', 32) WHERE id = $1", [changed]);
    await query(databaseUrl, 'DELETE FROM beos WHERE id = $1', [deleted]);
    await query(databaseUrl, 'UPDATE names SET holder_id = $1 WHERE holder_id = $2', [changed, renamed]);
    await query(
      databaseUrl,
      "UPDATE beos SET key_version = 9 WHERE id = (SELECT id FROM beos WHERE status = 'DESTROYED' LIMIT 1)",
    );
    await query(databaseUrl, "UPDATE ledger_entries SET item = item || '\\x00' WHERE seq = 2");
    await query(
      databaseUrl,
      `INSERT INTO beos SELECT gen_random_uuid(), 'ghost.bsp', public_key, 1, 'ACTIVE', created_at, updated_at, NULL, recovery,
         transaction_id, seq FROM beos WHERE id = $1`,
      [renamed],
    );
    const { isClean, text } = await verified();
    expect(isClean).toBe(false);
    expect(text).toContain('6 BREACHES');
    expect(text).toContain(`The identity ${changed} differs from the ledger: publicKey is "abab`);
    expect(text).toContain(`The identity ${deleted} follows from the ledger, but is not in the database.`);
    expect(text).toMatch(/The name \S+ differs from the ledger: holder is/);
    expect(text).toContain('The ended identities in the database (6) differ from those of the ledger (6)');
    expect(text).toMatch(/entry 2 \(.{43}\) STATE: The database has other bytes/);
    expect(text).toContain('is in the database, but does not follow from the ledger');
  });

  test('detects a database that was reset to a state before the network', async () => {
    const { databaseUrl, service, verified } = await operatorWithIdentities(30);
    await service.stop();
    await query(databaseUrl, 'DELETE FROM ledger_entries WHERE seq = (SELECT max(seq) FROM ledger_entries)');
    await query(
      databaseUrl,
      'UPDATE ledger_head SET (seq, id) = (SELECT seq, id FROM ledger_entries ORDER BY seq DESC LIMIT 1)',
    );
    const { isClean, text } = await verified();
    expect(isClean).toBe(false);
    expect(text).toContain('The database ends with entry');
    expect(text).toContain('The database has nothing in place of this entry.');
  });
});

describe('the verification of institutions, consents and proposals', () => {
  async function operatorWithConsents() {
    const operator = await testOperator();
    const databaseUrl = await operator.database();
    const service = await operator.serve(databaseUrl);
    const sample = await createConsents(service, 8);
    const verified = () => operator.run((parts) => verify({}, parts), databaseUrl);
    return { operator, databaseUrl, service, sample, verified };
  }

  test('passes for an unchanged database', async () => {
    const { operator, databaseUrl, service, sample, verified } = await operatorWithConsents();
    await operator.settle(databaseUrl);
    const clean = await verified();
    expect(clean.text).toContain('No breach was found.');
    expect(clean.text).toMatch(/12 by the institute, relayer-asserted/);
    expect(clean.text).toContain('live: 7 identities, 3 institutions,');
    expect(clean.text).toContain('1 proposal\n');
    expect(clean.text).toMatch(/ended: 1 identity, 2 institutions, \d+ consents, 5 proposals/);
    expect(clean.isClean).toBe(true);

    const [granter] = sample.holders as [Holder];
    await grant(service, granter, sample.hospital.domain, ['SYNC_PROTOCOL']);
    await act(service, granter.person, 'revokeAllTokens', { beoId: granter.beoId });
    await act(service, sample.hospital.person, 'destroyIEO', { ieoId: sample.hospital.ieoId });
    expect((await verified()).isClean).toBe(true);
  });

  test('detects changed institutions, consents and proposals', async () => {
    const { operator, databaseUrl, sample, verified } = await operatorWithConsents();
    const { lab, destroyed, kept, withdrawn, pending } = sample;
    await operator.settle(databaseUrl);
    const change = (text: string, ...values: unknown[]) => query(databaseUrl, text, values);
    await change("UPDATE ieos SET ieo_type = 'HOSPITAL' WHERE id = $1", lab.ieoId);
    await change("UPDATE ieos SET display_name = 'Not gone' WHERE id = $1", destroyed.ieoId);
    await change('DELETE FROM names WHERE id = $1', destroyed.domain);
    await change('UPDATE tokens SET expires_at = NULL WHERE id = $1', kept.tokenId);
    await change('ALTER TABLE tokens DISABLE TRIGGER tokens_stay_ended');
    await change('UPDATE tokens SET revoked_at = NULL WHERE id = $1', withdrawn.tokenId);
    await change("UPDATE proposals SET approvals = '[]' WHERE id = $1", pending);
    await change("UPDATE ieo_counts SET count = count + 7 WHERE status = 'ACTIVE' AND ieo_type = 'HOSPITAL'");
    const { isClean, text } = await verified();
    expect(isClean).toBe(false);
    expect(text).toContain(
      `The institution ${lab.ieoId} differs from the ledger: ieoType is "HOSPITAL" instead of "LAB".`,
    );
    expect(text).toContain('The ended institutions in the database (2) differ from those of the ledger (2)');
    expect(text).toContain(`The name ${destroyed.domain} follows from the ledger, but is not in the database.`);
    expect(text).toContain(`The consent ${kept.tokenId} differs from the ledger: expiresAt is null`);
    expect(text).toContain(`The consent ${withdrawn.tokenId} is in the database, but does not follow from the ledger.`);
    expect(text).toMatch(/The ended consents in the database \((\d+)\) differ from those of the ledger/);
    expect(text).toContain(`The proposal ${pending} differs from the ledger: approvals is []`);
    expect(text).toMatch(
      /The stored count of institutions that are ACTIVE HOSPITAL UNCERTIFIED is \d+, but the database has \d+\./,
    );
  });
});

describe('the verification of submitted records', () => {
  async function submitted() {
    const operator = await testOperator();
    const databaseUrl = await operator.database();
    const service = await operator.serve(databaseUrl);
    const [holder, lab] = await Promise.all([newHolder(service), newInstitution(service)]);
    const live = await grant(service, holder, lab.ieoId, ['SUBMIT_RECORD'], null, { max_records: 50 });
    const ended = await grant(service, holder, lab.domain, ['SUBMIT_RECORD']);
    await submit(service, lab, holder, live, 40);
    await submit(service, lab, holder, live, 10);
    await submit(service, lab, holder, ended, 3);
    await act(service, holder.person, 'revokeToken', { tokenId: ended.tokenId });
    const verified = () => operator.run((parts) => verify({}, parts), databaseUrl);
    return { operator, databaseUrl, service, holder, live, ended, verified };
  }

  test('passes before and after posting and erasure', async () => {
    const { operator, databaseUrl, holder, verified, service } = await submitted();
    expect((await verified()).isClean).toBe(true);
    await operator.settle(databaseUrl);
    const { isClean, text } = await verified();
    expect(text).toContain('3 sealed');
    expect(text).toContain('No breach was found.');
    expect(isClean).toBe(true);
    await act(service, holder.person, 'destroyBEO', { beoId: holder.beoId });
    expect(await query(databaseUrl, 'SELECT FROM records')).toEqual([]);
    expect((await verified()).isClean).toBe(true);
  });

  test('detects a consent with a record count lower or higher than that of the ledger', async () => {
    const { operator, databaseUrl, live, ended, verified } = await submitted();
    await operator.settle(databaseUrl);
    await query(databaseUrl, 'UPDATE tokens SET submitted = 9 WHERE id = $1', [live.tokenId]);
    await query(databaseUrl, 'UPDATE tokens SET submitted = 4 WHERE id = $1', [ended.tokenId]);
    const { isClean, text } = await verified();
    expect(isClean).toBe(false);
    expect(text).toContain(`The consent ${live.tokenId} differs from the ledger: submitted is 9 instead of 50.`);
    expect(text).toContain('The ended consents in the database (1) differ from those of the ledger (1)');
    expect(text).toContain('2 BREACHES');
  });
});

describe('the verification of guardians', () => {
  async function guarded() {
    const operator = await testOperator();
    const databaseUrl = await operator.database();
    const service = await operator.serve(databaseUrl);
    const people = await createGuardians(service);
    await operator.settle(databaseUrl);
    const verified = () => operator.run((parts) => verify({}, parts), databaseUrl);
    return { databaseUrl, people, verified };
  }

  test('reports recoveries that only the relayer asserts', async () => {
    const { people, verified } = await guarded();
    const { verdict, text } = await verified();
    expect(text).toContain('5 live identities');
    expect(text).toContain('  3 by guardians, relayer-asserted');
    expect(text).toContain('  1 recovery by two guardians that the holder had confirmed in public');
    expect(text).toContain(
      '  1 recovery with a guardian that the holder had not confirmed in public, asserted by the relayer',
    );
    expect(text).toContain('  3 guardians that their holder has confirmed in public');
    expect(text).toContain('  7 guardians, relayer-asserted: their holder has not confirmed their key in public');
    expect(text).not.toContain('No breach was found.');
    expect(text).toMatch(/\n {2}entry \d+ \([\w-]{43}\): \S+ moved to the key [0-9a-f]{64}, by the guardian keys? /);
    expect(text).toContain(
      `: ${people.recoveredByUnconfirmed.beoId} moved to the key ${people.recoveredByUnconfirmed.person.publicKey}, by`,
    );
    expect(text.split('\n').at(-1)).toBe('No breach, but not clean: 1 recovery is asserted by the relayer alone.');
    expect(verdict).toBe('asserted');
  });

  test('detects changed guardians, removed guardians and open requests', async () => {
    const { databaseUrl, people, verified } = await guarded();
    const change = (path: string, value: unknown, { beoId }: { beoId: string }) =>
      query(databaseUrl, 'UPDATE beos SET recovery = jsonb_set(recovery, $1, $2) WHERE id = $3', [
        `{${path}}`,
        JSON.stringify(value),
        beoId,
      ]);
    await change('guardians,0,publicKey', 'ab'.repeat(32), people.recovered);
    await change('confirmedSince', null, people.withRequest);
    await change('guardians', [], people.withRemoved);
    await change('recoveredAt', null, people.recoveredByUnconfirmed);
    await change('requests', [{}], people.destroyed);
    const { isClean, text } = await verified();
    expect(isClean).toBe(false);
    for (const { beoId } of [people.recovered, people.withRequest, people.withRemoved, people.recoveredByUnconfirmed]) {
      expect(text).toContain(`The identity ${beoId} differs from the ledger: recovery is`);
    }
    expect(text).toContain('The ended identities in the database (1) differ from those of the ledger (1)');
    expect(text).toContain('5 BREACHES');
  });
});
