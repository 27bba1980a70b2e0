import {
  BEO_ID,
  bodyOf,
  type Case,
  IEO_ID,
  INSTITUTION,
  INSTITUTION_SEED,
  NONCE,
  objectOf,
  type Texts,
  TIMESTAMP,
  TOKEN_ID,
} from './texts.ts';

/** Test code: what institutions, holders and the institute send and sign. A member that is '' is not there. */

export type Parts = Omit<Case, 'about'>;

const there = (members: Texts): Texts => Object.fromEntries(Object.entries(members).filter(([, text]) => text !== ''));
const messageOf = (members: Texts, changes: Texts): string => objectOf(there({ ...members, ...changes }));
const without = (members: Texts, names: readonly string[]): Texts =>
  Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name)));
const ENVELOPE = ['function', 'nonce', 'timestamp'];

/** A message and the body that it belongs to; `message` has its members in the order that RFC 8785 gives them. */
export function parts(operation: string, message: Texts, changes: Texts, owner?: Uint8Array): Parts {
  const all = there({ ...message, ...changes });
  const given = owner ? { owner } : {};
  return { operation, body: bodyOf(without(all, ENVELOPE)), signed: messageOf(message, changes), ...given };
}

export const SCOPE = '{"categories":["BSP-CV","BSP-GL"],"intents":["READ_RECORDS"]}';

export function foundation(changes: Texts = {}): Parts {
  const message = {
    country: '',
    displayName: '"Laborat\u00f3rio Central"',
    domain: '"lab.bsp"',
    function: '"createIEO"',
    ieoType: '"LAB"',
    jurisdiction: '',
    legalId: '',
    nonce: NONCE,
    publicKey: `"${INSTITUTION}"`,
    timestamp: TIMESTAMP,
  };
  return parts('createIEO', message, changes, INSTITUTION_SEED);
}

/** An operation of an institution whose only field is ieoId. */
export function ofInstitution(operation: string, changes: Texts = {}): Parts {
  const message = { function: `"${operation}"`, ieoId: IEO_ID, nonce: NONCE, timestamp: TIMESTAMP };
  return parts(operation, message, changes, INSTITUTION_SEED);
}

export function institutionRotation(newPublicKey: string, changes: Texts = {}): Parts {
  const message = { function: '"rotateKey"', ieoId: IEO_ID, newPublicKey, nonce: NONCE, timestamp: TIMESTAMP };
  return parts('rotateIEOKey', message, changes, INSTITUTION_SEED);
}

export function contacts(changes: Texts = {}): Parts {
  const message = {
    apiEndpoint: '"https://lab.example/api"',
    function: '"updateContacts"',
    ieoId: IEO_ID,
    nonce: NONCE,
    timestamp: TIMESTAMP,
    webhookUrl: 'null',
  };
  return parts('updateIEOContacts', message, changes, INSTITUTION_SEED);
}

export function institutionRecovery(recovery: string): Parts {
  const message = { function: '"updateRecovery"', ieoId: IEO_ID, nonce: NONCE, recovery, timestamp: TIMESTAMP };
  return parts('updateIEORecovery', message, {}, INSTITUTION_SEED);
}

export function consent(changes: Texts = {}): Parts {
  const message = {
    beoId: BEO_ID,
    expiresInDays: '30',
    function: '"grantConsent"',
    ieoId: IEO_ID,
    nonce: NONCE,
    scope: SCOPE,
    timestamp: TIMESTAMP,
  };
  return parts('grantConsent', message, changes);
}

export function revocation(changes: Texts = {}): Parts {
  const message = { function: '"revokeToken"', nonce: NONCE, timestamp: TIMESTAMP, tokenId: TOKEN_ID };
  return parts('revokeToken', message, changes);
}

export function revocationOfAll(changes: Texts = {}): Parts {
  const message = { beoId: BEO_ID, function: '"revokeAllTokens"', nonce: NONCE, timestamp: TIMESTAMP };
  return parts('revokeAllTokens', message, changes);
}

export function revocationFrom(ieoId: string, changes: Texts = {}): Parts {
  const message = { beoId: BEO_ID, function: '"revokeAllFromIEO"', ieoId, nonce: NONCE, timestamp: TIMESTAMP };
  return parts('revokeAllFromIEO', message, changes);
}

export function revocationByIntent(intent: string, changes: Texts = {}): Parts {
  const message = { beoId: BEO_ID, function: '"revokeByIntent"', intent, nonce: NONCE, timestamp: TIMESTAMP };
  return parts('revokeByIntent', message, changes);
}

/** What the institute sends with a key, and what the ledger says of it. */
function decision(operation: string, message: Texts, changes: Texts): Parts {
  const all = there({ ...message, ...changes });
  const body = objectOf(without(all, ['function', 'approver']));
  return { operation, body, signed: messageOf(message, changes), approver: 2 };
}

export function proposal(changes: Texts = {}): Parts {
  const message = {
    action: '"suspendIEO"',
    approver: '2',
    function: '"openProposal"',
    justification: '"Patients have complained."',
    params: `{"ieoId":${IEO_ID},"reason":"unanswered complaints"}`,
  };
  return decision('openProposal', message, changes);
}

export const approval = (proposalId: string): Parts =>
  decision('approveProposal', { approver: '2', function: '"approveProposal"', proposalId }, {});

export function certification(changes: Texts = {}): Parts {
  const message = {
    approver: '2',
    categories: '',
    expiresAt: '',
    function: '"updateCertification"',
    ieoId: IEO_ID,
    intents: '',
    level: '"ADVANCED"',
  };
  return decision('updateCertification', message, changes);
}
