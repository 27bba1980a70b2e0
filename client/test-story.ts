import type { TestService } from '../server/testing/test-service.ts';
import { freshDomain } from '../server/testing/test-service.ts';
import { type Client, type ClientOptions, createClient } from './client.ts';
import type { PerpetuaError } from './errors.ts';
import { generateKey } from './keys.ts';
import { verifyInclusionProof, verifyProof } from './proofs.ts';

/** A client that notes each request as `METHOD path`. */
export function recordingClient(url: string, options: Partial<ClientOptions> = {}) {
  const requests: string[] = [];
  const send: typeof fetch = (address, init) => {
    requests.push(`${init?.method ?? 'GET'} ${new URL(String(address)).pathname}`);
    return fetch(address, init);
  };
  return { requests, client: createClient({ url, fetch: send, ...options }) };
}

const READING = { intents: ['SUBMIT_RECORD', 'READ_RECORDS', 'EXPORT_DATA'] as const, categories: ['BSP-CV'] };

export const measurement = (value: number) => ({
  biomarker: 'BSP-CV-001',
  value,
  unit: 'mg/dL',
  collected_at: '2026-03-04T05:06:07.000Z',
});

export async function newHolder(client: Client) {
  const key = generateKey();
  const domain = freshDomain();
  const { beo_id: beoId } = await client.createBEO({ domain, publicKey: key.publicKey, recovery: null }, { key });
  return { key, domain, beoId };
}

export async function newInstitution(client: Client) {
  const key = generateKey();
  const fields = {
    domain: freshDomain(),
    ieoType: 'HOSPITAL',
    displayName: 'A Clinic',
    publicKey: key.publicKey,
  } as const;
  const { ieo_id: ieoId } = await client.createIEO(fields, { key });
  return { key, domain: fields.domain, ieoId };
}

/** Person and institution, with a consent between them. */
export async function newConsent(client: Client) {
  const [holder, clinic] = [await newHolder(client), await newInstitution(client)];
  const fields = {
    beoId: holder.beoId,
    ieoId: clinic.ieoId,
    scope: { ...READING, intents: [...READING.intents] },
    expiresInDays: 30,
  };
  const { entry } = await client.grantConsent(fields, { key: holder.key });
  return { holder, clinic, tokenId: entry.entityId };
}

/** Every operation and every read once, as a person, an institution, guardians and the institute use them. */
export async function wholeStory(client: Client, { instituteKeys }: Pick<TestService, 'instituteKeys'>) {
  const [first, second, third] = instituteKeys.map((instituteKey) => ({ instituteKey }));
  await consents(client);
  await guardians(client);
  await shares(client);
  const clinic = await newInstitution(client);
  const { ieoId } = clinic;
  const by = { key: clinic.key };
  await client.updateIEOContacts({ ieoId, apiEndpoint: 'https://clinic.example/api', webhookUrl: null }, by);
  await client.updateIEORecovery({ ieoId, recovery: null }, by);
  await client.lockIEO({ ieoId }, by);
  await client.unlockIEO({ ieoId }, by);
  const asked = { ieoId, level: 'ADVANCED', categories: ['BSP-CV'], grounds: 'ISO 15189, certificate 4711.' } as const;
  await client.requestCertification(asked, by);
  await client.withdrawCertificationRequest({ ieoId }, by);
  await client.requestCertification(asked, by);
  const { requests } = await client.listCertificationRequests({ limit: 1 }, first);
  const [listed] = requests;
  if (listed?.grounds !== asked.grounds) throw new Error('The request was not listed.');
  await client.declineCertificationRequest(
    { ieoId, requestedAt: listed.requested_at, reason: 'It has expired.' },
    second,
  );
  const { request } = await client.readCertificationRequest({ ieoId }, by);
  if (request?.status !== 'DECLINED') throw new Error('The request was not declined.');
  const validUntil = new Date(Date.now() + 86_400_000).toISOString();
  const scope = { intents: ['READ_RECORDS'], categories: ['*'] };
  const wish = { ieoId, scope, expiresInDays: 30, purpose: 'To prepare a visit.', validUntil, once: false };
  const { request_id: requestId } = await client.askConsent(wish, by);
  const kept = await client.getConsentRequest({ requestId });
  if (kept.request === null || kept.used) throw new Error('The request for a consent was not kept.');
  await client.updateCertification({ ieoId, level: 'ADVANCED' }, third);
  const proposal = {
    action: 'suspendIEO',
    params: { ieoId, reason: 'A complaint.' },
    justification: 'It was true.',
  } as const;
  const { entry } = await client.openProposal(proposal, first);
  await client.approveProposal({ proposalId: entry.entityId }, second);
  await client.listProposals({ limit: 1 }, first);
  await client.getProposal(entry.entityId, first);
  const newKey = generateKey();
  await client.rotateIEOKey({ ieoId, newPublicKey: newKey.publicKey }, by);
  await client.destroyIEO({ ieoId }, { key: newKey });
  await publicReads(client);
}

