import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClock } from '../clock.ts';
import { createCaller } from '../http/trpc/router.ts';
import { freshDomain, startTestService, type TestService } from '../test-service.ts';
import { type Parties, type Party, partiesOf } from '../write/test-parties.ts';

const HOUR = 3_600_000;

let shift = 0;
let product: TestService;
let parties: Parties;
let call: ReturnType<typeof createCaller>;
beforeAll(async () => {
  product = await startTestService({}, { clock: createClock(Date.now, () => shift) });
  parties = partiesOf(product, () => Date.now() + shift);
  call = createCaller({ services: product.service.context, address: '192.0.2.1' });
});
afterAll(() => product.stop());

const under = (domain: string) => `results.${domain}`;

/** What pages show beside the name of an institution, wherever they ask for it. */
async function marks({ id, domain }: Party) {
  const { found } = await call.explore({ reference: domain });
  const shown = [
    await call.institution({ reference: id }),
    (await call.findInstitutions({ typed: domain })).find(({ ieo_id }) => ieo_id === id),
    (await call.institutions({ limit: 200 })).ieos.find(({ ieo_id }) => ieo_id === id),
    found.kind === 'institution' ? found.institution : undefined,
  ];
  const [first, ...others] = shown.map((one) => one && { certified: one.certified, above: one.domain_above });
  for (const other of others) expect(other).toEqual(first);
  return first;
}

describe('beside the name of an institution pages get', () => {
  test('the parent domain with another holder, an institution or a person', async () => {
    const clinic = await parties.newInstitution();
    const holder = await parties.newHolder();
    expect(await marks(clinic)).toEqual({ certified: false, above: null });
    for (const { domain } of [clinic, holder]) {
      const stranger = await parties.newInstitution({ domain: under(domain) });
      expect(await marks(stranger)).toEqual({ certified: false, above: domain });
      const below = await parties.newInstitution({ domain: `a.b.${under(domain)}` });
      expect(await marks(below)).toEqual({ certified: false, above: under(domain) });
    }
    const nobodys = await parties.newInstitution({ domain: under(freshDomain()) });
    expect(await marks(nobodys)).toEqual({ certified: false, above: null });
  });

  test('it also if that holder was destroyed, and not if one key registered both', async () => {
    const clinic = await parties.newInstitution();
    const lab = await parties.newInstitution();
    const own = { domain: under(lab.domain), publicKey: lab.person.publicKey };
    const answer = await product.post(
      '/api/ieo',
      parties.sign(lab.person, 'createIEO', parties.ieoFields(lab.person, own)),
    );
    expect((await call.institution({ reference: answer.body.ieo_id })).domain_above).toBe(null);
    const stranger = await parties.newInstitution({ domain: under(clinic.domain) });
    await parties.ieo(clinic, 'destroy', 'destroyIEO');
    expect((await call.institution({ reference: stranger.id })).domain_above).toBe(clinic.domain);
  });

  test('whether its certification is in force', async () => {
    const clinic = await parties.newInstitution();
    const expiresAt = new Date(Date.now() + shift + HOUR).toISOString();
    await parties.institute('certification', { ieoId: clinic.id, level: 'BASIC', expiresAt }, 1);
    expect(await marks(clinic)).toMatchObject({ certified: true });
    shift += 2 * HOUR;
    expect(await marks(clinic)).toMatchObject({ certified: false });
    await parties.institute('certification', { ieoId: clinic.id, level: 'ADVANCED' }, 2);
    expect(await marks(clinic)).toMatchObject({ certified: true });
    await parties.decide('suspendIEO', { ieoId: clinic.id, reason: 'Late.' });
    expect((await call.institution({ reference: clinic.id })).certified).toBe(false);
  });
});

test('a consent and a proposal are explored together with the institution', async () => {
  const [holder, clinic] = [await parties.newHolder(), await parties.newInstitution()];
  await parties.institute('certification', { ieoId: clinic.id, level: 'BASIC', intents: ['SUBMIT_RECORD'] }, 1);
  const { token_id } = await parties.granted(holder, clinic.id);
  const own = await parties.granted(holder, holder.id);
  const { proposal_id } = (await parties.propose('suspendIEO', { ieoId: clinic.id, reason: 'Late.' })).body.proposal;
  for (const reference of [token_id, proposal_id]) {
    expect((await call.explore({ reference })).found).toMatchObject({
      institution: { ieo_id: clinic.id, certified: true, certification: { intents: ['SUBMIT_RECORD'] } },
    });
  }
  expect((await call.explore({ reference: own.token_id })).found).toMatchObject({ institution: null });
});
