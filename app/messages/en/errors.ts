/** What a page says for an error code of the table (protocol §5); what has no sentence here is said with the server's. */
export default {
  OTHER: 'The server refused this ({code}). {message}',
  UNREACHABLE:
    'The server cannot be reached. Look at your connection and try again. If you had sent something, it may have arrived all the same: look before you send it again.',
  RATE_LIMITED: 'Too many requests came from your network in the last minute. Wait a minute and try again.',
  UNAVAILABLE: 'The server cannot do this at the moment. Try again shortly.',
  INTERNAL: 'Something went wrong on our side. Nothing was changed by mistake. Try again shortly.',
  INTEGRITY_FAILED:
    'What is stored was altered, or a part of it is missing, so nothing is shown. Tell the operator of this service.',

  VALIDATION_FAILED:
    'Something in what was sent does not have the form the server expects. Look at what you entered. If it is right, the mistake is ours.',
  TIMESTAMP_TOO_OLD: 'What you signed arrived too late: a signature is good for five minutes. Try again.',
  TIMESTAMP_IN_FUTURE:
    'The clock of this device is ahead, so the signature carries a time that has not come yet. Set date and time to automatic, and try again.',
  PUBLIC_KEY_INVALID: 'This is not a key that can be used here. Make a new one, or look at what you entered.',
  DOMAIN_INVALID:
    'This is not a valid domain. Use the letters a to z, digits, dashes and dots, at most 64 characters in all.',
  DOMAIN_RESERVED: 'This domain contains a word that is kept free. Choose another.',
  CATEGORIES_REQUIRED: 'No kind of data is chosen yet. Choose at least one; nothing is shared that you did not choose.',
  RECORDS_REQUIRED: 'There is no record to send. Add at least one.',

  INVALID_SIGNATURE:
    'The signature does not match. Perhaps this identity has a new key by now: sign in with the new one, or look at which identity you are using.',
  CONSENT_REQUIRED: 'This needs the consent of the person. Choose a consent, or ask them for one.',
  TOKEN_NOT_FOUND: 'There is no such consent. Look at its number, or choose it from the list.',
  TOKEN_REVOKED: 'This consent was withdrawn. Without a new one it allows nothing more.',
  TOKEN_EXPIRED: 'This consent has run out. Without a new one it allows nothing more.',
  INSTITUTE_KEY_MISSING: 'This needs a key of the institute. Enter it first.',
  INSTITUTE_KEY_INVALID: 'This is not a key of the institute. Look at it and enter it again.',

  INTENT_NOT_AUTHORIZED: 'The consent does not allow this. Ask the person for one that does.',
  CATEGORY_NOT_AUTHORIZED: 'The consent does not cover this kind of data. Leave it out, or ask for a wider consent.',
  PERIOD_NOT_AUTHORIZED: 'The consent does not cover this time. Choose a time within it, or ask for a wider consent.',
  RECORD_LIMIT_REACHED: 'As many records as the consent allows have been used. Ask the person for a new one.',
  STORAGE_LIMIT_REACHED: 'There is no room for this: as much is stored as this service allows.',
  INTENT_NOT_ALLOWED_FOR_TYPE: 'An institution of this type may not do this. Choose another purpose or institution.',
  IEO_NOT_ACTIVE: 'This institution is not active at present, so nothing can be done with it. Its page says why.',
  NOT_TOKEN_OWNER: 'This consent belongs to another identity. Sign in with the one that gave or received it.',

  BEO_NOT_FOUND: 'There is no such identity. Look at the domain; perhaps the identity was destroyed.',
  IEO_NOT_FOUND: 'There is no such institution. Look at the domain; perhaps the institution was destroyed.',
  PROPOSAL_NOT_FOUND: 'There is no such proposal. Read the list again.',
  TRANSACTION_NOT_FOUND: 'There is no such entry. Look at its number; it has 43 characters.',
  LINK_NOT_FOUND: 'This link is not known here. Look whether it was copied as a whole, or ask for a new one.',
  NOT_FOUND: 'There is nothing here. Look at the address.',
  BODY_TOO_LARGE: 'This is too much at once. Send it in smaller parts.',

  NONCE_REUSED: 'This very request has arrived already. Look whether it was done before you try again.',
  DOMAIN_TAKEN: 'Somebody else has this domain. Choose another.',
  PUBLIC_KEY_TAKEN: 'This key already stands for somebody else in this identity. Use a key of its own.',
  KEY_UNCHANGED: 'This is the key that counts already. To replace it, make a new one.',
  ALREADY_LOCKED: 'It is locked already. There is nothing more to do.',
  NOT_LOCKED: 'It is not locked. There is nothing to unlock.',
  DUPLICATE_TOKEN:
    'You have already given this institution the same consent, and it still counts. Withdraw that one first.',
  TOKEN_ALREADY_REVOKED: 'This consent was withdrawn already. There is nothing more to do.',
  GUARDIAN_LIMIT: 'You have three guardians, and there cannot be more. Remove one before you invite another.',
  GUARDIAN_ROLE_TAKEN: 'This place is taken by another guardian. Choose a free one, or remove that guardian first.',
  ALREADY_CONFIRMED: 'This was confirmed already. There is nothing more to do.',
  ALREADY_APPROVED: 'This key has approved the proposal already. The second approval needs another key.',
  RECOVERY_NOT_CONFIGURED: 'This identity does not have two guardians who could recover it.',
  RECOVERY_COOLDOWN:
    'This identity was recovered less than 24 hours ago. For safety this has to wait until the 24 hours are over.',
  WRONG_LEDGER: 'This was signed for another service. Load the page again, and repeat what you did.',

  BEO_DESTROYED: 'This identity was destroyed. Nothing can be done with it any more.',
  IEO_DESTROYED: 'This institution was destroyed. Nothing can be done with it any more.',
  LINK_EXPIRED: 'This link has expired. Ask for a new one.',
  LINK_USED: 'This link was used already. If it was not you, tell whoever sent it.',
  REQUEST_CLOSED: 'This request is closed. Nothing more can be done with it.',

  RECORD_INVALID: 'At least one record is not valid, so none was stored. Correct it and send all of them again.',
  TOO_MANY_RECORDS: 'At most 100 records go together. Send them in parts.',
  BEO_LOCKED: 'This identity is locked. Its holder has to unlock it first.',
  IEO_LOCKED: 'This institution is locked. It has to be unlocked first.',
};