async function consents(client: Client) {
  const { holder, clinic, tokenId } = await newConsent(client);
  const { beoId, domain, key } = holder;
  const use = { targetBeo: beoId, consentToken: tokenId };
  await client.submitRecords({ ...use, records: [measurement(5.1), measurement(1e-7)] }, { key: clinic.key });
  const { records } = await client.readRecords({ ...use, categories: ['BSP-CV'], limit: 1 }, { key: clinic.key });
  if (records[0]?.unit !== 'mg/dL') throw new Error('The record was not read.');
  await client.sovereignExport({ ...use, format: 'CSV' }, { key });
  await client.listAccess({ beoId }, { key });
  await client.readEvents({ ieoId: clinic.ieoId }, { key: clinic.key });
  await client.listReceived({ ieoId: clinic.ieoId, limit: 5 }, { key: clinic.key });
  await client.verifyToken(tokenId, { intent: 'READ_RECORDS' });
  await client.getConsentHistory(domain, { limit: 10 });
  await client.revokeToken({ tokenId, beoId }, { key });
  await client.revokeAllFromIEO({ beoId, ieoId: clinic.domain }, { key });
  await client.revokeByIntent({ beoId, intent: 'READ_RECORDS' }, { key });
  await client.revokeAllTokens({ beoId }, { key });
  const newKey = generateKey();
  await client.rotateBEOKey({ beoId, newPublicKey: newKey.publicKey }, { key });
  await client.lockBEO({ beoId, reason: 'The phone is lost.' }, { key: newKey });
  await client.unlockBEO({ beoId }, { key: newKey });
  await client.destroyBEO({ beoId }, { key: newKey });
}

async function shares(client: Client) {
  const { beoId, key } = await newHolder(client);
  const content = JSON.stringify({ resourceType: 'Bundle', type: 'collection' });
  const share = { beoId, label: 'Second opinion', files: [{ contentType: 'application/fhir+json', content }] } as const;
  const { link: hidden } = await client.createShare({ ...share, passcode: 'abacate' }, { key });
  const { link: direct } = await client.createShare({ ...share, direct: true }, { key });
  const opened = [
    await client.openShare(hidden, { recipient: 'A clinic', passcode: 'abacate', embeddedLengthMax: 0 }),
    await client.openShare(direct, { recipient: 'A clinic' }),
  ];
  if (opened.some(([file]) => file?.content !== content)) throw new Error('The share was not opened.');
  const [latest] = (await client.listShares({ beoId }, { key })).shares;
  if (latest?.openings[0]?.recipient !== 'A clinic') throw new Error('The opening was not listed.');
  await client.stopShare({ beoId, shareId: latest.share_id }, { key });
}

async function guardians(client: Client) {
  const { beoId, key } = await newHolder(client);
  const by = { key };
  const [ana, rui] = [generateKey(), generateKey()];
  const invited = await client.inviteGuardian({ beoId, name: 'Ana', contact: 'ana@example.org', role: 'primary' }, by);
  if (invited.responseLost) throw new Error('The link is lost.');
  const { invitation_id: invitationId } = await client.getInvitation(invited.url);
  const accepted = { invitationId, beoId, publicKey: ana.publicKey };
  await client.acceptGuardian(accepted, { key: ana, link: invited.url });
  const kept = (await client.getBEO(beoId)).recovery.guardians.map(({ guardian_id, role }) => ({ guardian_id, role }));
  const recovery = {
    guardians: [
      ...kept,
      { name: 'Rui', contact: 'rui@example.org', role: 'secondary' as const, public_key: rui.publicKey },
    ],
  };
  const updated = await client.updateBEORecovery({ beoId, recovery }, by);
  const [invitation] = updated.responseLost ? [] : updated.invitations;
  const link = invitation?.url ?? '';
  const { invitation_id } = await client.getInvitation(link);
  await client.acceptGuardian({ invitationId: invitation_id, beoId, publicKey: rui.publicKey }, { key: rui, link });
  await client.confirmGuardian({ beoId, guardianId: invited.guardian_id, publicKey: ana.publicKey }, by);
  await client.requireConfirmedGuardians({ beoId }, by);
  await client.listGuardians({ beoId }, by);
  if ((await client.listAlerts({ beoId }, by)).sends_mail) throw new Error('The service of this test sends no mail.');
  const noMail = await client.setAlerts({ beoId, addresses: [] }, by).catch((error) => error.code);
  if (noMail !== 'NOT_FOUND') throw new Error(`Without mail the response is ${noMail}.`);
  const { guarded } = await client.listGuarded({ key: ana });
  const { guardian_id: guardianId = '', challenge = '' } = guarded[0] ?? {};
  const practised = generateKey().publicKey;
  const practice = await client.startPractice({ beoId, newPublicKey: practised }, by);
  const { url = '' } = practice.links.find(({ guardian_id }) => guardian_id === guardianId) ?? {};
  const inPractice = { practiceId: practice.practice_id, newPublicKey: practised };
  await client.practiseRecovery(inPractice, { key: ana, link: url });
  await client.attestGuardian({ guardianId, challenge }, { key: ana });
  const newKey = generateKey();
  const ask = async () => (await client.requestRecovery({ beoId }, { newKey })).links;
  const confirm = async (links: Awaited<ReturnType<typeof ask>>, role: string, guardian: typeof ana) => {
    const url = links.find((other) => other.role === role)?.url ?? '';
    const { request_id: requestId } = await client.getRecoveryConfirmation(url);
    return client.confirmRecovery({ requestId, beoId, newPublicKey: newKey.publicKey }, { key: guardian, link: url });
  };
  await confirm(await ask(), 'primary', ana);
  const requestId = (await client.getBEO(beoId)).active_recovery?.request_id ?? '';
  const { entry } = await client.cancelRecovery({ beoId, requestId }, by);
  if (entry?.function !== 'cancelRecovery') throw new Error('The cancellation of a confirmed request has no entry.');
  await ask();
  const [open] = (await client.listGuardians({ beoId }, by)).open_requests;
  const unconfirmed = await client.cancelRecovery({ beoId, requestId: open?.request_id ?? '' }, by);
  if (unconfirmed.entry !== null) throw new Error('The cancellation of an unconfirmed request has an entry.');
  const links = await ask();
  await confirm(links, 'primary', ana);
  const last = await confirm(links, 'secondary', rui);
  if (!last.executed) throw new Error('The recovery was not executed.');
  const { recovery: now } = await client.getBEO(beoId);
  const resigning = now.guardians.find(({ role }) => role === 'secondary')?.guardian_id ?? '';
  await client.resignGuardian({ beoId, guardianId: resigning }, { key: rui });
}

