import {
  BEO_ID,
  bodyOf,
  type Case,
  NONCE,
  OTHER,
  objectOf,
  PRIMARY,
  PRIMARY_SEED,
  RECOVERY,
  type Texts,
  TIMESTAMP,
} from './texts.ts';

/** Test code: what holders and guardians send and sign. */

type Parts = Omit<Case, 'about'>;

const GUARDIAN_ID = '"a5b9c7d1-2e3f-5a4b-8c6d-7e8f90a1b2c3"';
const INVITATION_ID = '"3f2e1d0c-9b8a-5c7d-9e6f-5a4b3c2d1e0f"';
const REQUEST_ID = '"7c6b5a49-3827-4d16-8f05-e4d3c2b1a090"';
const ENVELOPE = ['function', 'nonce', 'timestamp'];

/** A message and the body that it belongs to; `message` has its members in the order that RFC 8785 gives them. */
function parts(operation: string, message: Texts, changes: Texts, owner?: Uint8Array): Parts {
  const all = { ...message, ...changes };
  const sent = Object.fromEntries(Object.entries(all).filter(([name]) => !ENVELOPE.includes(name)));
  return { operation, body: bodyOf(sent), signed: objectOf(all), ...(owner ? { owner } : {}) };
}

export function configuration(changes: Texts = {}): Parts {
  const message = {
    beoId: BEO_ID,
    function: '"updateRecovery"',
    nonce: NONCE,
    recovery: RECOVERY,
    timestamp: TIMESTAMP,
  };
  return parts('updateBEORecovery', message, changes);
}

export function invitation(changes: Texts = {}): Parts {
  const message = {
    beoId: BEO_ID,
    contact: '"ana@example.org"',
    function: '"inviteGuardian"',
    name: '"Ana"',
    nonce: NONCE,
    role: '"primary"',
    timestamp: TIMESTAMP,
  };
  return parts('inviteGuardian', message, changes);
}

/** A guardian signs with the key that is registered. */
export function acceptance(changes: Texts = {}): Parts {
  const message = {
    beoId: BEO_ID,
    function: '"acceptGuardian"',
    invitationId: INVITATION_ID,
    nonce: NONCE,
    publicKey: `"${PRIMARY}"`,
    timestamp: TIMESTAMP,
  };
  return parts('acceptGuardian', message, changes, PRIMARY_SEED);
}

export function guardianConfirmation(changes: Texts = {}): Parts {
  const message = {
    beoId: BEO_ID,
    function: '"confirmGuardian"',
    guardianId: GUARDIAN_ID,
    nonce: NONCE,
    publicKey: `"${PRIMARY}"`,
    timestamp: TIMESTAMP,
  };
  return parts('confirmGuardian', message, changes);
}

/** The holder requires confirmed guardians, for ever. */
export function requirement(changes: Texts = {}): Parts {
  const message = { beoId: BEO_ID, function: '"requireConfirmedGuardians"', nonce: NONCE, timestamp: TIMESTAMP };
  return parts('requireConfirmedGuardians', message, changes);
}

/** A guardian resigns with the key that is registered. */
export function resignation(changes: Texts = {}): Parts {
  const message = {
    beoId: BEO_ID,
    function: '"resignGuardian"',
    guardianId: GUARDIAN_ID,
    nonce: NONCE,
    timestamp: TIMESTAMP,
  };
  return parts('resignGuardian', message, changes, PRIMARY_SEED);
}

/** A guardian signs for the key that is to follow. */
export function recoveryConfirmation(changes: Texts = {}): Parts {
  const message = {
    beoId: BEO_ID,
    function: '"confirmRecovery"',
    newPublicKey: `"${OTHER}"`,
    nonce: NONCE,
    requestId: REQUEST_ID,
    timestamp: TIMESTAMP,
  };
  return parts('confirmRecovery', message, changes, PRIMARY_SEED);
}
