import type { RefusedCase } from './invalid.ts';
import {
  type Case,
  createBody,
  createSigned,
  HOLDER,
  LEDGER_ID,
  NONCE,
  objectOf,
  ownBody,
  ownSigned,
  TIMESTAMP,
  TOKEN_ID,
} from './texts.ts';

/** The messages with a ledgerId among their members, in the order of RFC 8785. */
const created = (ledgerId: string): string =>
  `{"domain":"maria.bsp","function":"createBEO","ledgerId":${ledgerId},"nonce":${NONCE},"publicKey":"${HOLDER}","recovery":null,"timestamp":${TIMESTAMP}}`;
const locked = (ledgerId: string): string => ownSigned('lockBEO').replace('"nonce"', `"ledgerId":${ledgerId},"nonce"`);
const revoked = (ledgerId: string): string =>
  `{"function":"revokeToken","ledgerId":${ledgerId},"nonce":${NONCE},"timestamp":${TIMESTAMP},"tokenId":${TOKEN_ID}}`;

const OWN = `"${LEDGER_ID}"`;
const UPPER = `"${LEDGER_ID.toUpperCase()}"`;
const FOREIGN = `"${'ab'.repeat(32)}"`;

const lock = (about: string, ledgerId: string): Case => ({
  about,
  operation: 'lockBEO',
  body: ownBody({ ledgerId }),
  signed: locked(ledgerId),
});

export const VALID_LEDGER_IDS: Readonly<Record<string, Case>> = {
  'create-for-this-ledger': {
    about: 'The id of the ledger may be signed with any operation.',
    operation: 'createBEO',
    body: createBody({ ledgerId: OWN }),
    signed: created(OWN),
  },
  'lock-for-this-ledger': lock('The same of an identity that exists, known by its id and not by its domain.', OWN),
  'lock-for-this-ledger-in-upper-case': lock('In either case, and signed as it was sent.', UPPER),
  'revoke-for-this-ledger': {
    about: 'The same of a request whose other fields come from the path.',
    operation: 'revokeToken',
    body: ownBody({ ledgerId: OWN, tokenId: TOKEN_ID }),
    signed: revoked(OWN),
  },
};

export const INVALID_LEDGER_IDS: Readonly<Record<string, RefusedCase>> = {
  'create-for-another-ledger': {
    about: 'Everything is right, but for a deployment of another relayer.',
    operation: 'createBEO',
    body: createBody({ ledgerId: FOREIGN }),
    signed: created(FOREIGN),
    code: 'WRONG_LEDGER',
  },
  'lock-for-another-ledger': {
    ...lock('The same of an identity that exists.', FOREIGN),
    code: 'WRONG_LEDGER',
  },
  'revoke-for-another-ledger': {
    about: 'The same of a request whose other fields come from the path.',
    operation: 'revokeToken',
    body: ownBody({ ledgerId: FOREIGN, tokenId: TOKEN_ID }),
    signed: revoked(FOREIGN),
    code: 'WRONG_LEDGER',
  },
  'ledger-id-replaced': {
    about: 'Signed for another ledger, and sent with the id of this one.',
    operation: 'createBEO',
    body: createBody({ ledgerId: OWN }),
    signed: created(FOREIGN),
    code: 'INVALID_SIGNATURE',
  },
  'ledger-id-left-out': {
    about: 'Signed for another ledger, and sent without the id.',
    operation: 'createBEO',
    body: createBody(),
    signed: created(FOREIGN),
    code: 'INVALID_SIGNATURE',
  },
  'ledger-id-not-signed': {
    about: 'The id of this ledger was added after signing.',
    operation: 'createBEO',
    body: createBody({ ledgerId: OWN }),
    signed: createSigned(),
    code: 'INVALID_SIGNATURE',
  },
  'ledger-id-signed-in-lower-case': {
    about: 'What is signed is the text that was sent.',
    operation: 'lockBEO',
    body: ownBody({ ledgerId: UPPER }),
    signed: locked(OWN),
    code: 'INVALID_SIGNATURE',
  },
  'ledger-id-null': { ...lock('There is no empty ledger id.', 'null'), code: 'VALIDATION_FAILED' },
  'ledger-id-too-short': {
    ...lock('A ledger id has 64 hex characters.', `"${LEDGER_ID.slice(1)}"`),
    code: 'VALIDATION_FAILED',
  },
  'ledger-id-in-snake-case': {
    about: 'Signed fields are in camel case.',
    operation: 'lockBEO',
    body: ownBody({ ledger_id: OWN }),
    signed: ownSigned('lockBEO').replace('"nonce"', `"ledger_id":${OWN},"nonce"`),
    code: 'VALIDATION_FAILED',
  },
  'approve-with-a-ledger-id': {
    about: 'Nobody signs what the institute decides, so it names no ledger.',
    operation: 'approveProposal',
    approver: 1,
    body: objectOf({ proposalId: '"e7f1b0c2-3d4a-4b5c-8d6e-7f8091a2b3c4"', ledgerId: OWN }),
    signed: '',
    code: 'VALIDATION_FAILED',
  },
};