/** A checkpoint follows within a second or two after an entry is FINAL. */
async function inclusionProof(client: Client, id: string): Promise<string> {
  for (let attempts = 2_400; attempts > 0; attempts--) {
    const proof = await client.getInclusionProof(id).catch((error: PerpetuaError) => error);
    if (typeof proof === 'string') return proof;
    if (proof.code !== 'NOT_FOUND') throw proof;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('The entry is FINAL and has no proof.');
}

async function publicReads(client: Client) {
  const { domain, beoId } = await newHolder(client);
  const { arweave_tx: id } = await client.getBEOByDomain(domain);
  await client.getBEO(beoId);
  const clinic = await newInstitution(client);
  await client.getIEO(clinic.ieoId);
  await client.getIEOByDomain(clinic.domain);
  await client.getIEOFeed(clinic.ieoId, { limit: 1 });
  const { items } = await client.getBEOFeed(domain);
  if (!items[0]?.url.endsWith(id)) throw new Error('The entry is not in the feed.');
  await client.getCertification(clinic.ieoId);
  await client.listIEOs({ ieoType: 'HOSPITAL', limit: 2 });
  await client.getTransaction(id);
  verifyProof(await client.getProof(id), client.trusted()?.ledgerId ?? '');
  await client.waitUntilFinal(id, { interval: 50 });
  const log = (await client.getLedger()).checkpoint_key ?? '';
  verifyInclusionProof(await inclusionProof(client, id), { log });
  await client.searchIEOs({ name: 'clinic' });
  await client.getLedger();
  await client.listEntries({ after: 0, limit: 1_000 });
  for (const read of [client.getAlertLink, client.confirmAlertAddress]) {
    const code = await read('https://perpetua.example/a/unknown').catch((error) => error.code);
    if (code !== 'LINK_NOT_FOUND') throw new Error(`An unknown link is ${code}.`);
  }
  for (const read of [client.getSubscription, client.unsubscribe, client.resubscribe]) {
    const code = await read('https://perpetua.example/mail/unsubscribe/unknown').catch((error) => error.code);
    if (code !== 'LINK_NOT_FOUND') throw new Error(`An unknown link is ${code}.`);
  }
  const { key, ieoId } = clinic;
  await client.getWebhookKeys();
  await client.getJwks();
  if ((await client.readWebhook({ ieoId }, { key })).webhook_url !== null) throw new Error('There is a webhook.');
  const at = new Date().toISOString();
  const withoutWebhook = [
    client.pauseWebhook({ ieoId }, { key }),
    client.resumeWebhook({ ieoId }, { key }),
    client.testWebhook({ ieoId }, { key }),
    client.resendEvent({ ieoId, eventId: `evt_${crypto.randomUUID()}`, at }, { key }),
    client.replayEvents({ ieoId, from: at, until: null }, { key }),
  ];
  for (const { reason } of (await Promise.allSettled(withoutWebhook)) as PromiseRejectedResult[]) {
    if (reason.code !== 'NOT_FOUND') throw new Error(`Without a webhook the response is ${reason.code}.`);
  }
  await client.getHealth();
  await client.getReadiness();
  await client.getMetrics();
}
